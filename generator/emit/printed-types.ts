import type { Pieces } from '../cache/pieces.js'
import { contentDigest } from '../cache/store.js'
import type { Json, JsonObject } from '../load/document.js'
import { isArray, isObject } from '../load/json.js'
import type { Schema } from '../model/model.js'
import { referenceTo } from '../model/schema.js'
import { documentation } from './documentation.js'

/** A schema as openapi-typescript gets it, by the name of its type. */
export interface PreparedType {
  readonly name: string
  readonly prepared: Schema
  /** The schema that each prepared one was made from, for the doc comments of properties. */
  readonly sources: ReadonlyMap<object, JsonObject>
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

/** Prints types, each of them anew only where what it is made from has changed. Aliases are left out. */
export async function printTypes<Type extends PreparedType>(
  types: readonly Type[],
  pieces: Pieces,
): Promise<ReadonlyMap<Type, PrintedType>> {
  const prepared = new Map(types.map((type) => [referenceTo(type.name), type.prepared]))
  const digests = new Map<string, string>()
  const digestOf = (reference: string): string => {
    const known = digests.get(reference) ?? contentDigest(JSON.stringify(prepared.get(reference)) ?? '')
    digests.set(reference, known)
    return known
  }
  const printed = new Map<Type, PrintedType>()
  const others: { readonly type: Type; readonly key: string }[] = []
  for (const type of types) {
    if (type.alias !== undefined) continue
    const docs = Array.from(type.sources.values(), documentation)
    const key = JSON.stringify([type.name, type.prepared, docs])
    const kept = readKept(pieces.get('type', key), digestOf)
    if (kept === undefined) others.push({ type, key })
    else printed.set(type, kept)
  }
  if (others.length === 0) return printed
  // It brings the TypeScript compiler along, which takes longer to load than most runs to end.
  const { TypePrinter } = await import('./type-printer.js')
  const printer = new TypePrinter(prepared)
  for (const { type, key } of others) {
    const made = printer.print(type)
    printed.set(type, made)
    const { members = null, resolved, ...more } = made
    const targets = resolved.map((reference) => [reference, digestOf(reference)])
    pieces.set({ ...more, members, targets }, 'type', key)
  }
  return printed
}

/** What was kept of a type, where the types that it looked at are still the same. */
function readKept(kept: Json | undefined, digestOf: (reference: string) => string): PrintedType | undefined {
  if (!isObject(kept) || !isArray(kept.targets) || typeof kept.text !== 'string') return undefined
  const resolved: string[] = []
  for (const target of kept.targets) {
    const [reference, digest] = isArray(target) ? target : []
    if (typeof reference !== 'string' || digestOf(reference) !== digest) return undefined
    resolved.push(reference)
  }
  const members = isArray(kept.members) ? { members: kept.members.map(String) } : {}
  return { ...members, text: kept.text, withRequired: kept.withRequired === true, resolved }
}
