import type { Json } from '../load/document.js'
import { isObject } from '../load/json.js'
import { digestOf, readJson, type Store } from './store.js'

/** Parts of generated files that cost much to make, kept from run to run by what they are made from. */
export interface Pieces {
  /** What was kept under these words in the last run or in this one. */
  readonly get: (...key: readonly string[]) => Json | undefined
  readonly set: (value: Json, ...key: readonly string[]) => void
}

/** Keeps nothing. */
export const noPieces: Pieces = { get: () => undefined, set: () => {} }

/**
 * The pieces of one document, in one file of the store. What a run has not asked for is not in it afterwards, so
 * that it grows with the document alone.
 */
export class StoredPieces implements Pieces {
  readonly #store: Store
  readonly #name: string
  readonly #used = new Map<string, Json>()
  #known: ReadonlyMap<string, Json> | undefined
  #changed = false

  /** @param key what tells one document, and one build of duet, from the others */
  constructor(store: Store, ...key: readonly string[]) {
    this.#store = store
    this.#name = `pieces-${digestOf(...key)}`
  }

  get(...key: readonly string[]): Json | undefined {
    const digest = digestOf(...key)
    this.#known ??= this.#read()
    const value = this.#used.get(digest) ?? this.#known.get(digest)
    if (value !== undefined) this.#used.set(digest, value)
    return value
  }

  set(value: Json, ...key: readonly string[]): void {
    this.#used.set(digestOf(...key), value)
    this.#changed = true
  }

  /** Writes them where there are new ones. */
  save(): void {
    if (this.#changed) this.#store.write(this.#name, JSON.stringify(Object.fromEntries(this.#used)))
    this.#known = new Map(this.#used)
    this.#used.clear()
    this.#changed = false
  }

  #read(): ReadonlyMap<string, Json> {
    const value = readJson(this.#store, this.#name)
    return new Map(isObject(value) ? Object.entries(value) : [])
  }
}
