import type { Json } from '../load/document.js'
import { isObject } from '../load/json.js'
import { digestOf, type Store } from './store.js'

/** Parts of generated files that cost much to make, kept from run to run by what they are made from. */
export interface Pieces {
  /** What was kept under these words in the last run or in this one. */
  readonly get: (...key: readonly string[]) => Json | undefined
  readonly set: (value: Json, ...key: readonly string[]) => void
}

/** Keeps nothing. */
export const noPieces: Pieces = { get: () => undefined, set: () => {} }

/**
 * The pieces of one document, in two files of the store: a large one, and beside it what is new since that was
 * written, so that a small change writes little. What a run has not asked for is not in the large one when it is
 * written anew, which is when the new ones come to a quarter of it: both grow with the document alone.
 */
export class StoredPieces implements Pieces {
  readonly #store: Store
  readonly #name: string
  readonly #used = new Map<string, Json>()
  #known: Known | undefined
  #changed = false

  /** @param key what tells one document, and one build of duet, from the others */
  constructor(store: Store, ...key: readonly string[]) {
    this.#store = store
    this.#name = `pieces-${digestOf(...key)}`
  }

  get(...key: readonly string[]): Json | undefined {
    const digest = digestOf(...key)
    this.#known ??= this.#read()
    const { base, added } = this.#known
    const value = this.#used.get(digest) ?? added.get(digest) ?? base.get(digest)
    if (value !== undefined) this.#used.set(digest, value)
    return value
  }

  set(value: Json, ...key: readonly string[]): void {
    this.#used.set(digestOf(...key), value)
    this.#changed = true
  }

  /** Writes them where there are new ones. */
  save(): void {
    if (this.#changed) this.#known = this.#write(this.#known ?? this.#read())
    this.#used.clear()
    this.#changed = false
  }

  #write({ base, size, added: before }: Known): Known {
    // One that is there may have been made anew, where what it referred to was another.
    const added = new Map([...this.#used].filter(([digest, value]) => base.get(digest) !== value))
    const text = JSON.stringify(Object.fromEntries(added))
    if (text.length <= size / 4) {
      this.#store.write(this.#addedName, text)
      return { base, size, added }
    }
    const all = JSON.stringify(Object.fromEntries(this.#used))
    this.#store.write(this.#name, all)
    if (before.size > 0) this.#store.write(this.#addedName, '')
    return { base: new Map(this.#used), size: all.length, added: new Map() }
  }

  #read(): Known {
    const text = this.#store.read(this.#name) ?? ''
    return {
      base: entriesOf(text),
      size: text.length,
      added: entriesOf(this.#store.read(this.#addedName) ?? ''),
    }
  }

  get #addedName(): string {
    return `${this.#name}-added`
  }
}

interface Known {
  /** What the large file holds. */
  readonly base: ReadonlyMap<string, Json>
  /** Characters of the large file. */
  readonly size: number
  readonly added: ReadonlyMap<string, Json>
}

/** The members of an object as text; none of any other text. */
function entriesOf(text: string): ReadonlyMap<string, Json> {
  try {
    const value: unknown = JSON.parse(text)
    return new Map(isObject(value) ? Object.entries(value) : [])
  } catch {
    return new Map()
  }
}
