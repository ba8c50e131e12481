import type { HeaderReader } from '../../client/transport.js'
import { exactJson, type Int64PlaceOf, nativeInt64 } from '../../contract/int64.js'
import type { Coercion, HeaderBinding, JsonType, Operation } from '../../contract/operation.js'
import type { Violation } from '../../contract/problem-details.js'
import { isJsonObject, type JsonObject } from '../../values/object.js'
import { coerceDivided, itemCoercion, memberCoercion } from '../style/coerce.js'
import { divide } from '../style/style.js'

/**
 * The declared headers of a response, by their names in the document. Omits headers that are missing or that
 * the schema's types do not allow: a caller that expects a number gets a number.
 */
export function boundHeaders(
  { rest: { headers: bindings = [] }, int64 }: Pick<Operation, 'rest' | 'int64'>,
  { headers, status }: { readonly headers: HeaderReader; readonly status: number },
): Readonly<JsonObject> {
  const bound: JsonObject = Object.create(null)
  const graph = int64?.headers
  const placeOf: Int64PlaceOf = (path) => graph && { graph, path }
  for (const binding of bindings) {
    if (binding.statuses?.includes(status) === false) continue
    const text = headers.get(binding.name)
    const value = text === null ? undefined : read(binding, text, placeOf)
    if (value !== undefined) bound[binding.name] = value
  }
  return int64 === undefined ? bound : (nativeInt64(bound, int64.as, graph) as JsonObject)
}

function read({ name, coerce, explode, json }: HeaderBinding, text: string, placeOf: Int64PlaceOf): unknown {
  if (json === true) return parsed(text, (keys, value) => placeOf([name, ...keys], value))
  const violations: Violation[] = []
  const divided = divide(text, { name, coerce, explode: explode === true, style: 'simple' }, (part) =>
    part.trim(),
  )
  const value = coerceDivided(divided, coerce, '', violations)
  return violations.length === 0 && isAllowed(value, coerce) ? value : undefined
}

function parsed(text: string, placeOf: Int64PlaceOf): unknown {
  try {
    return exactJson(text, placeOf).value
  } catch {
    return undefined
  }
}

function isAllowed(value: unknown, coercion: Coercion): boolean {
  if (!typesOf(value).some((type) => coercion.types.includes(type))) return false
  if (Array.isArray(value))
    return value.every((item, index) => isAllowed(item, itemCoercion(coercion, index)))
  if (!isJsonObject(value)) return true
  return Object.entries(value).every(([name, member]) => isAllowed(member, memberCoercion(coercion, name)))
}

function typesOf(value: unknown): readonly JsonType[] {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['array']
  if (typeof value === 'bigint') return ['number', 'integer']
  if (typeof value === 'number') return Number.isInteger(value) ? ['number', 'integer'] : ['number']
  return [typeof value as 'boolean' | 'string' | 'object']
}
