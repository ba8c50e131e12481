import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { displayPath } from '../document/file.js'
import { findConfig } from './config.js'
import { allSpecs } from './specs.js'
import { UsageError } from './usage-error.js'

/**
 * Entry files of a project's documents, relative to `cwd`: those in its config file, else every version under
 * spec/. Throws UsageError if there are none.
 */
export function projectSpecs(cwd: string): string[] {
  const config = findConfig(cwd)
  if (config?.specs === undefined) return allSpecs(cwd)
  const files = config.specs.flatMap((spec, index) => {
    const found = documentsAt(resolve(cwd, spec))
    if (found.length > 0) return found
    throw new UsageError(
      `specs[${index}] in ${config.file}: ${spec} is neither a file nor a folder with an openapi.yaml in it or in its folders.`,
    )
  })
  return [...new Set(files)].map((file) => displayPath(file, cwd))
}

/** A file, or the entry file of a folder, or those of its subfolders, sorted. */
function documentsAt(path: string): string[] {
  const status = statSync(path, { throwIfNoEntry: false })
  if (status?.isFile() === true) return [path]
  if (status?.isDirectory() !== true) return []
  const entry = entryOf(path)
  return entry !== undefined
    ? [entry]
    : readdirSync(path)
        .sort()
        .flatMap((name) => entryOf(join(path, name)) ?? [])
}

function entryOf(folder: string): string | undefined {
  return ['openapi.yaml', 'openapi.yml', 'openapi.json']
    .map((name) => join(folder, name))
    .find((file) => existsSync(file))
}
