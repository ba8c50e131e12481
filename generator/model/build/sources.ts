import { type Cursor, compareText, member, members, rootCursor } from '../../document/cursor.js'
import type { Document, Position } from '../../document/document.js'
import type { Source } from '../model.js'

/** The positions of those members of an object that are in `known`. */
export function originsOf(
  document: Document,
  path: readonly string[],
  known: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, Source> {
  const start: Cursor | undefined = rootCursor(document)
  const holder = path.reduce((at: Cursor | undefined, key) => at && member(at, key), start)
  const found = members(holder).filter(({ key }) => known.has(key))
  return sortedMap(found.map(({ key, pointer }) => [key, sourceAt(document, pointer)]))
}

/** Looks up the line on first use: a comparison only shows those of changes. */
export function sourceAt(document: Document, pointer: string): Source {
  let position: Position | undefined
  const at = (): Position => {
    position ??= document.locate(pointer)
    return position
  }
  return {
    pointer,
    get file() {
      return at().file
    },
    get line() {
      return at().line
    },
    get column() {
      return at().column
    },
  }
}

export function sortedMap<T>(entries: Iterable<readonly [string, T]>): ReadonlyMap<string, T> {
  return new Map([...entries].sort(([a], [b]) => compareText(a, b)))
}
