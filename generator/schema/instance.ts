import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { choices } from '../document/vocabulary.js'
import { patternMatches } from '../patterns/pattern-match.js'
import { fitsFormat } from './format.js'

/** The target of a `$ref`. Undefined if there is none. */
export type ResolveReference = (reference: string) => Json | undefined

/**
 * Whether a value, such as a default, satisfies a JSON Schema 2020-12. Keywords beyond the usual ones count as
 * satisfied, so only `false` is certain.
 */
export function accepts(schema: Json, value: Json, resolve: ResolveReference, depth = 0): boolean {
  if (schema === false) return false
  if (!isObject(schema) || depth > 32) return true
  const below = (part: Json, inner: Json): boolean => accepts(part, inner, resolve, depth + 1)
  const reference = own(schema, '$ref')
  const target = typeof reference === 'string' ? resolve(reference) : undefined
  if (target !== undefined && !below(target, value)) return false
  if (!isOfTypes(own(schema, 'type'), value) || !isListed(schema, value)) return false
  const format = own(schema, 'format')
  if (typeof format === 'string' && !fitsFormat(value, format, own(schema, 'x-timezone') === true))
    return false
  if (!listOf(schema, 'allOf').every((part) => below(part, value))) return false
  for (const keyword of choices) {
    const branches = listOf(schema, keyword)
    if (branches.length > 0 && !branches.some((part) => below(part, value))) return false
  }
  if (typeof value === 'number') return isInRange(schema, value)
  if (typeof value === 'string') return isFittingText(schema, value)
  if (isArray(value)) return isFittingArray(schema, value, below)
  return !isObject(value) || isFittingObject(schema, value, below)
}

type Below = (schema: Json, value: Json) => boolean

function isOfTypes(type: Json | undefined, value: Json): boolean {
  if (type === undefined) return true
  return (isArray(type) ? type : [type]).some((name) => isOfType(name, value))
}

function isOfType(type: Json, value: Json): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type
    default:
      return true
  }
}

function isListed(schema: JsonObject, value: Json): boolean {
  const text = JSON.stringify(value)
  const values = own(schema, 'enum')
  if (isArray(values) && !values.some((allowed) => JSON.stringify(allowed) === text)) return false
  return !Object.hasOwn(schema, 'const') || JSON.stringify(schema.const) === text
}

function isInRange(schema: JsonObject, value: number): boolean {
  const holds = (keyword: string, test: (limit: number) => boolean): boolean => {
    const limit = own(schema, keyword)
    return typeof limit !== 'number' || test(limit)
  }
  return (
    holds('minimum', (limit) => value >= limit) &&
    holds('maximum', (limit) => value <= limit) &&
    holds('exclusiveMinimum', (limit) => value > limit) &&
    holds('exclusiveMaximum', (limit) => value < limit)
  )
}

function isFittingText(schema: JsonObject, value: string): boolean {
  const pattern = own(schema, 'pattern')
  return (
    isCounted(schema, () => [...value].length, 'Length') &&
    (typeof pattern !== 'string' || patternMatches(pattern, value) !== false)
  )
}

function isFittingArray(schema: JsonObject, value: readonly Json[], below: Below): boolean {
  const items = own(schema, 'items')
  const from = listOf(schema, 'prefixItems').length
  const rest = items === undefined ? [] : value.slice(from)
  return isCounted(schema, () => value.length, 'Items') && rest.every((item) => below(items ?? true, item))
}

function isFittingObject(schema: JsonObject, value: JsonObject, below: Below): boolean {
  const properties = own(schema, 'properties')
  const required = own(schema, 'required')
  if (isArray(required) && !required.every((name) => typeof name !== 'string' || Object.hasOwn(value, name)))
    return false
  if (!isCounted(schema, () => Object.keys(value).length, 'Properties')) return false
  if (!isObject(properties)) return true
  return Object.entries(value).every(([name, member]) => below(own(properties, name) ?? true, member))
}

/** `count`: asked only if there is a bound. Counting the characters of a long text takes time. */
function isCounted(schema: JsonObject, count: () => number, what: string): boolean {
  const [least, most] = [own(schema, `min${what}`), own(schema, `max${what}`)]
  return (typeof least !== 'number' || count() >= least) && (typeof most !== 'number' || count() <= most)
}

function listOf(schema: JsonObject, keyword: string): readonly Json[] {
  const value = own(schema, keyword)
  return isArray(value) ? value : []
}
