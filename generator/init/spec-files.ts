import { basename, dirname, resolve } from 'node:path'
import type { InputFile } from '../document/document.js'
import { displayPath } from '../document/file.js'
import { isRemote } from '../load/remote.js'

/** The positions of a document's files in a new project. */
export interface PlacedSpec {
  /** Path of the entry file in its version's folder. */
  readonly entry: string
  /** Texts by path in the project, the entry file first. */
  readonly files: ReadonlyMap<string, string>
  /** The path in the project of a file that was read. */
  readonly placeOf: (path: string) => string
}

/**
 * Copies the local files of a document to `spec/<version>/`, which represents the deepest folder that contains
 * all of them. A document of one file becomes `openapi.yaml`; else the files keep their names, since they refer
 * to each other.
 *
 * @param files every file that was read, the entry file first; remote ones stay remote
 * @param cwd absolute path of the folder that their paths start from
 */
export function placeSpec(files: readonly InputFile[], version: string, cwd: string): PlacedSpec {
  const local = files.filter(({ path }) => !isRemote(path))
  const folder = local.map(({ path }) => dirname(resolve(cwd, path))).reduce(commonFolder)
  const placeOf = (path: string): string => {
    const inner = displayPath(resolve(cwd, path), folder)
    const extension = /\.(?:ya?ml|json)$/.exec(basename(path))?.[0] ?? '.yaml'
    return `spec/${version}/${local.length > 1 ? inner : `openapi${extension}`}`
  }
  const placed = new Map(local.map(({ path, text }) => [placeOf(path), text]))
  const [entry = ''] = placed.keys()
  return { entry: entry.slice(`spec/${version}/`.length), files: placed, placeOf }
}

/** The deepest folder that contains both. */
function commonFolder(one: string, other: string): string {
  let folder = one
  while (/^\.\.(?:\/|$)/.test(displayPath(other, folder)) && dirname(folder) !== folder)
    folder = dirname(folder)
  return folder
}
