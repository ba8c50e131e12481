import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject, own, quoted } from '../../document/json.js'
import type { Path } from '../../document/pointer.js'
import { sizeRanges } from '../../document/vocabulary.js'
import { fingerprint } from '../../schema/canonical.js'
import { refuses } from '../../schema/instance.js'
import { below, type Context, type Rule } from './rule.js'

/** Sibling keywords that no value satisfies together (JSON Schema 2020-12, validation, section 6). */
export const contradictions: Rule = (context) => ({
  schema({ value, path }) {
    if (!isObject(value)) return
    checkLimits(context, value, path)
    checkRange(context, value, path)
    checkValues(context, value, path)
    checkRequired(context, value, path)
    checkClosedParts(context, value, path)
    checkTypes(context, value, path)
    checkDistinct(context, value, path)
  },
})

const nouns = new Map([
  ['string', 'text'],
  ['array', 'list'],
])

function checkLimits(context: Context, schema: JsonObject, path: Path): void {
  for (const range of sizeRanges) {
    const least = numberAt(schema, range.least)
    const most = least === undefined ? undefined : numberAt(schema, range.most)
    if (least === undefined || most === undefined || least <= most) continue
    const noun = nouns.get(range.of ?? '') ?? range.of ?? 'value'
    const message = `${range.least} ${least} is above ${range.most} ${most}: no ${noun} satisfies both`
    reportContradiction(context, below(path, range.least), message)
  }
}

function checkRange(context: Context, schema: JsonObject, path: Path): void {
  const lower = bound(schema, 'minimum', 'exclusiveMinimum', (a, b) => a > b)
  const upper = bound(schema, 'maximum', 'exclusiveMaximum', (a, b) => a < b)
  if (lower === undefined || upper === undefined) return
  const exclusive = lower.exclusive || upper.exclusive
  const bounds = `${lower.keyword} ${lower.value} and ${upper.keyword} ${upper.value}`
  if (lower.value > upper.value || (exclusive && lower.value === upper.value)) {
    const message = `No number satisfies ${bounds}`
    reportContradiction(context, below(path, lower.keyword), message)
  } else if (own(schema, 'type') === 'integer') {
    const first = lower.exclusive ? Math.floor(lower.value) + 1 : Math.ceil(lower.value)
    if (upper.exclusive ? first < upper.value : first <= upper.value) return
    const message = `No integer satisfies ${bounds}`
    reportContradiction(context, below(path, lower.keyword), message)
  }
}

interface Bound {
  readonly keyword: string
  readonly value: number
  readonly exclusive: boolean
}

/** The stricter of an inclusive and an exclusive bound. */
function bound(
  schema: JsonObject,
  inclusive: string,
  exclusive: string,
  stricter: (a: number, b: number) => boolean,
): Bound | undefined {
  const [wide, narrow] = [numberAt(schema, inclusive), numberAt(schema, exclusive)]
  if (narrow !== undefined && (wide === undefined || !stricter(wide, narrow))) {
    return { keyword: exclusive, value: narrow, exclusive: true }
  }
  return wide === undefined ? undefined : { keyword: inclusive, value: wide, exclusive: false }
}

/** A constant or an enum next to a type, and a constant next to an enum. */
function checkValues(context: Context, schema: JsonObject, path: Path): void {
  const types = statedTypes(schema)
  const isOfType = (value: Json): boolean =>
    types.length === 0 || !refuses({ type: types }, value, () => undefined)
  const listed = own(schema, 'enum')
  if (isArray(listed) && listed.length === 0)
    context.report('enum-empty', below(path, 'enum'), 'The enum lists no value')
  else if (isArray(listed) && !listed.some(isOfType)) {
    const message = `No value of the enum is of the type ${types.join(' or ')}`
    reportContradiction(context, below(path, 'enum'), message)
  }
  const constant = own(schema, 'const')
  if (constant === undefined) return
  if (!isOfType(constant)) {
    const message = `The constant ${quoted(constant)} is not of the type ${types.join(' or ')}`
    reportContradiction(context, below(path, 'const'), message)
  } else if (isArray(listed) && refuses({ enum: listed }, constant, () => undefined)) {
    const message = `The constant ${quoted(constant)} is not in the enum`
    reportContradiction(context, below(path, 'const'), message)
  }
}

/** A property that is required but impossible. */
function checkRequired(context: Context, schema: JsonObject, path: Path): void {
  const required = requiredNames(schema)
  const properties = propertiesOf(schema)
  for (const [index, name] of required.entries()) {
    const isForbidden = Object.hasOwn(properties, name) ? properties[name] === false : isClosed(schema)
    if (!isForbidden) continue
    const reason = Object.hasOwn(properties, name) ? 'its schema is false' : 'additionalProperties is false'
    const message = `The property ${quoted(name)} is required but not allowed: ${reason}`
    reportContradiction(context, below(path, 'required', String(index)), message)
  }
  const most = numberAt(schema, 'maxProperties')
  if (most === undefined || new Set(required).size <= most) return
  const message = `${new Set(required).size} properties are required and maxProperties is ${most}`
  reportContradiction(context, below(path, 'maxProperties'), message)
}

