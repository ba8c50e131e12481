import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { digestOf } from './store.js'

/**
 * Hash of everything that output depends on, besides the input: duet's own code, the versions of the packages
 * that write parts of the output or report findings, and Node, whose regular expressions decide which
 * patterns are valid.
 */
export function fingerprint(): string {
  known ??= digestOf(process.version, ...writers.map(versionOf), ...ownCode())
  return known
}

let known: string | undefined

const writers = [
  'ajv',
  'ajv-draft-04',
  'ajv-formats',
  'handlebars',
  'jsonc-parser',
  'markdown-it',
  'openapi-typescript',
  'refa',
  'scslre',
  'yaml',
]

/** Paths and texts of duet's modules: the bundled command if it runs from there, else the build or the sources. */
function ownCode(): string[] {
  const folder = new URL('.', import.meta.url)
  const root = fileURLToPath(folder.pathname.endsWith('/cache/') ? new URL('..', folder) : folder)
  const modules = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.[jt]s$/.test(path) && !/(^|[\\/])(dist|node_modules)[\\/]|\.d\.ts$|\.test\.ts$/.test(path),
  )
  return modules.sort().flatMap((path) => [path.split(sep).join('/'), readFileSync(join(root, path), 'utf8')])
}

/** A package's version. If its exports hide the manifest, searches for it above the entry point. */
function versionOf(name: string): string {
  let folder = dirname(createRequire(import.meta.url).resolve(name))
  for (; dirname(folder) !== folder; folder = dirname(folder)) {
    const found = manifestIn(folder)
    if (found?.name === name) return `${name} ${found.version}`
  }
  return name
}

function manifestIn(folder: string): { readonly name?: string; readonly version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch {
    return undefined
  }
}
