import { escaped } from '../document/pointer.js'

/** A position in a value. */
export interface ValuePosition {
  /** JSON pointer: `#/items/0`. */
  readonly pointer: string
  /** Keys from the root down. */
  readonly depth: number
}

export const root: ValuePosition = { pointer: '#', depth: 0 }

/** The position of a member or element. */
export function inside({ pointer, depth }: ValuePosition, key: string): ValuePosition {
  return { pointer: `${pointer}/${escaped(key)}`, depth: depth + 1 }
}

/** A JSON pointer and those of all ancestors. */
export function around(pointer: string): string[] {
  const found = [pointer]
  for (let end = pointer.lastIndexOf('/'); end > 0; end = pointer.lastIndexOf('/', end - 1)) {
    found.push(pointer.slice(0, end))
  }
  return found
}
