import type { Json } from '../document/document.js'
import { isArray, isObject } from '../document/json.js'
import { digestOf, type Store } from './store.js'
import { type Codec, type Kept, noValues, StoredValues } from './stored-values.js'

/** Expensive parts of generated files, stored between runs by their inputs. */
export interface Pieces extends Kept<Json> {
  /** Whole files. */
  readonly texts: Kept<string>
}

/** Stores nothing. */
export const noPieces: Pieces = { ...noValues, texts: noValues }

/** The pieces of one document. */
export class StoredPieces implements Pieces {
  readonly #values: StoredValues<Json>
  readonly texts: StoredValues<string>

  /** @param key distinguishes this document, and this build of duet, from others */
  constructor(store: Store, ...key: readonly string[]) {
    this.#values = new StoredValues(store, `pieces-${digestOf(...key)}`, json)
    this.texts = new StoredValues(store, `texts-${digestOf(...key)}`, plain)
  }

  get(...key: readonly string[]): Json | undefined {
    return this.#values.get(...key)
  }

  set(value: Json, ...key: readonly string[]): void {
    this.#values.set(value, ...key)
  }

  /** Writes them if there are new ones. */
  save(): void {
    this.#values.save()
    this.texts.save()
  }
}

const json: Codec<Json> = {
  encode: (values) => JSON.stringify(Object.fromEntries(values)),
  decode: (text) => {
    const value = parsed(text)
    return isObject(value) ? Object.entries(value) : []
  },
}

/** A line of digests and lengths, then the plain texts: parsing tens of megabytes as JSON would take long. */
const plain: Codec<string> = {
  encode: (values) => {
    const sizes = Array.from(values, ([digest, { length }]) => [digest, length])
    return [`${JSON.stringify(sizes)}\n`, ...values.values()].join('')
  },
  decode: (text) => {
    let end = text.indexOf('\n') + 1
    const sizes = parsed(text.slice(0, end))
    // The store only returns whole texts, so if it is an array, it is one of sizes.
    return (isArray(sizes) ? (sizes as [string, number][]) : []).map(([digest, length]) => {
      const start = end
      end += length
      return [digest, text.slice(start, end)]
    })
  },
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
