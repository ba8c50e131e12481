import type { Json, Position } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { decodePercent, parsePointer, valueAt } from '../document/pointer.js'
import type { Source } from './source.js'

/** Where a part of the bundled document comes from. */
export interface Origin {
  readonly source: Source
  readonly segments: readonly string[]
}

/**
 * Maps the bundled document to its files. Has entries only for parts that moved; the position of everything
 * else follows from the nearest entry above it.
 */
export class Origins {
  readonly #entry: Source
  readonly #moved = new WeakMap<object, Origin>()

  constructor(entry: Source) {
    this.#entry = entry
  }

  /** Records where a value comes from. Scalars are found through the object or array that contains them. */
  set(value: Json, origin: Origin): void {
    if (typeof value === 'object' && value !== null) this.#moved.set(value, origin)
  }

  has(value: Json): boolean {
    return typeof value === 'object' && value !== null && this.#moved.has(value)
  }

  /** The origin of a path in the bundled document. The path need not exist in full. */
  of(segments: readonly string[]): Origin {
    let origin: Origin = { source: this.#entry, segments: [] }
    let below = 0
    let value: Json | undefined = this.#entry.value
    for (const [index, segment] of segments.entries()) {
      value = isArray(value) ? value[Number(segment)] : isObject(value) ? own(value, segment) : undefined
      const moved = typeof value === 'object' && value !== null ? this.#moved.get(value) : undefined
      if (moved === undefined) continue
      origin = moved
      below = index + 1
    }
    return { source: origin.source, segments: [...origin.segments, ...segments.slice(below)] }
  }

  /** Position of a JSON pointer in the bundled document, or of its nearest ancestor that has one. */
  locate(pointer: string): Position {
    const { source, segments } = this.of(this.#segments(pointer))
    return source.locate(segments)
  }

  #segments(pointer: string): string[] {
    const plain = parsePointer(pointer) ?? []
    if (!pointer.includes('%') || valueAt(this.#entry.value, plain) !== undefined) return plain
    return parsePointer(decodePercent(pointer)) ?? plain
  }
}
