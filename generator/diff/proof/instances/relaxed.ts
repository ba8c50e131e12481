import type { Json, JsonObject } from '../../../document/document.js'
import { isArray, isObject, own } from '../../../document/json.js'
import type { Way } from '../../change/place.js'

/** References that follow each other; more lead in a circle. */
const mostReferences = 20

/**
 * A schema that asks nothing of what stands at a place, and everything else as it does: what it takes breaks at that place alone.
 * `resolve` gives the target of a reference.
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
    // Branches that were apart by what stands at the place may take one value together.
    ...(oneOf === undefined ? [] : [{ anyOf: [...list('oneOf')] }]),
    ...(anyOf === undefined ? [] : [{ anyOf: [...list('anyOf')] }]),
  ]
  return { ...withMember(others, name, rest, within), ...(parts.length > 0 && { allOf: parts }) }
}

/** The members and elements of a schema's values, with what one of them holds, or the one itself, left open. */
function withMember(
  schema: JsonObject,
  name: string,
  rest: Way,
  within: (part: Json, left: Way) => Json,
): JsonObject {
  const { properties, required, items, prefixItems, additionalProperties } = schema
  const known = isObject(properties) ? properties : {}
  const member = rest.length === 0 ? true : own(known, name)
  return {
    ...schema,
    ...(member !== undefined && { properties: { ...known, [name]: within(member, rest) } }),
    ...(rest.length === 0 && isArray(required) && { required: required.filter((one) => one !== name) }),
    ...(name === '-' && items !== undefined && { items: within(items, rest) }),
    ...(name === '-' &&
      isArray(prefixItems) && { prefixItems: prefixItems.map((item) => within(item, rest)) }),
    ...(name === '*' &&
      additionalProperties !== undefined && { additionalProperties: within(additionalProperties, rest) }),
  }
}
