// Adds the jobs to a document of any size as two operations, and generates its package.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { parse } from 'yaml'

/** @typedef {{ [key: string]: any }} Json */

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Generates the package of a document that the jobs have been added to.
 * @param {string} path of the document @param {string} scratch an empty folder
 * @returns {{ module: string, operations: number }} the module to import, and how many operations it has
 */
export function largePackage(path, scratch) {
  const billing = JSON.parse(readFileSync(join(root, 'generated/1.0.0/openapi.json'), 'utf8'))
  const document = withJobs(parse(readFileSync(path, 'utf8')), billing)
  const [source, out, built] = ['document.json', 'out', 'built'].map((name) => join(scratch, name))
  writeFileSync(source, JSON.stringify(document))
  symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'))
  const duet = join(root, 'generator/bin/duet.js')
  const args = [duet, 'generate', source, '--out', out, '--no-cache']
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${path} cannot be generated:\n${stderr.slice(-2000)}`)
  mkdirSync(built)
  // The nested folder is the reference, which no service loads.
  const files = readdirSync(out, { withFileTypes: true }).filter((entry) => entry.isFile())
  for (const { name } of files)
    writeFileSync(join(built, name.replace(/(?<!\.d)\.ts$/, '.js')), text(join(out, name)))
  writeFileSync(join(built, 'package.json'), '{ "type": "module" }')
  return { module: join(built, 'index.js'), operations: operationsOf(document) }
}

/** A generated file as JavaScript; other files unchanged. @param {string} path */
function text(path) {
  const source = readFileSync(path, 'utf8')
  if (!path.endsWith('.ts') || path.endsWith('.d.ts')) return source
  const compilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
  }
  return ts.transpileModule(source, { compilerOptions }).outputText
}

/** @param {Json} document @param {Json} billing @returns {Json} */
function withJobs(document, billing) {
  const { schemas, responses, parameters, securitySchemes } = billing.components
  const own = JSON.parse(
    JSON.stringify(
      {
        paths: picked(billing.paths, ['/lnp/gateways', '/clients/{id}']),
        schemas,
        responses,
        parameters,
        benchKey: securitySchemes.apiKey,
      },
      // If a document has provenance anywhere, it must have it everywhere.
      (key, value) => (key.startsWith('x-') || key === 'tags' ? undefined : value),
    ).replaceAll(/(#\/components\/\w+\/)(\w+)/g, '$1Bench$2'),
  )
  // In the form of OpenAPI 3.0.
  delete own.schemas.ExchangeRate
  for (const item of Object.values(own.paths))
    for (const method of ['get', 'patch']) if (item[method]) item[method].security = [{ benchKey: [] }]
  const components = { ...document.components }
  for (const section of ['schemas', 'responses', 'parameters'])
    components[section] = { ...components[section], ...renamed(own[section]) }
  components.securitySchemes = { ...components.securitySchemes, benchKey: own.benchKey }
  const { servers: _, ...rest } = document
  return { ...rest, components, paths: { ...document.paths, ...own.paths } }
}

/** @param {Json} object @param {readonly string[]} names */
function picked(object, names) {
  return Object.fromEntries(names.map((name) => [name, object[name]]))
}

/** @param {Json} section */
function renamed(section) {
  return Object.fromEntries(Object.entries(section).map(([name, value]) => [`Bench${name}`, value]))
}

/** @param {Json} document */
function operationsOf({ paths }) {
  const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
  return Object.values(paths).flatMap((item) => methods.filter((method) => item[method] !== undefined)).length
}
