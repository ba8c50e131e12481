import { digestOf, type Store } from './store.js'

/** Values that outlive a run, by keys that describe their inputs. */
export interface Kept<Value> {
  /** The value stored under this key in this run or the previous one. */
  readonly get: (...key: readonly string[]) => Value | undefined
  readonly set: (value: Value, ...key: readonly string[]) => void
}

/** Stores nothing. */
export const noValues = { get: () => undefined, set: () => {} }

/** Converts values with their digests to one text and back. */
export interface Codec<Value> {
  readonly encode: (values: ReadonlyMap<string, Value>) => string
  /** Empty for a text that was not encoded this way. */
  readonly decode: (text: string) => Iterable<readonly [digest: string, Value]>
}

/**
 * Values of one kind and one document, in two files of the store: a large one, and a small one with
 * everything since, so that a small change writes little. When the small one reaches a quarter of the large
 * one, the large one is rewritten without the values that the run has not used. So both only grow with the
 * document.
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

  /** Writes them if there are new ones. */
  save(): void {
    if (this.#changed) this.#known = this.#write(this.#known ?? this.#read())
    this.#used.clear()
    this.#changed = false
  }

  #write({ base, size, added: before }: Known<Value>): Known<Value> {
    if (size > 0) {
      // An existing value may be replaced, if something that it refers to has changed.
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
  /** The content of the large file. */
  readonly base: ReadonlyMap<string, Value>
  /** Length of the large file in characters. */
  readonly size: number
  readonly added: ReadonlyMap<string, Value>
}
