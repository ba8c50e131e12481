import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contentDigest, digestOf } from './store.js'

/**
 * Hash of everything that output depends on, besides the input: duet's own code and templates, the versions of the
 * packages that write parts of the output or report findings, and Node, whose regular expressions decide which patterns
 * are valid.
 */
export function fingerprint(): string {
  known ??= digestOf(process.version, ...writers.map(versionOf), ...ownCode(ownFolder()), ...ownTemplates())
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

/** The folder of the bundled command if duet runs from there, else of the build or the sources. */
function ownFolder(): string {
  const folder = new URL('.', import.meta.url)
  return fileURLToPath(folder.pathname.endsWith('/cache/') ? new URL('..', folder) : folder)
}

/** Paths and digests of the modules in a folder. V8's code of a bundle does not count. */
export function ownCode(root: string): string[] {
  return digestsIn(
    root,
    (path) =>
      /\.c?[jt]s$/.test(path) &&
      !/(^|[\\/])(compiled|dist|node_modules)[\\/]|\.d\.ts$|\.test\.ts$/.test(path),
  )
}

function digestsIn(root: string, isCounted: (path: string) => boolean): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(isCounted)
    .sort()
    .flatMap((path) => [path.split(sep).join('/'), contentDigest(readFileSync(join(root, path)))])
}

/** Paths and digests of the templates and assets of duet-templates, whatever they are called. */
export function ownTemplates(
  root = dirname(createRequire(import.meta.url).resolve('duet-templates/package.json')),
): string[] {
  // The reference adds the digest of what is compiled.
  return digestsIn(
    root,
    (path) => /\.\w+$/.test(path) && !/(^|[\\/])(dist|node_modules|pictures|script)[\\/]/.test(path),
  )
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
