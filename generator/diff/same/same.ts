import { objectOf } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import {
  type Composition,
  compositions,
  holdingOf,
  keywordNamed,
  keywordsThat,
} from '../../document/vocabulary.js'
import { haveSameDigits, keepDigits, keepDigitsAt } from '../../document/written-digits.js'
import { fingerprint, itemFingerprints } from '../../schema/canonical.js'
import { asObject, referenced, type Side } from '../change/side.js'
import { routing, targetOf } from './discrimination.js'
import { inheritanceOf } from './family.js'
import { areEqual, samePartsOf } from './unchanged.js'

/** Whether a member of a schema does not affect its values, such as wording, examples and unknown extensions. */
export function isAnnotationKeyword(key: string): boolean {
  const keyword = keywordNamed(key)
  return keyword === undefined ? key.startsWith('x-') : annotations.has(key)
}

const annotations = keywordsThat(
  ({ role, reported }) => role === 'identifier' || (role === 'words' && reported !== true),
)

/** Tells whether two schemas mean the same, with references followed. Remembers its results. */
export class Sameness {
  readonly #same = new WeakMap<object, Map<Json, boolean>>()

  constructor(
    readonly old: Side,
    readonly new_: Side,
  ) {}

  /** Whether two mapping entries of a discriminator refer to the same schema, under whatever name. */
  ofTargets(a: Json, b: Json): boolean {
    return this.#target(a, b, (one, other) => this.of(one, other))
  }

  /** Whether two schemas mean the same. Recursive schemas do unless a difference is found. */
  of(a: Json, b: Json): boolean {
    if (a === b && this.old.document === this.new_.document) return true
    const assumed: [object, Json][] = []
    const same = this.#compare(a, b, assumed)
    // A difference holds whatever was assumed. Results that were only assumed are open again.
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
    if (this.#leadAlike(first, second)) return true
    const a = resolve(this.old, first)
    const b = resolve(this.new_, second)
    if (!isObject(a) || !isObject(b)) return areEqual(a, b)
    const known = this.#same.get(a)?.get(b)
    if (known !== undefined) return known
    this.#remember(a, b, true)
    assumed.push([a, b])
    const same =
      (this.#members(a, b, assumed) || this.#isRefactored(a, b, assumed)) && this.#children(a, b, assumed)
    if (!same) this.#remember(a, b, false)
    return same
  }

  /** Whether two schemas are the same reference, and everything it leads to is identical. */
  #leadAlike(a: Json, b: Json): boolean {
    if (!isReference(a) || !isReference(b) || a.$ref !== b.$ref) return false
    return samePartsOf(this.old.document.root, this.new_.document.root).haveReference(a.$ref)
  }

  #members(a: JsonObject, b: JsonObject, assumed: [object, Json][]): boolean {
    const [one, other] =
      Object.hasOwn(a, 'const') === Object.hasOwn(b, 'const') ? [a, b] : [a, b].map(asConst)
    if (one === undefined || other === undefined) return false
    if (routing(this.old, one) !== routing(this.new_, other)) return false
    return keysOf(one, other).every(
      (key) =>
        this.#member(key, one[key], other[key], assumed) &&
        (typeof one[key] !== 'number' || haveSameDigits(one, other, key)),
    )
  }

