import { canonical } from '../../contains/value.js'
import type { Json, JsonObject } from '../../load/document.js'
import { isArray, isObject } from '../../load/json.js'
import { referenced, type Side } from '../side.js'

/** Members of a schema that say nothing of its values: their order, their wording and their examples may change. */
export const annotations: ReadonlySet<string> = new Set([
  'description',
  'title',
  'example',
  'examples',
  'externalDocs',
  '$comment',
  'xml',
  '$id',
  '$anchor',
  '$schema',
  'x-provenance',
])

/** Tells whether two schemas are one, references followed; remembers what it has found. */
export class Sameness {
  readonly #same = new WeakMap<object, Map<Json, boolean>>()

  constructor(
    readonly old: Side,
    readonly new_: Side,
  ) {}

  /** Whether two entries of a discriminator's mapping name one schema, whatever it is called. */
  ofTargets(a: Json, b: Json): boolean {
    return canonical(a) === canonical(b) || (this.#isRenamed(a, b) && this.of({ $ref: a }, { $ref: b }))
  }

  /** Whether two schemas say the same. Recursive schemas are the same unless a difference is found. */
  of(a: Json, b: Json): boolean {
    if (a === b && this.old.document === this.new_.document) return true
    const assumed: [object, Json][] = []
    const same = this.#compare(a, b, assumed)
    // A difference that was found is one whatever was assumed; what was only assumed is open again.
    if (!same)
      for (const [one, other] of assumed)
        if (this.#same.get(one)?.get(other)) this.#same.get(one)?.delete(other)
    return same
  }

  #remember(a: object, b: Json, same: boolean): void {
    const known = this.#same.get(a) ?? new Map<Json, boolean>()
    known.set(b, same)
    this.#same.set(a, known)
  }

  #compare(first: Json, second: Json, assumed: [object, Json][]): boolean {
    const a = resolve(this.old, first)
    const b = resolve(this.new_, second)
    if (!isObject(a) || !isObject(b)) return canonical(a) === canonical(b)
    const known = this.#same.get(a)?.get(b)
    if (known !== undefined) return known
    this.#remember(a, b, true)
    assumed.push([a, b])
    const same = keysOf(a, b).every((key) => this.#member(key, a[key], b[key], assumed))
    if (!same) this.#remember(a, b, false)
    return same
  }

  /** A schema that is called otherwise is the same one. */
  #discriminator(a: JsonObject, b: JsonObject, assumed: [object, Json][]): boolean {
    const { mapping: olds, ...one } = a
    const { mapping: news, ...other } = b
    if (canonical(one) !== canonical(other)) return false
    if (!isObject(olds) || !isObject(news)) return canonical(olds ?? {}) === canonical(news ?? {})
    const names = new Set([...Object.keys(olds), ...Object.keys(news)])
    return [...names].every((name) => {
      if (!Object.hasOwn(olds, name) || !Object.hasOwn(news, name)) return false
      return this.#target(olds[name] ?? null, news[name] ?? null, assumed)
    })
  }

  #isKnown(a: Json, b: Json): boolean {
    return referenced(this.old, a) !== undefined && referenced(this.new_, b) !== undefined
  }

  /** Whether each of two names is one that the other version does not have. */
  #isRenamed(a: Json, b: Json): boolean {
    const isGone = referenced(this.new_, a) === undefined && referenced(this.old, b) === undefined
    return isGone && this.#isKnown(a, b)
  }

  #target(a: Json, b: Json, assumed: [object, Json][]): boolean {
    // A changed schema of one name is compared where the branches are.
    return (
      canonical(a) === canonical(b) ||
      (this.#isRenamed(a, b) && this.#compare({ $ref: a }, { $ref: b }, assumed))
    )
  }

  #member(key: string, a: Json | undefined, b: Json | undefined, assumed: [object, Json][]): boolean {
    if (a === undefined || b === undefined) return false
    if (key === '$ref' && this.#isKnown(a, b)) return this.#compare({ $ref: a }, { $ref: b }, assumed)
    if (key === 'discriminator' && isObject(a) && isObject(b)) return this.#discriminator(a, b, assumed)
    if (unordered.has(key) && isArray(a) && isArray(b))
      return canonical([...a].map(canonical).sort()) === canonical([...b].map(canonical).sort())
    if (listsOfSchemas.has(key) && isArray(a) && isArray(b))
      return a.length === b.length && a.every((item, index) => this.#compare(item, b[index] ?? null, assumed))
    if (schemasByName.has(key) && isObject(a) && isObject(b)) {
      const names = new Set([...Object.keys(a), ...Object.keys(b)])
      return [...names].every(
        (name) =>
          Object.hasOwn(a, name) &&
          Object.hasOwn(b, name) &&
          this.#compare(a[name] ?? null, b[name] ?? null, assumed),
      )
    }
    if (schemas.has(key)) return this.#compare(a, b, assumed)
    return typeof a === 'string' || typeof b === 'string' || !unordered.has(key)
      ? canonical(a) === canonical(b)
      : canonical([a].flat()) === canonical([b].flat())
  }
}

/** A schema behind its references; a reference with keywords beside it is itself a schema. */
export function resolve(side: Side, schema: Json): Json {
  let at = schema
  for (let steps = 0; steps < 50 && isReference(at); steps++) {
    const target = referenced(side, at.$ref)
    if (target === undefined) return at
    at = target.value
  }
  return at
}

/** Whether a schema is a reference and nothing else that counts. */
export function isReference(schema: Json): schema is JsonObject {
  return (
    isObject(schema) &&
    typeof schema.$ref === 'string' &&
    Object.keys(schema).every((key) => key === '$ref' || annotations.has(key))
  )
}

function keysOf(a: JsonObject, b: JsonObject): string[] {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...keys].filter(
    (key) => !annotations.has(key) && !(key === 'deprecated' && a[key] !== true && b[key] !== true),
  )
}

export const unordered: ReadonlySet<string> = new Set(['enum', 'required', 'type'])
/** Keywords that hold one schema, a list of them, or some by name. */
export const schemas: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
])
export const listsOfSchemas: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
export const schemasByName: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
])
