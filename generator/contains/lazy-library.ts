import type { Ajv, ValidateFunction } from 'ajv'
import { unescaped } from '../document/pointer.js'
import { locatedKeywords, unevaluatedKeywords } from '../document/vocabulary.js'
import { Undecidable } from '../patterns/budget.js'
import { withPrototypeName } from '../schema/prototype-name.js'
import { holding } from './schema/keyword.js'
import { isObject, type Json, objectOf } from './values/value.js'

/**
 * Compiles schemas of one document. Compiles a referenced schema when the first value reaches it: AJV itself
 * compiles all reachable schemas, which takes a second in a large document whatever the value.
 */
export class LazyLibrary {
  readonly #compiled = new Map<string, ValidateFunction>()

  constructor(
    readonly ajv: Ajv,
    readonly document: Json,
  ) {
    ajv.addKeyword({
      keyword,
      schemaType: 'string',
      errors: false,
      validate: (reference: string, value: unknown) => this.#at(reference)(value) === true,
    })
  }

  /** Throws AJV's error for a schema that it refuses. */
  compile(schema: Json): ValidateFunction {
    const moved = withReferences(schema, (reference) => [keyword, reference])
    return this.ajv.compile(typeof moved === 'boolean' || isObject(moved) ? moved : {})
  }

  #at(reference: string): ValidateFunction {
    const known = this.#compiled.get(reference)
    if (known !== undefined) return known
    const target = valueAt(this.document, reference)
    if (target === undefined) throw new Undecidable(`the reference ${reference} leads nowhere`)
    const compiled = this.compile(target)
    this.#compiled.set(reference, compiled)
    return compiled
  }
}

const keyword = 'x-duet-reference'

/**
 * Whether compiling a schema's references late changes nothing: nothing depends on what they have evaluated,
 * on names, or on the dynamic scope.
 */
export function isLazy(schema: Json, document: Json): boolean {
  if (typeof document !== 'object' || document === null) return true
  const known = lazy.get(document) ?? new Set<Json>()
  lazy.set(document, known)
  const read = readLate(schema, document, known)
  for (const part of read ?? []) known.add(part)
  return read !== undefined
}

/** By document: schemas that only lead to others that may be compiled late. */
const lazy = new WeakMap<object, Set<Json>>()
const early = new Set<string>([...locatedKeywords, ...unevaluatedKeywords])

/** All unknown schemas that a schema leads to. Undefined if one of them must be compiled early. */
function readLate(schema: Json, document: Json, known: ReadonlySet<Json>): ReadonlySet<Json> | undefined {
  const seen = new Set<Json>()
  const waiting: Json[] = [schema]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (typeof at !== 'object' || at === null || known.has(at) || seen.has(at)) continue
    seen.add(at)
    if (Array.isArray(at)) waiting.push(...at)
    if (!isObject(at)) continue
    for (const key of Object.keys(at)) {
      const member = at[key]
      if (early.has(key)) return undefined
      if (typeof member === 'object') waiting.push(member)
    }
    const { $ref } = at
    const target = typeof $ref === 'string' ? valueAt(document, $ref) : undefined
    if (target !== undefined) waiting.push(target)
  }
  return seen
}

/** The target of a reference into a document. */
export function valueAt(document: Json, reference: string): Json | undefined {
  let target: Json | undefined = document
  for (const step of decodeURIComponent(reference).split('/').slice(1)) {
    const key = unescaped(step)
    const isThere: boolean = typeof target === 'object' && target !== null && Object.hasOwn(target, key)
    target = isThere ? Object.getOwnPropertyDescriptor(target, key)?.value : undefined
  }
  return target
}

/**
 * A copy in which `replace` supplies another member for each reference into its own document, and AJV heeds properties
 * called `__proto__`.
 */
export function withReferences(
  schema: Json,
  replace = (reference: string): [string, Json] => ['$ref', reference],
): Json {
  if (!isObject(schema)) return schema
  const each = (part: Json): Json =>
    Array.isArray(part) ? part.map((one) => withReferences(one, replace)) : withReferences(part, replace)
  const copy = objectOf(
    Object.entries(schema).map(([key, value]): [string, Json] => {
      if (key === '$ref' && typeof value === 'string' && value.startsWith('#')) return replace(value)
      const held = holding(key)
      if (held === undefined) return [key, value]
      if (!(held === 'schema-map' || held === 'schemas-or-names') || !isObject(value))
        return [key, each(value)]
      return [key, objectOf(Object.entries(value).map(([name, part]) => [name, each(part)] as const))]
    }),
  )
  return withPrototypeName(copy)
}