  /** Whether the discriminator of a base names the same children in both versions. */
  #children(a: Json, b: Json, assumed: [object, Json][]): boolean {
    const [olds, news] = [inheritanceOf(this.old, a)?.byValue, inheritanceOf(this.new_, b)?.byValue]
    if (olds === undefined || news === undefined) return true
    return (
      olds.size === news.size &&
      [...olds].every(([value, child]) => {
        const other = news.get(value)
        return other !== undefined && this.#compare(child.value, other.value, assumed)
      })
    )
  }

  /** Whether two schemas differ only in their `allOf`. A branch that only annotates is reported. */
  #isRefactored(a: JsonObject, b: JsonObject, assumed: [object, Json][]): boolean {
    const [one, other] = [joined(this.old, a), joined(this.new_, b)]
    return (one !== undefined || other !== undefined) && this.#members(one ?? a, other ?? b, assumed)
  }

  /** A renamed schema is the same one, unless its name is a value. */
  #discriminator(a: JsonObject, b: JsonObject, assumed: [object, Json][]): boolean {
    const { mapping: olds, ...one } = a
    const { mapping: news, ...other } = b
    if (fingerprint(one) !== fingerprint(other)) return false
    if (!isObject(olds) || !isObject(news)) return fingerprint(olds ?? {}) === fingerprint(news ?? {})
    const names = new Set([...Object.keys(olds), ...Object.keys(news)])
    return [...names].every((name) => {
      if (!Object.hasOwn(olds, name) || !Object.hasOwn(news, name)) return false
      return this.#target(olds[name] ?? null, news[name] ?? null, (one, other) =>
        this.#compare(one, other, assumed),
      )
    })
  }

  #isKnown(a: Json, b: Json): boolean {
    return referenced(this.old, a) !== undefined && referenced(this.new_, b) !== undefined
  }

  /** Whether the other version has neither of two names. */
  #isRenamed(a: Json, b: Json): boolean {
    const areMissing = referenced(this.new_, a) === undefined && referenced(this.old, b) === undefined
    return areMissing && this.#isKnown(a, b)
  }

  #target(first: Json, second: Json, areSame: (a: Json, b: Json) => boolean): boolean {
    const [a, b] = [targetOf(this.old, first), targetOf(this.new_, second)]
    // The comparison of branches reports a changed schema that kept its name.
    return fingerprint(a) === fingerprint(b) || (this.#isRenamed(a, b) && areSame({ $ref: a }, { $ref: b }))
  }

  #member(key: string, a: Json | undefined, b: Json | undefined, assumed: [object, Json][]): boolean {
    if (a === undefined || b === undefined) return false
    if (key === '$ref' && this.#isKnown(a, b)) return this.#compare({ $ref: a }, { $ref: b }, assumed)
    if (key === 'discriminator' && isObject(a) && isObject(b)) return this.#discriminator(a, b, assumed)
    if (keywordNamed(key)?.unordered === true && isArray(a) && isArray(b))
      return (
        areEqual(a, b) || fingerprint(itemFingerprints(a).sort()) === fingerprint(itemFingerprints(b).sort())
      )
    const held = holdingOf(key)
    if (held === 'schemas' && isArray(a) && isArray(b))
      return a.length === b.length && a.every((item, index) => this.#compare(item, b[index] ?? null, assumed))
    if (held === 'schema-map' && isObject(a) && isObject(b)) {
      const names = Object.keys(a)
      return (
        names.length === Object.keys(b).length &&
        names.every(
          (name) => Object.hasOwn(b, name) && this.#compare(a[name] ?? null, b[name] ?? null, assumed),
        )
      )
    }
    if (held === 'schema') return this.#compare(a, b, assumed)
    if (areEqual(a, b)) return true
    return key === 'type' && fingerprint([a].flat()) === fingerprint([b].flat())
  }
}

/** The schema behind references and single branches. A schema with keywords next to them stays as it is. */
export function resolve(side: Side, schema: Json): Json {
  let at = schema
  for (let steps = 0; steps < 50; steps++) {
    const keyword = onlyBranch(at)
    const next = isReference(at) ? referenced(side, at.$ref)?.value : branchOf(at, keyword)
    if (next === undefined) break
    at = next
  }
  return at === false ? { not: {} } : at === true ? {} : at
}

/** The keyword of a schema that is only one branch: `anyOf: [X]` means the same as X. */
export function onlyBranch(schema: Json): Composition | undefined {
  if (!isObject(schema)) return undefined
  return compositions.find((keyword) => {
    const branches = own(schema, keyword)
    const isOne = isArray(branches) && branches.length === 1
    return isOne && Object.keys(schema).every((key) => key === keyword || isAnnotationKeyword(key))
  })
}

function branchOf(schema: Json, keyword: Composition | undefined): Json | undefined {
  const branches = isObject(schema) && keyword !== undefined ? own(schema, keyword) : undefined
  return isArray(branches) ? branches[0] : undefined
}

