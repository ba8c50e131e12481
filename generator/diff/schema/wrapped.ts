import type { Cursor } from '../../document/cursor.js'
import type { Json } from '../../document/document.js'
import { isArray, own } from '../../document/json.js'
import { type Composition, compositions } from '../../document/vocabulary.js'
import { asObject, type Side } from '../change/side.js'
import { isAnnotationKeyword } from '../same/same.js'
import { areEqual } from '../same/unchanged.js'
import { dereferenced, within } from '../same/within.js'
import type { SchemaGraph } from './graph.js'
import type { SchemaNode } from './node.js'
import { withTypeList } from './type-list.js'

/**
 * If one schema is only a list of branches and the other is one of them, or has the text of one, wraps the other: `X`
 * next to `anyOf: [X, Y]` is compared as `anyOf: [X]`, so that only Y was added. Other schemas stay as they are.
 */
export function wrapBranch(
  { old, new_, sameness }: Pick<SchemaGraph, 'old' | 'new_' | 'sameness'>,
  { a, b, traits }: Pick<SchemaNode, 'a' | 'b' | 'traits'>,
): readonly [Cursor, Cursor] {
  // Where texts are read, branches that are only types are compared as a list of types.
  if (traits.isLoose === true && (withTypeList(old, a) ?? withTypeList(new_, b)) !== undefined) return [a, b]
  const [ours, theirs] = [compositionOf(a.value), compositionOf(b.value)]
  // `wrapped-in-one-of` reports a schema that became a branch of a `oneOf`.
  if (ours === undefined && theirs !== undefined && theirs !== 'oneOf' && isPlain(a.value)) {
    const isSame = (branch: Json): boolean => sameness.of(a.value, branch) || areEqual(a.value, branch)
    return isBranch([new_, b], theirs, a, isSame) ? [lifted(a, theirs), b] : [a, b]
  }
  if (ours !== undefined && theirs === undefined && isPlain(b.value)) {
    const isSame = (branch: Json): boolean => sameness.of(branch, b.value) || areEqual(branch, b.value)
    return isBranch([old, a], ours, b, isSame) ? [a, lifted(b, ours)] : [a, b]
  }
  return [a, b]
}

/** The keyword of a schema that is only a list of branches. */
function compositionOf(schema: Json): Composition | undefined {
  const keywords = Object.keys(asObject(schema)).filter(
    (key) => key !== 'discriminator' && !isAnnotationKeyword(key),
  )
  const [only] = keywords
  return keywords.length === 1 ? compositions.find((keyword) => keyword === only) : undefined
}

function isPlain(schema: Json): boolean {
  const keywords = Object.keys(asObject(schema)).filter((key) => !isAnnotationKeyword(key))
  return keywords.length > 0 && ![...compositions, '$ref'].some((key) => keywords.includes(key))
}

/** Whether a schema is one of some branches: one is equal to it, or refers to it. */
function isBranch(
  [side, cursor]: readonly [Side, Cursor],
  keyword: Composition,
  { pointer }: Cursor,
  isSame: (branch: Json) => boolean,
): boolean {
  const branches = own(asObject(cursor.value), keyword)
  if (!isArray(branches)) return false
  // A component that is its own branch does not show its old content.
  const mayBeNamed = isNamed(pointer) && cursor.pointer !== pointer
  return branches.some(
    (branch, index) =>
      isSame(branch) ||
      (mayBeNamed && dereferenced(side, within(cursor, branch, keyword, index)).pointer === pointer),
  )
}

function isNamed(pointer: string): boolean {
  return /^#\/components\/schemas\/[^/]+$/.test(pointer)
}

function lifted(cursor: Cursor, keyword: Composition): Cursor {
  const branch: Json = isNamed(cursor.pointer) ? { $ref: cursor.pointer } : cursor.value
  // Validators fill in no default of an alternative.
  const usual = keyword === 'allOf' ? undefined : own(asObject(cursor.value), 'default')
  return { ...cursor, value: { [keyword]: [branch], ...(usual !== undefined && { default: usual }) } }
}
