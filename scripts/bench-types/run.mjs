// npm run bench:types -- DOCUMENT [--rounds N]
//
// Type-checks a service and a caller of every operation of a document: with duet's package, and with oRPC and
// tRPC routers whose procedures have hey-api's Zod schemas of the document. Prints medians: processor seconds
// and peak memory of `tsc --strict`.
import '../help.mjs'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { refuse } from '../help.mjs'
import { installPeers, median, usageOf } from '../measure/process.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' } },
})
const [document] = positionals
if (document === undefined) refuse()
const generators = join(root, 'scripts/bench-generate')
const servers = join(root, 'scripts/bench-server/peers')
for (const folder of [generators, servers]) installPeers(folder)

const scratch = mkdtempSync(join(tmpdir(), 'bench-types-'))
try {
  link(['zod', '@orpc/server', '@trpc/server'], servers)
  link(['duet-runtime', '@types/node', 'ajv'], root)
  run(join(root, 'generator/bin/duet.js'), ['generate', resolve(document), '--out', 'duet/api', '--no-cache'])
  // The peer would fetch URLs in examples.
  const bare = join(scratch, 'document.json')
  const described = withoutExamples(parse(readFileSync(document, 'utf8')))
  writeFileSync(bare, JSON.stringify(described))
  const config = join(scratch, 'hey.config.mjs')
  const plugins = "[{ name: 'zod', metadata: false }]"
  writeFileSync(config, `export default { input: '${bare}', output: 'zod', plugins: ${plugins} }\n`)
  run(join(generators, 'node_modules/@hey-api/openapi-ts/bin/run.js'), ['--file', config, '--silent'])
  const schemas = new Set(
    [...readFileSync(join(scratch, 'zod/zod.gen.ts'), 'utf8').matchAll(/^export const (z\w+) = /gm)].map(
      ([, name = '']) => name,
    ),
  )
  const procedures = operationIds(described).flatMap((id) => procedureOf(id, schemas))
  const projects = [duet(), orpc(procedures), trpc(procedures)]
  /** @type {Map<string, import('../measure/process.mjs').Usage[]>} */
  const usages = new Map(projects.map(({ name }) => [name, []]))
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const { name } of projects) {
      const args = [join(generators, 'node_modules/typescript/bin/tsc'), '-p', name]
      usages.get(name)?.push(usageOf(process.execPath, args, { cwd: scratch, scratch }))
    }
  console.log(`Medians of ${values.rounds} rounds, Node ${process.version}.\n`)
  console.log('| project | operations | CPU s | MB | status |\n| --- | --: | --: | --: | --: |')
  for (const { name, operations } of projects) {
    const runs = usages.get(name) ?? []
    const middle = (/** @type {'cpu' | 'megabytes'} */ of) => median(runs.map((usage) => usage[of]))
    console.log(
      `| ${name} | ${operations} | ${middle('cpu').toFixed(1)} | ${middle('megabytes').toFixed(0)} | ${runs[0]?.status} |`,
    )
  }
} finally {
  if (process.env.KEEP === undefined) rmSync(scratch, { recursive: true })
  else console.log(scratch)
}

/** Handlers of every operation, and a caller that reads the result of each. */
function duet() {
  const operations = readFileSync(join(scratch, 'duet/api/operations.ts'), 'utf8')
  const names = [...operations.matchAll(/^ {2}'?([\w.]+)'?: \{\n {4}params: /gm)].map(([, name = '']) => name)
  return project(
    'duet',
    `import { createApi } from './api/index.js'
import type { Client } from './api/client.js'
import type { Handlers } from './api/handlers.js'
declare const handlers: Handlers<object>
export const api = createApi({ handlers, authenticate: () => ({}) })
declare const client: Client
${names.map((name, index) => `export const r${index} = client.${name}({} as never)`).join('\n')}
`,
    names.length,
  )
}

/** @typedef {{ name: string, input: string, output: string }} Procedure */

/** @param {readonly Procedure[]} procedures */
function orpc(procedures) {
  return project(
    'orpc',
    `import { os, type RouterClient } from '@orpc/server'
import * as z from 'zod'
import * as s from '../zod/zod.gen'
export const router = {
${procedures.map(({ name, input, output }) => `  ${name}: os.input(${input}).output(${output}).handler(() => ({}) as never),`).join('\n')}
}
declare const client: RouterClient<typeof router>
${procedures.map(({ name }, index) => `export const r${index} = client.${name}({} as never)`).join('\n')}
`,
    procedures.length,
  )
}

/** @param {readonly Procedure[]} procedures */
function trpc(procedures) {
  return project(
    'trpc',
    `import { type inferRouterOutputs, initTRPC } from '@trpc/server'
import * as z from 'zod'
import * as s from '../zod/zod.gen'
const t = initTRPC.create()
export const router = t.router({
${procedures.map(({ name, input, output }) => `  ${name}: t.procedure.input(${input}).output(${output}).mutation(() => ({}) as never),`).join('\n')}
})
type Outputs = inferRouterOutputs<typeof router>
${procedures.map(({ name }, index) => `export declare const r${index}: Outputs['${name}']`).join('\n')}
`,
    procedures.length,
  )
}

/** The `operationId` of every operation. @param {any} document @returns {string[]} */
function operationIds({ paths }) {
  return Object.values(paths).flatMap((item) =>
    Object.values(Object(item)).flatMap(({ operationId }) => operationId ?? []),
  )
}

/**
 * A procedure with hey-api's schemas for an operation. @param {string} id @param {ReadonlySet<string>}
 * schemas
 */
function procedureOf(id, schemas) {
  const name = id.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter) => letter.toUpperCase())
  const schema = (/** @type {string} */ part) =>
    schemas.has(`z${name}${part}`) ? `s.z${name}${part}` : undefined
  const parts = ['Path', 'Query', 'Body'].flatMap((part) => {
    const found = schema(part)
    return found === undefined ? [] : [`${part.toLowerCase()}: ${found}`]
  })
  return [{ name, input: `z.object({ ${parts.join(', ')} })`, output: schema('Response') ?? 'z.void()' }]
}

/** @param {string} name @param {string} main @param {number} operations */
function project(name, main, operations) {
  mkdirSync(join(scratch, name), { recursive: true })
  writeFileSync(join(scratch, name, 'main.ts'), main)
  const compilerOptions = {
    ...{ target: 'es2023', module: 'esnext', moduleResolution: 'bundler', strict: true, noEmit: true },
    ...{ skipLibCheck: true, types: ['node'], resolveJsonModule: true },
  }
  writeFileSync(join(scratch, name, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }))
  return { name, operations }
}

/** @param {any} value @returns {any} */
function withoutExamples(value) {
  if (Array.isArray(value)) return value.map(withoutExamples)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(
    ([key, member]) => !(key === 'examples' || (key === 'example' && member?.type === undefined)),
  )
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutExamples(member)]))
}

/**
 * Links a folder's packages into the projects' node_modules. @param {readonly string[]} names @param {string}
 * folder
 */
function link(names, folder) {
  for (const name of names) {
    const target = join(scratch, 'node_modules', name)
    mkdirSync(dirname(target), { recursive: true })
    if (existsSync(join(folder, 'node_modules', name)))
      symlinkSync(join(folder, 'node_modules', name), target)
  }
}

/** @param {string} program @param {readonly string[]} args */
function run(program, args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: scratch,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${program} ended with ${status}:\n${`${stdout}${stderr}`.slice(-2000)}`)
}
