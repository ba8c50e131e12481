import { isJsonObject, type JsonObject } from '../core/object.js'
import type { Coercion, HeaderBinding, JsonType } from '../core/operation.js'
import type { Violation } from '../core/problem.js'
import type { HeaderReader } from '../core/transport.js'
import { coerceDivided, itemCoercion, memberCoercion } from './coerce.js'
import { divide } from './style.js'

/**
 * The headers of an answer that the document declares, by its names for them. Left out is what was not sent, and what the
 * schema's types do not allow: a caller that reads a number gets a number.
 */
export function boundHeaders(
  bindings: readonly HeaderBinding[] = [],
  headers: HeaderReader,
): Readonly<JsonObject> {
  const bound: JsonObject = Object.create(null)
  for (const binding of bindings) {
    const text = headers.get(binding.name)
    const value = text === null ? undefined : read(binding, text)
    if (value !== undefined) bound[binding.name] = value
  }
  return bound
}

function read({ name, coerce, explode, json }: HeaderBinding, text: string): unknown {
  if (json === true) return parsed(text)
  const violations: Violation[] = []
  const divided = divide(text, { name, coerce, explode: explode === true, style: 'simple' }, (part) =>
    part.trim(),
  )
  const value = coerceDivided(divided, coerce, '', violations)
  return violations.length === 0 && isAllowed(value, coerce) ? value : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
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
  if (typeof value === 'number') return Number.isInteger(value) ? ['number', 'integer'] : ['number']
  return [typeof value as 'boolean' | 'string' | 'object']
}
