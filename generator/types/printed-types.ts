import type { Pieces } from '../cache/pieces.js'
import { contentDigest } from '../cache/store.js'
import type { Json } from '../document/document.js'
import { isArray, isObject } from '../document/json.js'
import { referenceTo, type Schema } from '../schema/schema.js'
import type { PreparedType, PrintedType } from './prepared-type.js'

/** Prints types. Reprints a type only if its inputs have changed. Omits aliases. */
export async function printedTypes<Type extends PreparedType>(
  types: readonly Type[],
  pieces: Pieces,
): Promise<ReadonlyMap<Type, PrintedType>> {
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
  if (others.length === 0) return printed
  // Loaded only if there is something to print.
  const { TypePrinter } = await import('./type-printer.js')
  const printer = new TypePrinter(prepared.schemas)
  for (const { type, key } of others) {
    const made = printer.print(type)
    printed.set(type, made)
    const { members = null, resolved, ...more } = made
    const targets = resolved.map((reference) => [reference, prepared.digestOf(reference)])
    pieces.set({ ...more, members, targets }, 'type', key)
  }
  return printed
}

/** The schemas of types by the references to them. */
class PreparedSchemas {
  readonly schemas: ReadonlyMap<string, Schema>
  readonly #texts: ReadonlyMap<string, string>
  readonly #digests = new Map<string, string>()

  constructor(types: readonly PreparedType[]) {
    this.schemas = new Map(types.map((type) => [referenceTo(type.name), type.prepared]))
    this.#texts = new Map(types.map((type) => [referenceTo(type.name), type.json]))
  }

  digestOf(reference: string): string {
    const known = this.#digests.get(reference) ?? contentDigest(this.#texts.get(reference) ?? '')
    this.#digests.set(reference, known)
    return known
  }
}

/** The stored text of a type, if the types that it used are unchanged. */
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
