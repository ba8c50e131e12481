import type { Pieces } from '../cache/pieces.js'
import { contentDigest } from '../cache/store.js'
import type { Json } from '../load/document.js'
import { isArray, isObject } from '../load/json.js'
import type { Schema } from '../model/model.js'
import { referenceTo } from '../model/schema.js'
import type { Paragraph } from './literal.js'
import { printTypes } from './type-thread.js'

/** A schema as openapi-typescript gets it, by the name of its type. */
export interface PreparedType {
  readonly name: string
  readonly prepared: Schema
  /** The schema as JSON. */
  readonly json: string
  /** What is to be said of the property that each schema within it is of. */
  readonly docs: ReadonlyMap<object, readonly Paragraph[]>
  /** Set where the type is printed as another's name. */
  readonly alias?: object
}

/** A type's text. */
export interface PrintedType {
  /** Lines between the braces of an interface; absent for other types. */
  readonly members?: readonly string[]
  readonly text: string
  /** Whether it names the type WithRequired. */
  readonly withRequired: boolean
  /** Types whose schemas it was asked for. */
  readonly resolved: readonly string[]
}

/**
 * Begins to print types, each of them anew only where what it is made from has changed. Aliases are left out. What
 * is printed anew is printed in a thread of its own; `finish` waits for it.
 */
export function beginPrinting<Type extends PreparedType>(
  types: readonly Type[],
  pieces: Pieces,
): { readonly finish: () => Promise<ReadonlyMap<Type, PrintedType>> } {
  const prepared = new PreparedSchemas(types)
  const printed = new Map<Type, PrintedType>()
  const others: { readonly type: Type; readonly key: string }[] = []
  for (const type of types) {
    if (type.alias !== undefined) continue
    const key = JSON.stringify([type.name, [...type.docs.values()]]) + type.json
    const kept = readKept(pieces.get('type', key), prepared)
    if (kept === undefined) others.push({ type, key })
    else printed.set(type, kept)
  }
  if (others.length === 0) return { finish: async () => printed }
  const wanted = others.map(({ type: { name, prepared, json, docs } }) => ({ name, prepared, json, docs }))
  const printing = printTypes({ schemas: prepared.reachedFrom(wanted), types: wanted })
  // Whoever waits for it is told of a failure; until then nobody is.
  printing.catch(() => {})
  const finish = async () => {
    for (const [index, made] of (await printing).entries()) {
      const other = others[index]
      if (other === undefined) continue
      printed.set(other.type, made)
      const { members = null, resolved, ...more } = made
      const targets = resolved.map((reference) => [reference, prepared.digestOf(reference)])
      pieces.set({ ...more, members, targets }, 'type', other.key)
    }
    return printed
  }
  return { finish }
}

/** The schemas of types by the references to them. */
class PreparedSchemas {
  readonly #schemas: ReadonlyMap<string, Schema>
  readonly #texts: ReadonlyMap<string, string>
  readonly #digests = new Map<string, string>()

  constructor(types: readonly PreparedType[]) {
    this.#schemas = new Map(types.map((type) => [referenceTo(type.name), type.prepared]))
    this.#texts = new Map(types.map((type) => [referenceTo(type.name), type.json]))
  }

  /** The schema as JSON; empty where there is none. */
  textOf(reference: string): string {
    return this.#texts.get(reference) ?? ''
  }

  digestOf(reference: string): string {
    const known = this.#digests.get(reference) ?? contentDigest(this.textOf(reference))
    this.#digests.set(reference, known)
    return known
  }

  /** The schemas that types lead to by references, and more where a text looks like one. */
  reachedFrom(types: readonly PreparedType[]): ReadonlyMap<string, Schema> {
    const found = new Map<string, Schema>()
    const references = new Set(types.map(({ name }) => referenceTo(name)))
    for (const reference of references) {
      const schema = this.#schemas.get(reference)
      if (schema !== undefined) found.set(reference, schema)
      for (const [, text = ''] of this.textOf(reference).matchAll(/"\$ref":("(?:[^"\\]|\\.)*")/g))
        references.add(String(JSON.parse(text)))
    }
    return found
  }
}

/** What was kept of a type, where the types that it looked at are still the same. */
function readKept(kept: Json | undefined, prepared: PreparedSchemas): PrintedType | undefined {
  if (!isObject(kept) || !isArray(kept.targets) || typeof kept.text !== 'string') return undefined
  const resolved: string[] = []
  for (const target of kept.targets) {
    const [reference, digest] = isArray(target) ? target : []
    if (typeof reference !== 'string' || prepared.digestOf(reference) !== digest) return undefined
    resolved.push(reference)
  }
  const members = isArray(kept.members) ? { members: kept.members.map(String) } : {}
  return { ...members, text: kept.text, withRequired: kept.withRequired === true, resolved }
}
