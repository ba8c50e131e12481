import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { displayPath } from '../document/file.js'
import { UsageError } from './usage-error.js'

const names = ['openapi.yaml', 'openapi.yml', 'openapi.json']

/**
 * Entry files of the named documents, relative to `cwd`: files, or versions, which are folders under spec/ or of
 * documents that the config file lists. Throws UsageError.
 *
 * @param listed the documents of the config file, asked for only if a name is neither a file nor under spec/
 */
export function namedSpecs(
  specs: readonly string[],
  cwd: string,
  listed: () => readonly string[] = () => [],
): string[] {
  const files = specs.map((spec) => {
    const path = isFile(resolve(cwd, spec)) ? resolve(cwd, spec) : entryOf(resolve(cwd, 'spec', spec))
    if (path !== undefined) return displayPath(path, cwd)
    const [configured, ...others] = listed().filter((file) => versionOf(file) === spec)
    if (configured !== undefined && others.length === 0) return displayPath(configured, cwd)
    const known = [...new Set([...versions(cwd), ...listed().map(versionOf)])].sort()
    const hint =
      known.length > 0 ? ` Versions there: ${known.join(', ')}.` : ' Name the file of an OpenAPI document.'
    const isFolder = statSync(resolve(cwd, spec), { throwIfNoEntry: false })?.isDirectory() === true
    const fault = isFolder ? 'is a folder' : 'is neither a file nor a version under spec/'
    throw new UsageError(`${spec} ${fault}.${hint}`)
  })
  return [...new Set(files)]
}

function versionOf(file: string): string {
  return basename(dirname(file))
}

/** A file, or the entry file of a folder, or those of its subfolders, sorted. */
export function documentsAt(path: string): string[] {
  const entry = isFile(path) ? path : entryOf(path)
  if (entry !== undefined) return [entry]
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return []
  return readdirSync(path)
    .sort()
    .flatMap((name) => entryOf(join(path, name)) ?? [])
}

/** Entry files of every version under spec/, sorted. Throws UsageError if there are none. */
export function allSpecs(cwd: string): string[] {
  const files = versions(cwd).flatMap((version) => entryOf(join(cwd, 'spec', version)) ?? [])
  if (files.length > 0) return files.map((file) => displayPath(file, cwd))
  throw new UsageError(
    'There is no spec/*/openapi.yaml here. Name a document, or run duet in the project folder.',
  )
}

function versions(cwd: string): string[] {
  const folder = join(cwd, 'spec')
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return []
  return readdirSync(folder)
    .filter((name) => entryOf(join(folder, name)) !== undefined)
    .sort()
}

function entryOf(folder: string): string | undefined {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined
  return names.map((name) => join(folder, name)).find(isFile)
}

/** Whether a file exists. A path below a file does not. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}
