import type { Document, Json, JsonObject } from './document.js'
import { isArray, isObject, type MutableObject, own, setOwn } from './json.js'
import { escaped, formatPointer, parseFragment, valueAt } from './pointer.js'
import { keepDigits } from './written-digits.js'

/** A value of the document, and its position. */
export interface Cursor {
  readonly value: Json
  /** JSON pointer from the document's root: `#/paths/~1clients/get`. */
  readonly pointer: string
}

export function rootCursor(document: Document): Cursor {
  return { value: document.root, pointer: '#' }
}

/** The pointer of a member of what `pointer` points to. */
export function childPointer(pointer: string, ...keys: readonly (string | number)[]): string {
  let at = pointer
  for (const key of keys) at += `/${escaped(String(key))}`
  return at
}

/** The member with a name. Undefined if the value is no object or has no such member. */
export function member(cursor: Cursor, key: string): Cursor | undefined {
  const value = isObject(cursor.value) ? own(cursor.value, key) : undefined
  return value === undefined ? undefined : { value, pointer: childPointer(cursor.pointer, key) }
}

/** The members of an object, sorted by name. Empty for other values. */
export function members(cursor: Cursor | undefined): (Cursor & { readonly key: string })[] {
  if (cursor === undefined || !isObject(cursor.value)) return []
  return sortedEntries(cursor.value).map(([key, value]) => ({
    key,
    value,
    pointer: childPointer(cursor.pointer, key),
  }))
}

/** The elements of an array. Empty for other values. */
export function elements(cursor: Cursor | undefined): Cursor[] {
  if (cursor === undefined || !isArray(cursor.value)) return []
  return cursor.value.map((value, index) => ({ value, pointer: childPointer(cursor.pointer, index) }))
}

/**
 * The object that a chain of Reference Objects ends at; the cursor itself where it is no reference.
 * Undefined where the chain leads nowhere or in a circle.
 */
export function follow(document: Pick<Document, 'root'>, cursor: Cursor): Cursor | undefined {
  const seen = new Set<string>()
  let at = cursor
  for (;;) {
    const reference = isObject(at.value) ? own(at.value, '$ref') : undefined
    if (typeof reference !== 'string') return at
    if (seen.has(reference)) return undefined
    seen.add(reference)
    const target = lookup(document, reference)
    if (target === undefined) return undefined
    at = target
  }
}

/**
 * What a reference into the document (`#/…`) points to; looked for once in a document, which does not change any more.
 */
export function lookup({ root }: Pick<Document, 'root'>, reference: string): Cursor | undefined {
  let known = targets.get(root)
  if (known === undefined) {
    known = new Map<string, Cursor | undefined>()
    targets.set(root, known)
  }
  let target = known.get(reference)
  if (target === undefined && !known.has(reference)) {
    target = found(root, reference)
    known.set(reference, target)
  }
  return target
}

const targets = new WeakMap<JsonObject, Map<string, Cursor | undefined>>()

function found(root: JsonObject, reference: string): Cursor | undefined {
  if (!reference.startsWith('#')) return undefined
  const segments = parseFragment(reference.slice(1))
  if (segments === undefined) return undefined
  const value = valueAt(root, segments)
  return value === undefined ? undefined : { value, pointer: formatPointer(segments) }
}

/** A text member; undefined where it is absent or of another type. */
export function text(object: Json | undefined, key: string): string | undefined {
  const value = isObject(object) ? own(object, key) : undefined
  return typeof value === 'string' ? value : undefined
}

/** Entries sorted by key in code unit order, which no locale changes. */
export function sortedEntries<T>(object: { readonly [key: string]: T }): [string, T][] {
  return Object.keys(object)
    .sort()
    .map((key) => [key, object[key] as T])
}

/** The members whose names are kept. */
export function picked(object: JsonObject, keeps: (key: string) => boolean): JsonObject {
  const result: MutableObject = {}
  for (const key of Object.keys(object)) if (keeps(key)) setOwn(result, key, object[key] ?? null)
  keepDigits(object, result)
  return result
}

/** The members but one. */
export function omitted(object: JsonObject, key: string): JsonObject {
  return picked(object, (name) => name !== key)
}

/** Code unit order. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** An object with its own members only, a key such as `__proto__` included. */
export function objectOf(entries: Iterable<readonly [string, Json]>): JsonObject {
  // Three times as fast as Object.fromEntries, of which documents need a million members.
  const object: MutableObject = {}
  for (const [key, value] of entries) setOwn(object, key, value)
  return object
}
