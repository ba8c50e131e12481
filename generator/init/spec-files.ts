import { posix } from 'node:path'
import type { InputFile } from '../document/document.js'
import { isRemote } from '../load/remote.js'

/**
 * The paths of a document's files in a new project: the entry file as `spec/<version>/openapi.yaml`, the
 * others next to it with the same relative paths. The entry file keeps its name if others may refer to it. A
 * string is the reason why this is impossible.
 *
 * @param files every file that was read, the entry file first
 */
export function placeSpec(
  files: readonly InputFile[],
  version: string,
): { readonly entry: string; readonly files: ReadonlyMap<string, string> } | string {
  // Remote files stay remote: references to them are addresses.
  const [first, ...others] = files.filter(({ path }) => !isRemote(path))
  if (first === undefined) return 'there is no such document'
  const folder = posix.dirname(first.path)
  const extension = /\.(?:ya?ml|json)$/.exec(first.path)?.[0] ?? '.yaml'
  const entry = others.length > 0 ? posix.basename(first.path) : `openapi${extension}`
  const placed = new Map([[`spec/${version}/${entry}`, first.text]])
  for (const { path, text } of others) {
    const inner = posix.relative(folder, path)
    if (inner.startsWith('..')) return `${path} is outside its folder. Move it there`
    placed.set(`spec/${version}/${inner}`, text)
  }
  return { entry, files: placed }
}

/** The path in a new project of a file that was read with the entry file. */
export function placeOf(path: string, entryFile: string, version: string): string {
  return `spec/${version}/${posix.relative(posix.dirname(entryFile), posix.normalize(path))}`
}
