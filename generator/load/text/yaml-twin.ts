import type { Json, JsonObject } from '../../document/document.js'
import { isObject } from '../../document/json.js'
import { dash, hash, type Moved, type Places, space } from './yaml-scanner.js'

/** What was read of a text. A similar text takes the parts that it has in common with it, so it serves once. */
export interface Twin {
  readonly text: string
  readonly value: Json
  readonly places: Places
}

/** A part that two texts have in common. */
export interface Common {
  readonly value: Json
  /** The places in it, if it is a collection. */
  readonly places: Moved | undefined
  /** Where the next key begins in the later text. */
  readonly end: number
}

/**
 * A block map of an earlier text, whose members a later text may have in the same words. Two versions of a document
 * differ in few of their paths and components.
 */
export class TwinMap {
  /** Where each key is in `places`. */
  readonly #at = new Map<string, number>()

  private constructor(
    private readonly earlier: string,
    private readonly value: JsonObject,
    private readonly places: Places,
    private readonly text: string,
    /** Where the map begins in the later text. */
    readonly start: number,
    private readonly depth: number,
  ) {
    for (let at = 0; at < places.length; at += 3) this.#at.set(String(places[at]), at)
  }

  /** The map of the whole text. */
  static of({ text: earlier, value, places }: Twin, text: string): TwinMap | undefined {
    return TwinMap.#make([earlier, 0, value, places], [text, 0], 1)
  }

  /** The map behind a key that begins at `start`, unless it is too deep to be worth it. */
  inner(key: string, start: number): TwinMap | undefined {
    const at = this.#at.get(key)
    if (at === undefined || this.depth === deepest) return undefined
    const [from, places] = [this.places[at + 1] as number, this.places[at + 2]]
    if (!Array.isArray(places)) return undefined
    return TwinMap.#make(
      [this.earlier, from, this.value[key] ?? null, places],
      [this.text, start],
      this.depth + 1,
    )
  }

  /** What is behind a key that begins at `start`, if both texts are the same up to the next key of this map. */
  common(key: string, start: number): Common | undefined {
    const at = this.#at.get(key)
    if (at === undefined) return undefined
    const [, from, places, , to] = this.places.slice(at, at + 5)
    if (typeof from !== 'number' || typeof to !== 'number') return undefined
    const end = start + to - from
    // Other characters may continue the value.
    const next = this.text.charCodeAt(end)
    if (!(next > space) || next === hash || next === dash) return undefined
    if (this.text.slice(start, end) !== this.earlier.slice(from, to)) return undefined
    const moved = Array.isArray(places) ? { by: start - from, places } : undefined
    return { value: this.value[key] ?? null, places: moved, end }
  }

  /** If all that is before the first key is the same in both texts, then both have a block map there, or neither. */
  static #make(
    [earlier, from, value, places]: readonly [string, number, Json, Places],
    [text, start]: readonly [string, number],
    depth: number,
  ): TwinMap | undefined {
    const [key, first] = places
    if (typeof key !== 'string' || typeof first !== 'number' || !isObject(value)) return undefined
    const begin = start + first - from
    if (text.slice(start, begin) !== earlier.slice(from, first)) return undefined
    return new TwinMap(earlier, value, places, text, begin, depth)
  }
}

/** The members of these maps are the operations and components of a document. */
const deepest = 3
