import { objectOf } from '../../../document/cursor.js'
import type { Json, JsonObject } from '../../../document/document.js'
import { isArray, isObject, own } from '../../../document/json.js'
import type { Way } from '../../change/place.js'

/** References in a row. More are a cycle. */
const mostReferences = 20

/**
 * A schema without any constraint at a path: values that it accepts break only there. `resolve` returns the target of a
 * reference.
 */
export function relaxed(
  schema: Json,
  way: Way,
  resolve: (reference: string) => Json | undefined,
  references = 0,
): Json {
  const [name, ...rest] = way
  if (name === undefined) return true
  if (!isObject(schema)) return schema
  const within = (part: Json, left: Way, more = 0): Json => relaxed(part, left, resolve, references + more)
  const list = (key: string): readonly Json[] => {
    const found = own(schema, key)
    return isArray(found) ? found.map((part) => within(part, way)) : []
  }
  const { $ref, oneOf, anyOf, ...others } = schema
  const target = typeof $ref === 'string' && references < mostReferences ? resolve($ref) : undefined
  const kept = target === undefined && $ref !== undefined ? [{ $ref }] : []
  const parts = [
    ...list('allOf'),
    ...kept,
    ...(target === undefined ? [] : [within(target, way, 1)]),
    // Branches that differ at the path may now match the same value.
    ...(oneOf === undefined ? [] : [{ anyOf: [...list('oneOf')] }]),
    ...(anyOf === undefined ? [] : [{ anyOf: [...list('anyOf')] }]),
  ]
  return { ...withMember(others, name, rest, within), ...(parts.length > 0 && { allOf: parts }) }
}

/** Removes the constraints of a nested value, or those of the property or item itself. */
function withMember(
  schema: JsonObject,
  name: string,
  rest: Way,
  within: (part: Json, left: Way) => Json,
): JsonObject {
  const { properties, required, dependentRequired, items, prefixItems, additionalProperties } = schema
  const known = isObject(properties) ? properties : {}
  const member = rest.length === 0 ? true : own(known, name)
  return {
    ...schema,
    ...(member !== undefined && { properties: { ...known, [name]: within(member, rest) } }),
    ...(rest.length === 0 && isArray(required) && { required: required.filter((one) => one !== name) }),
    // The fields of an optional body are required if any of them is sent.
    ...(rest.length === 0 &&
      isObject(dependentRequired) && { dependentRequired: independent(dependentRequired, name) }),
    ...(name === '-' && items !== undefined && { items: within(items, rest) }),
    ...(name === '-' &&
      isArray(prefixItems) && { prefixItems: prefixItems.map((item) => within(item, rest)) }),
    ...(name === '*' &&
      additionalProperties !== undefined && { additionalProperties: within(additionalProperties, rest) }),
  }
}

/** The lists of `dependentRequired` without a name. */
function independent(lists: JsonObject, name: string): JsonObject {
  return objectOf(
    Object.entries(lists).map(([key, names]) => [
      key,
      isArray(names) ? names.filter((one) => one !== name) : names,
    ]),
  )
}
