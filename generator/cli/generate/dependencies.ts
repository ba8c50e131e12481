import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { contentDigest } from '../../cache/store.js'
import { isRemote } from '../../load/remote.js'
import { configNames, findConfig } from '../../project/config.js'
import { importsOf, modulesFrom } from '../../project/modules/imported-modules.js'
import { projectSpecs } from '../../project/project-specs.js'
import { UsageError } from '../../project/usage-error.js'
import type { Request } from './generation.js'

/** The files that the output depends on. */
export interface Dependencies {
  /** Absolute paths with the digests of their content. Empty for a missing file. */
  readonly files: ReadonlyMap<string, string>
  /** The folders of these files, and those in which new ones may appear. */
  readonly folders: ReadonlySet<string>
}

/**
 * The files that the output of a request depends on, as they are now.
 *
 * @param inputs paths of the documents' files as the last run read them, relative to `cwd`
 */
export function dependenciesOf(request: Request, cwd: string, inputs: Iterable<string>): Dependencies {
  const local = Array.from(inputs).filter((path) => !isRemote(path))
  const { documents, others, folders } = namedFiles(request, cwd)
  const configs = configNames.flatMap((name) => [join(cwd, name), ...importsOf(join(cwd, name))])
  const paths = [...configs, ...others, ...documents]
  for (const path of local) paths.push(resolve(cwd, path))
  const files = new Map(paths.map((path) => [path, digestOf(path)]))
  return { files, folders: new Set([...folders, ...paths.map((path) => dirname(path))]) }
}

/** The files that differ, sorted. */
export function changedFiles(before: Dependencies, after: Dependencies): string[] {
  const paths = new Set([...before.files.keys(), ...after.files.keys()])
  return [...paths].filter((path) => (before.files.get(path) ?? '') !== (after.files.get(path) ?? '')).sort()
}

/** The files that the request and the config file name. An invalid config file names none. */
function namedFiles(request: Request, cwd: string) {
  const found = { documents: [] as string[], others: [] as string[], folders: [] as string[] }
  for (const spec of request.specs) {
    const path = resolve(cwd, spec)
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) found.documents.push(path)
    else found.folders.push(join(cwd, 'spec', spec))
  }
  try {
    const config = findConfig(cwd)
    for (const { use } of config?.emitters ?? [])
      if (typeof use === 'string' && (/^\.{0,2}\//.test(use) || existsSync(resolve(cwd, use))))
        found.others.push(...modulesFrom(resolve(cwd, use)))
    if (config?.templates !== undefined) {
      const folders = foldersBelow(resolve(cwd, config.templates))
      found.folders.push(...folders)
      found.others.push(...folders.flatMap(filesIn))
    }
    if (request.specs.length === 0) {
      for (const spec of config?.specs ?? ['spec']) {
        const path = resolve(cwd, spec)
        if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
          found.folders.push(path, ...childFolders(path))
      }
      found.documents.push(...projectSpecs(cwd).map((file) => resolve(cwd, file)))
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
  }
  return found
}

function digestOf(path: string): string {
  try {
    return contentDigest(readFileSync(path))
  } catch {
    return ''
  }
}

function foldersBelow(folder: string): string[] {
  return [folder, ...childFolders(folder).flatMap(foldersBelow)]
}

function childFolders(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => (entry.isDirectory() ? [join(folder, entry.name)] : []))
}

function filesIn(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => (entry.isFile() ? [join(folder, entry.name)] : []))
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