/** A property that one part of a schema requires, and that another part does not allow because it is closed. */
function checkClosedParts(context: Context, schema: JsonObject, path: Path): void {
  const all = own(schema, 'allOf')
  const listed = isArray(all) ? all : []
  const isReference = Object.hasOwn(schema, '$ref')
  // Most schemas have one part only.
  if (listed.length === 0 && (!isReference || Object.keys(schema).length === 1)) return
  const { allOf: _, $ref, ...siblings } = schema
  const parts = [
    { words: 'the schema itself', at: below(path, 'required'), value: siblings },
    { words: 'the schema of $ref', at: below(path, '$ref'), value: $ref === undefined ? true : { $ref } },
    ...listed.map((value, index) => {
      return { words: `part ${index + 1} of allOf`, at: below(path, 'allOf', String(index)), value }
    }),
  ].map((part) => ({ ...part, all: [...conjuncts(context, part.value)] }))
  for (const part of parts) {
    const required = [...new Set(part.all.flatMap(requiredNames))]
    for (const { words, all } of parts.filter((other) => other !== part)) {
      const missing = required.filter((name) =>
        all.some((each) => isClosed(each) && !Object.hasOwn(propertiesOf(each), name)),
      )
      if (missing.length === 0) continue
      const message = `No object has the required ${missing.map(quoted).join(', ')}: ${words} has additionalProperties: false and does not list ${missing.length === 1 ? 'it' : 'them'}`
      const remedy =
        'Remove additionalProperties: false from the base. To refuse other properties, write unevaluatedProperties: false in the schemas that extend it (OpenAPI 3.1).'
      reportContradiction(context, part.at, message, remedy)
    }
  }
}

/** The schemas that every value of a schema satisfies: itself, its reference and the parts of its allOf. */
function* conjuncts(context: Context, schema: Json, seen = new Set<Json>()): Generator<JsonObject> {
  if (!isObject(schema) || seen.has(schema)) return
  seen.add(schema)
  yield schema
  const listed = own(schema, 'allOf')
  const target = Object.hasOwn(schema, '$ref') ? context.resolve(schema) : undefined
  for (const part of [target ?? true, ...(isArray(listed) ? listed : [])])
    yield* conjuncts(context, part, seen)
}

function requiredNames(schema: JsonObject): string[] {
  const listed = own(schema, 'required')
  return (isArray(listed) ? listed : []).filter((name) => typeof name === 'string')
}

function propertiesOf(schema: JsonObject): JsonObject {
  const declared = own(schema, 'properties')
  return isObject(declared) ? declared : {}
}

function isClosed(schema: JsonObject): boolean {
  return own(schema, 'additionalProperties') === false && !Object.hasOwn(schema, 'patternProperties')
}

function numberAt(schema: JsonObject, keyword: string): number | undefined {
  const value = own(schema, keyword)
  return typeof value === 'number' ? value : undefined
}

/** The types of a schema and of the parts of its allOf, if no type is allowed by all. */
function checkTypes(context: Context, schema: JsonObject, path: Path): void {
  const parts = own(schema, 'allOf')
  if (!isArray(parts)) return
  let common = statedTypes(schema)
  for (const [index, part] of parts.entries()) {
    const types = statedTypes(context.resolve(part) ?? {})
    if (types.length === 0) continue
    const both = common.length === 0 ? types : common.filter((type) => isAmong(type, types))
    const narrower = types.filter((type) => isAmong(type, common))
    if (both.length + narrower.length === 0) {
      const message = `No value is ${types.join(' or ')} and also ${common.join(' or ')}`
      reportContradiction(context, below(path, 'allOf', String(index)), message)
      return
    }
    common = [...new Set([...both, ...narrower])]
  }
}

function isAmong(type: string, types: readonly string[]): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'))
}

/** A list that requires more distinct items than there are values. */
function checkDistinct(context: Context, schema: JsonObject, path: Path): void {
  const least = numberAt(schema, 'minItems')
  const items = context.resolve(own(schema, 'items'))
  if (least === undefined || items === undefined || own(schema, 'uniqueItems') !== true) return
  if (!statedTypes(schema).every((type) => type === 'array') || Object.hasOwn(schema, 'prefixItems')) return
  const listed = own(items, 'enum')
  const sizes = statedTypes(items).map((type) => (type === 'boolean' ? 2 : type === 'null' ? 1 : undefined))
  const isCounted = sizes.length > 0 && sizes.every((size) => size !== undefined)
  const count = isArray(listed)
    ? new Set(listed.map(fingerprint)).size
    : isCounted
      ? sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
      : undefined
  if (count === undefined || least <= count) return
  const message = `minItems is ${least}, but the items must differ and have only ${count} values`
  reportContradiction(context, below(path, 'minItems'), message)
}

function reportContradiction(context: Context, path: Path, message: string, remedy?: string): void {
  context.report('schema-contradiction', path, `${message}${context.usedIn(path)}`, { remedy })
}

function statedTypes(schema: JsonObject): string[] {
  const type = own(schema, 'type')
  const types = (isArray(type) ? type : [type]).filter((name) => typeof name === 'string')
  return types.length > 0 && own(schema, 'nullable') === true ? [...types, 'null'] : types
}
