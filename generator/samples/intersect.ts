import { objectOf } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject } from '../document/json.js'
import { holdingOf, keywordsThat } from '../document/vocabulary.js'
import { isSchema, type Schema } from '../schema/schema.js'

/**
 * A schema for the values that both schemas accept, as far as single keywords can express that. Neither has a
 * reference or a composition. Otherwise (two patterns, two formats) the first one's keyword stays.
 */
export function intersect(a: Schema, b: Schema): Schema {
  if (a === false || b === false) return false
  if (a === true) return b
  if (b === true) return a
  const result = new Map<string, Json>(Object.entries(b))
  for (const [keyword, value] of Object.entries(a)) {
    const other = result.get(keyword)
    result.set(keyword, other === undefined ? value : combine(keyword, value, other))
  }
  return objectOf(result)
}

function combine(keyword: string, a: Json, b: Json): Json {
  if (isArray(a) && isArray(b)) return combineLists(keyword, a, b)
  if (typeof a === 'number' && typeof b === 'number') return combineNumbers(keyword, a, b)
  if (keyword === 'type') return commonTypes([a].flat(), [b].flat())
  if (holdingOf(keyword) === 'schema-map' && isObject(a) && isObject(b)) {
    const merged = new Map(Object.entries(b))
    for (const [name, schema] of Object.entries(a)) {
      const other = merged.get(name)
      merged.set(name, other === undefined ? schema : both(schema, other))
    }
    return objectOf(merged)
  }
  if (single.has(keyword)) return both(a, b)
  return keyword === 'uniqueItems' ? a === true || b === true : a
}

const single = keywordsThat(
  ({ role, holds, unevaluated }) => role === 'child' && holds === 'schema' && unevaluated === undefined,
)

function combineLists(keyword: string, a: readonly Json[], b: readonly Json[]): Json {
  if (keyword === 'required') return [...new Set([...a, ...b])]
  if (keyword === 'type') return commonTypes(a, b)
  if (keyword === 'enum') {
    const texts = new Set(b.map((value) => JSON.stringify(value)))
    return a.filter((value) => texts.has(JSON.stringify(value)))
  }
  if (keyword !== 'prefixItems') return a
  const length = Math.max(a.length, b.length)
  return Array.from({ length }, (_, index) => both(a[index] ?? true, b[index] ?? true))
}

function combineNumbers(keyword: string, a: number, b: number): number {
  if (keyword === 'multipleOf') return a % b === 0 ? a : b % a === 0 ? b : a * b
  if (keyword.startsWith('max') || keyword === 'exclusiveMaximum') return Math.min(a, b)
  return keyword.startsWith('min') || keyword === 'exclusiveMinimum' ? Math.max(a, b) : a
}

function commonTypes(a: readonly Json[], b: readonly Json[]): Json {
  const common = a.flatMap((type) => {
    if (b.includes(type) || (type === 'integer' && b.includes('number'))) return [type]
    return type === 'number' && b.includes('integer') ? ['integer'] : []
  })
  return common.length === 1 ? (common[0] ?? null) : common
}

/** Combines two subschemas. They are merged when a value for them is generated. */
function both(a: Json, b: Json): Json {
  if (!isSchema(a) || !isSchema(b)) return a
  if (a === false || b === false) return false
  if (a === true) return b
  return b === true ? a : ({ allOf: [a, b] } satisfies JsonObject)
}
