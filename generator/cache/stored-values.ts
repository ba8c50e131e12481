import { digestOf, type Store } from './store.js'

/** Values that outlive a run, by the words that say what they are made from. */
export interface Kept<Value> {
  /** What was kept under these words in the last run or in this one. */
  readonly get: (...key: readonly string[]) => Value | undefined
  readonly set: (value: Value, ...key: readonly string[]) => void
}

/** Keeps nothing. */
export const noValues = { get: () => undefined, set: () => {} }

/** How values by their digests are one text. */
export interface Codec<Value> {
  readonly encode: (values: ReadonlyMap<string, Value>) => string
  /** None for a text that nothing was encoded as. */
  readonly decode: (text: string) => Iterable<readonly [digest: string, Value]>
}

/**
 * Values of one kind and one document, in two files of the store: a large one, and beside it what is new since that was
 * written, so that a small change writes little. What a run has not asked for is not in the large one when it is
 * written anew, which is when the new ones come to a quarter of it: both grow with the document alone.
 */
export class StoredValues<Value> implements Kept<Value> {
  readonly #store: Store
  readonly #name: string
  readonly #codec: Codec<Value>
  readonly #used = new Map<string, Value>()
  #known: Known<Value> | undefined
  #changed = false

  constructor(store: Store, name: string, codec: Codec<Value>) {
    this.#store = store
    this.#name = name
    this.#codec = codec
  }

  get(...key: readonly string[]): Value | undefined {
    const digest = digestOf(...key)
    this.#known ??= this.#read()
    const { base, added } = this.#known
    const value = this.#used.get(digest) ?? added.get(digest) ?? base.get(digest)
    if (value !== undefined) this.#used.set(digest, value)
    return value
  }

  set(value: Value, ...key: readonly string[]): void {
    this.#used.set(digestOf(...key), value)
    this.#changed = true
  }

  /** Writes them where there are new ones. */
  save(): void {
    if (this.#changed) this.#known = this.#write(this.#known ?? this.#read())
    this.#used.clear()
    this.#changed = false
  }

  #write({ base, size, added: before }: Known<Value>): Known<Value> {
    if (size > 0) {
      // One that is there may have been made anew, where what it referred to was another.
      const added = new Map([...this.#used].filter(([digest, value]) => base.get(digest) !== value))
      const text = this.#codec.encode(added)
      if (text.length <= size / 4) {
        this.#store.write(this.#addedName, text)
        return { base, size, added }
      }
    }
    const all = this.#codec.encode(this.#used)
    this.#store.write(this.#name, all)
    if (before.size > 0) this.#store.write(this.#addedName, '')
    return { base: new Map(this.#used), size: all.length, added: new Map() }
  }

  #read(): Known<Value> {
    const text = this.#store.read(this.#name) ?? ''
    return {
      base: new Map(this.#codec.decode(text)),
      size: text.length,
      added: new Map(this.#codec.decode(this.#store.read(this.#addedName) ?? '')),
    }
  }

  get #addedName(): string {
    return `${this.#name}-added`
  }
}

interface Known<Value> {
  /** What the large file holds. */
  readonly base: ReadonlyMap<string, Value>
  /** Characters of the large file. */
  readonly size: number
  readonly added: ReadonlyMap<string, Value>
}
