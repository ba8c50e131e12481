import type { Json, JsonObject } from '../../load/document.js'
import { isArray, isObject, own } from '../../load/json.js'
import { objectOf } from '../../model/cursor.js'
import type { Side } from '../side.js'
import { annotations, resolve } from './same.js'

/**
 * A schema with the branches of its allOf taken into it, where that is exact: branches of types, properties and required
 * names, of which no two say something else of one property. Undefined where it has no allOf, or it is not exact.
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

const mergeable = new Set(['type', 'properties', 'required'])

function join(a: JsonObject, b: JsonObject): JsonObject | undefined {
  if (Object.keys(b).some((key) => !mergeable.has(key) && !annotations.has(key))) return undefined
  // What is not evaluated, or additional, is told apart by where properties stand.
  if (['additionalProperties', 'unevaluatedProperties', '$ref'].some((key) => Object.hasOwn(a, key)))
    return undefined
  const types = [own(a, 'type'), own(b, 'type')].filter((type) => type !== undefined)
  if (types.length === 2 && types[0] !== types[1]) return undefined
  const [ours, theirs] = [own(a, 'properties'), own(b, 'properties')]
  const [one, other] = [isObject(ours) ? ours : {}, isObject(theirs) ? theirs : {}]
  if (Object.keys(other).some((name) => Object.hasOwn(one, name))) return undefined
  const required = [...names(a), ...names(b)]
  const entries: (readonly [string, Json])[] = Object.entries(a).filter(([key]) => !mergeable.has(key))
  if (types[0] !== undefined) entries.push(['type', types[0]])
  if (ours !== undefined || theirs !== undefined)
    entries.push(['properties', objectOf([...Object.entries(one), ...Object.entries(other)])])
  if (required.length > 0) entries.push(['required', [...new Set(required)]])
  return objectOf(entries)
}

function names(schema: JsonObject): readonly Json[] {
  const required = own(schema, 'required')
  return isArray(required) ? required : []
}
