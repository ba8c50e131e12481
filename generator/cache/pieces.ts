import type { Json } from '../document/document.js'
import { isObject, parsed } from '../document/json.js'
import { digestOf, type Store } from './store.js'

/** Expensive parts of generated files that outlive a run, by keys that describe their inputs. */
export interface Pieces {
  /** The value stored under this key in this run or the previous one. */
  readonly get: (...key: readonly string[]) => Json | undefined
  readonly set: (value: Json, ...key: readonly string[]) => void
}

/** Stores nothing. */
export const noPieces: Pieces = { get: () => undefined, set: () => {} }

/**
 * The pieces of one document, in two files of the store: a large one, and a small one with everything since, so
 * that a small change writes little. When the small one reaches a quarter of the large one, the large one is
 * rewritten without the pieces that the run has not used. So both only grow with the document.
 */
export class StoredPieces implements Pieces {
  readonly #store: Store
  readonly #name: string
  readonly #used = new Map<string, Json>()
  #known: StoredTexts | undefined
  #changed = false

  /** @param key distinguishes this document, and this build of duet, from others */
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

  /** Writes them if there are new ones. */
  save(): void {
    if (this.#changed) this.#known = this.#write(this.#known ?? this.#read())
    this.#used.clear()
    this.#changed = false
  }

  #write({ base, size, added: before }: StoredTexts): StoredTexts {
    if (size > 0) {
      // An existing piece may be replaced, if something that it refers to has changed.
      const added = new Map([...this.#used].filter(([digest, value]) => base.get(digest) !== value))
      const text = encoded(added)
      if (text.length <= size / 4) {
        this.#store.write(this.#addedName, text)
        return { base, size, added }
      }
    }
    const all = encoded(this.#used)
    this.#store.write(this.#name, all)
    if (before.size > 0) this.#store.write(this.#addedName, '')
    return { base: new Map(this.#used), size: all.length, added: new Map() }
  }

  #read(): StoredTexts {
    const text = this.#store.read(this.#name) ?? ''
    return { base: decoded(text), size: text.length, added: decoded(this.#store.read(this.#addedName) ?? '') }
  }

  get #addedName(): string {
    return `${this.#name}-added`
  }
}

/** The content of both files. */
interface StoredTexts {
  /** The content of the large file. */
  readonly base: ReadonlyMap<string, Json>
  /** Length of the large file in characters. */
  readonly size: number
  readonly added: ReadonlyMap<string, Json>
}

/** In ASCII: one other character doubles the memory and the time that the whole text takes to read. */
function encoded(pieces: ReadonlyMap<string, Json>): string {
  return JSON.stringify(Object.fromEntries(pieces)).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Empty for a text of another format. */
function decoded(text: string): ReadonlyMap<string, Json> {
  const value = parsed(text)
  return new Map(isObject(value) ? Object.entries(value) : [])
}
