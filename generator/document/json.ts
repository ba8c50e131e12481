import type { Json, JsonObject } from './document.js'
import { keepDigits, writtenJson } from './written-digits.js'

/** A JSON object that is still being made; frozen into {@link JsonObject} by type alone. */
export type MutableObject = { [key: string]: Json }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `Array.isArray` that keeps the element type of a readonly array. */
export function isArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value)
}

/** The member of that name if the object itself has it, never one of its prototype's. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Sets a member; a key such as `__proto__` becomes an ordinary own member. */
export function setOwn(object: MutableObject, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  } else {
    object[key] = value
  }
}

/** A deep copy that shares nothing with the original. */
export function clone(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  const copy = cloned(value)
  keepDigits(value, copy)
  return copy
}

function cloned(value: readonly Json[] | JsonObject): Json[] | MutableObject {
  if (isArray(value)) return value.map(clone)
  const copy: MutableObject = {}
  for (const [key, member] of Object.entries(value)) setOwn(copy, key, clone(member))
  return copy
}

/** What a person calls the type of a value: `an array`, `null`, `a string`. */
export function typeName(value: Json): string {
  if (value === null) return 'null'
  if (isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  return `a ${typeof value}`
}

/** A value as messages quote it: JSON, cut where it is long. */
export function quoted(value: unknown): string {
  const text = (value === undefined ? undefined : writtenJson(value as Json)) ?? 'nothing'
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`
}

/** The value of a JSON text. Undefined if it is not one. */
export function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The name of a value's type in JSON Schema. Integers are numbers. */
export function jsonType(value: Json): string {
  if (value === null) return 'null'
  return isArray(value) ? 'array' : typeof value
}
