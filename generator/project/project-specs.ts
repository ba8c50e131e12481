import { resolve } from 'node:path'
import { displayPath } from '../document/file.js'
import { findConfig } from './config.js'
import { allSpecs, documentsAt, namedSpecs } from './specs.js'
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

/** Entry files of documents that a command names: files, or versions of the project. Throws UsageError. */
export function commandSpecs(specs: readonly string[], cwd: string): string[] {
  return namedSpecs(specs, cwd, () => {
    const { specs: listed = [] } = findConfig(cwd) ?? {}
    return listed.flatMap((spec) => documentsAt(resolve(cwd, spec)))
  })
}
