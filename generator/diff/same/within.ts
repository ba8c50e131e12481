import { type Cursor, childPointer, compareText, picked } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { compositions } from '../../document/vocabulary.js'
import { asObject, referenced, type Side } from '../change/side.js'
import { isReference, onlyBranch } from './same.js'

/** The schema behind references that have no siblings. */
export function dereferenced(side: Side, cursor: Cursor): Cursor {
  let at = cursor
  for (let steps = 0; steps < 50 && isReference(at.value); steps++) {
    const target = referenced(side, at.value.$ref)
    if (target === undefined) return at
    at = target
  }
  return at.value === false ? { ...at, value: { not: {} } } : at
}

/** Whether a schema is `false`, as it is dereferenced. */
export function refusesAll({ not }: JsonObject): boolean {
  return isObject(not) && Object.keys(not).length === 0
}

/**
 * Two schemas behind their references and single branches: `anyOf: [X]` is compared as X, unless the other schema has
 * branches to compare it with and X has none.
 */
export function dereferencedBoth(
  [old, a]: readonly [Side, Cursor],
  [new_, b]: readonly [Side, Cursor],
): readonly [Cursor, Cursor] {
  let [one, other] = [dereferenced(old, a), dereferenced(new_, b)]
  for (let steps = 0; steps < 50; steps++) {
    const [ours, theirs] = [onlyBranch(one.value), onlyBranch(other.value)]
    const inner = ours && within(one, listOf(asObject(one.value), ours)[0] ?? true, ours, 0)
    const theirInner = theirs && within(other, listOf(asObject(other.value), theirs)[0] ?? true, theirs, 0)
    const isFree = (to: Cursor, { value }: Cursor): boolean => hasBranches(to.value) || !hasBranches(value)
    const isOurs = inner !== undefined && (theirs !== undefined || isFree(inner, other))
    const isTheirs = theirInner !== undefined && (ours !== undefined || isFree(theirInner, one))
    if (!isOurs && !isTheirs) break
    if (isOurs) one = dereferenced(old, inner)
    if (isTheirs) other = dereferenced(new_, theirInner)
  }
  return [one, other]
}

function hasBranches(schema: Json): boolean {
  return compositions.some((keyword) => own(asObject(schema), keyword) !== undefined)
}

/** The cursor of a nested schema. */
export function within(cursor: Cursor, value: Json, ...keys: readonly (string | number)[]): Cursor {
  return { value, pointer: childPointer(cursor.pointer, ...keys) }
}

/** Whether a schema is not an inline part of another. */
export function isOutside(to: Cursor, from: Cursor): boolean {
  if (to.pointer === from.pointer) return to.value === from.value
  return !to.pointer.startsWith(`${from.pointer}/`)
}

/** The sorted names of the members of two objects. */
export function namesOf(a: Json | undefined, b: Json | undefined): string[] {
  const names = [a, b].flatMap((value) => (isObject(value) && !isArray(value) ? Object.keys(value) : []))
  return [...new Set(names)].sort(compareText)
}

/** A schema with only some of its keywords. */
export function pick(schema: JsonObject, keywords: readonly string[]): JsonObject {
  return picked(schema, (key) => keywords.includes(key))
}

/** A list of schemas. Empty if there is none. */
export function listOf(schema: JsonObject, keyword: string): readonly Json[] {
  const value = own(schema, keyword)
  return isArray(value) ? value : []
}

/** Some branches of a list. `branchWithin` knows where they are in their document. */
export function branchesOf(list: readonly Json[], isKept: (branch: Json) => boolean): readonly Json[] {
  const kept = list.map((branch, index) => ({ branch, index })).filter(({ branch }) => isKept(branch))
  const branches = kept.map(({ branch }) => branch)
  indexes.set(
    branches,
    kept.map(({ index }) => index),
  )
  return branches
}

const indexes = new WeakMap<readonly Json[], readonly number[]>()

/** The cursor of a branch. */
export function branchWithin(cursor: Cursor, list: readonly Json[], keyword: string, index: number): Cursor {
  return within(cursor, list[index] ?? null, keyword, indexes.get(list)?.[index] ?? index)
}

/** A schema as messages name it. */
export function labelOf(schema: Json | undefined): Json | undefined {
  if (!isObject(schema)) return schema
  const reference = own(schema, '$ref') ?? own(schema, 'title')
  return typeof reference === 'string' ? reference : schema
}
