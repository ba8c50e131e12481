import type { Json, JsonObject } from '../../load/document.js'
import { isArray, isObject, own } from '../../load/json.js'
import { type Cursor, childPointer, compareText } from '../../model/cursor.js'
import { referenced, type Side } from '../side.js'
import { isReference } from './same.js'

/** A schema behind references that have nothing beside them. */
export function behind(side: Side, cursor: Cursor): Cursor {
  let at = cursor
  for (let steps = 0; steps < 50 && isReference(at.value); steps++) {
    const target = referenced(side, at.value.$ref)
    if (target === undefined) return at
    at = target
  }
  return at
}

/** The cursor of a schema within one. */
export function within(cursor: Cursor, value: Json, ...keys: readonly (string | number)[]): Cursor {
  return { value, pointer: childPointer(cursor.pointer, ...keys) }
}

/** Names of an object's members that either of two has, sorted. */
export function namesOf(a: Json | undefined, b: Json | undefined): string[] {
  const names = [a, b].flatMap((value) => (isObject(value) && !isArray(value) ? Object.keys(value) : []))
  return [...new Set(names)].sort(compareText)
}

/** A schema's members of some names alone. */
export function pick(schema: JsonObject, keywords: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => keywords.includes(key)))
}

/** A list of schemas; empty where there is none. */
export function listOf(schema: JsonObject, keyword: string): readonly Json[] {
  const value = own(schema, keyword)
  return isArray(value) ? value : []
}

/** A schema as a message names it. */
export function shown(schema: Json | undefined): Json | undefined {
  if (!isObject(schema)) return schema
  const reference = own(schema, '$ref') ?? own(schema, 'title')
  return typeof reference === 'string' ? reference : schema
}