/** Whether a schema is a reference without siblings that count. */
export function isReference(schema: Json): schema is JsonObject {
  return (
    isObject(schema) &&
    typeof schema.$ref === 'string' &&
    Object.keys(schema).every((key) => key === '$ref' || isAnnotationKeyword(key))
  )
}

/**
 * A schema with its `allOf` branches merged in, if that is exact: the branches have only types, properties and required
 * names, and no two describe one property. Undefined without an `allOf`, or if the merge is not exact.
 */
export function merged(side: Side, schema: JsonObject, depth = 8): JsonObject | undefined {
  const branches = own(schema, 'allOf')
  if (!isArray(branches) || depth === 0) return undefined
  const { allOf: _, ...rest } = schema
  let whole: JsonObject = rest
  for (const branch of branches) {
    const target = resolve(side, branch)
    if (!isObject(target)) return undefined
    const part = Object.hasOwn(target, 'allOf') ? merged(side, target, depth - 1) : target
    const joined = part === undefined ? undefined : join(whole, part)
    if (joined === undefined) return undefined
    whole = joined
  }
  return whole
}

/** Like `merged`, but only if each branch constrains values. */
function joined(side: Side, schema: JsonObject): JsonObject | undefined {
  const branches = own(schema, 'allOf')
  const constrains = (branch: Json): boolean => Object.keys(asObject(resolve(side, branch))).some(counts)
  return isArray(branches) && branches.every(constrains) ? merged(side, schema) : undefined
}

const mergeable = new Set(['type', 'properties', 'required'])

function join(a: JsonObject, b: JsonObject): JsonObject | undefined {
  if (Object.keys(b).some((key) => !mergeable.has(key) && !isAnnotationKeyword(key))) return undefined
  // Which properties are additional depends on the properties next to the keyword.
  if (['additionalProperties', '$ref'].some((key) => Object.hasOwn(a, key))) return undefined
  const types = [own(a, 'type'), own(b, 'type')].filter((type) => type !== undefined)
  if (types.length === 2 && fingerprint(types[0] ?? null) !== fingerprint(types[1] ?? null)) return undefined
  const [ours, theirs] = [own(a, 'properties'), own(b, 'properties')]
  const [one, other] = [isObject(ours) ? ours : {}, isObject(theirs) ? theirs : {}]
  if (Object.keys(other).some((name) => Object.hasOwn(one, name))) return undefined
  const required = [...names(a), ...names(b)]
  const entries: (readonly [string, Json])[] = Object.entries(a).filter(([key]) => !mergeable.has(key))
  if (types[0] !== undefined) entries.push(['type', types[0]])
  if (ours !== undefined || theirs !== undefined)
    entries.push(['properties', objectOf([...Object.entries(one), ...Object.entries(other)])])
  if (required.length > 0) entries.push(['required', [...new Set(required)]])
  const whole = objectOf(entries)
  keepDigits(a, whole)
  return whole
}

function names(schema: JsonObject): readonly Json[] {
  const required = own(schema, 'required')
  return isArray(required) ? required : []
}

/** Writes an `enum` of one value as `const`. */
function asConst(schema: JsonObject): JsonObject {
  const { enum: values, ...rest } = schema
  const [only] = isArray(values) && values.length === 1 ? values : []
  if (!isArray(values) || only === undefined || Object.hasOwn(rest, 'const')) return schema
  const written = { ...rest, const: only }
  keepDigitsAt([values, '0'], [written, 'const'])
  return written
}

function counts(key: string): boolean {
  return !isAnnotationKeyword(key)
}

function keysOf(a: JsonObject, b: JsonObject): string[] {
  const isCompared = (key: string): boolean =>
    counts(key) && !(key === 'deprecated' && a[key] !== true && b[key] !== true)
  const keys = Object.keys(a).filter(isCompared)
  for (const key in b) if (!Object.hasOwn(a, key) && isCompared(key)) keys.push(key)
  return keys
}
