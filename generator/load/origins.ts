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
  /** By holder and key. */
  readonly #members = new WeakMap<object, Map<string, Origin>>()

  constructor(entry: Source) {
    this.#entry = entry
  }

  /** Records where a value comes from. Scalars are found through the object or array that contains them. */
  set(value: Json, origin: Origin): void {
    if (typeof value === 'object' && value !== null) this.#moved.set(value, origin)
  }

  /** Records where a member comes from, even a scalar, or what removed it. */
  setMember(holder: object, key: string, origin: Origin): void {
    const known = this.#members.get(holder) ?? new Map<string, Origin>()
    this.#members.set(holder, known.set(key, origin))
  }

  /** The items of a list have other indexes now. */
  forgetItems(list: object): void {
    this.#members.delete(list)
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
      const member =
        typeof value === 'object' && value !== null ? this.#members.get(value)?.get(segment) : undefined
      value = isArray(value) ? value[Number(segment)] : isObject(value) ? own(value, segment) : undefined
      const moved = typeof value === 'object' && value !== null ? this.#moved.get(value) : undefined
      const known = moved ?? member
      if (known === undefined) continue
      origin = known
      below = index + 1
    }
    return { source: origin.source, segments: [...origin.segments, ...segments.slice(below)] }
  }

  /** What removed the first part of a path that is missing. Undefined if it was never there. */
  removerOf(segments: readonly string[]): Origin | undefined {
    let value: Json | undefined = this.#entry.value
    for (const segment of segments) {
      const below: Json | undefined = isArray(value)
        ? value[Number(segment)]
        : isObject(value)
          ? own(value, segment)
          : undefined
      if (below === undefined && typeof value === 'object' && value !== null)
        return this.#members.get(value)?.get(segment)
      value = below
    }
    return undefined
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
