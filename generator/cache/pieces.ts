import type { Json } from '../document/document.js'
import { isArray, isObject } from '../document/json.js'
import { digestOf, type Store } from './store.js'
import { type Codec, type Kept, noValues, StoredValues } from './stored-values.js'

/** Parts of generated files that cost much to make, kept from run to run by what they are made from. */
export interface Pieces extends Kept<Json> {
  /** Whole files. */
  readonly texts: Kept<string>
}

/** Keeps nothing. */
export const noPieces: Pieces = { ...noValues, texts: noValues }

/** The pieces of one document. */
export class StoredPieces implements Pieces {
  readonly #values: StoredValues<Json>
  readonly texts: StoredValues<string>

  /** @param key what tells one document, and one build of duet, from the others */
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

  /** Writes them where there are new ones. */
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

/** A line of digests and lengths, then the texts as they are: to read tens of megabytes as JSON takes long. */
const plain: Codec<string> = {
  encode: (values) => {
    const sizes = Array.from(values, ([digest, { length }]) => [digest, length])
    return [`${JSON.stringify(sizes)}\n`, ...values.values()].join('')
  },
  decode: (text) => {
    let end = text.indexOf('\n') + 1
    const sizes = parsed(text.slice(0, end))
    // The store answers whole texts alone, so that what is a list is one of sizes.
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
