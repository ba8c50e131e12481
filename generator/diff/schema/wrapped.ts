import type { Cursor } from '../../document/cursor.js'
import type { Json } from '../../document/document.js'
import { isArray, own } from '../../document/json.js'
import { compositions } from '../../document/vocabulary.js'
import { asObject, type Side } from '../change/side.js'
import { isAnnotationKeyword } from '../same/same.js'
import { behind, within } from '../same/within.js'
import type { SchemaGraph } from './graph.js'
import type { SchemaNode } from './node.js'
import { withTypeList } from './type-list.js'

/**
 * Two schemas where one is nothing but alternatives, of which the other is one: `X` beside `anyOf: [X, Y]` is compared as
 * `anyOf: [X]`, so that Y alone has come. All others as they are.
 */
export function asBranches(
  { old, new_, sameness }: Pick<SchemaGraph, 'old' | 'new_' | 'sameness'>,
  { a, b, traits }: Pick<SchemaNode, 'a' | 'b' | 'traits'>,
): readonly [Cursor, Cursor] {
  // Branches that are nothing but types are compared as a list of types where texts are read.
  if (traits.isLoose === true && (withTypeList(old, a) ?? withTypeList(new_, b)) !== undefined) return [a, b]
  const [ours, theirs] = [alternativesOf(a.value), alternativesOf(b.value)]
  // A schema that became a branch of a `oneOf` is reported as that.
  if (ours === undefined && theirs === 'anyOf' && isPlain(a.value)) {
    const isSame = (branch: Json): boolean => sameness.of(a.value, branch)
    return isBranch([new_, b], theirs, a, isSame) ? [lifted(a, theirs), b] : [a, b]
  }
  if (ours !== undefined && theirs === undefined && isPlain(b.value)) {
    const isSame = (branch: Json): boolean => sameness.of(branch, b.value)
    return isBranch([old, a], ours, b, isSame) ? [a, lifted(b, ours)] : [a, b]
  }
  return [a, b]
}

type Alternatives = 'anyOf' | 'oneOf'

function alternativesOf(schema: Json): Alternatives | undefined {
  const keywords = Object.keys(asObject(schema)).filter(
    (key) => key !== 'discriminator' && !isAnnotationKeyword(key),
  )
  const [only] = keywords
  return keywords.length === 1 && (only === 'anyOf' || only === 'oneOf') ? only : undefined
}

function isPlain(schema: Json): boolean {
  const keywords = Object.keys(asObject(schema)).filter((key) => !isAnnotationKeyword(key))
  return keywords.length > 0 && ![...compositions, '$ref'].some((key) => keywords.includes(key))
}

/** Whether a schema is one of some alternatives: it says the same, or is the one that has its name. */
function isBranch(
  [side, cursor]: readonly [Side, Cursor],
  keyword: Alternatives,
  { pointer }: Cursor,
  isSame: (branch: Json) => boolean,
): boolean {
  const branches = own(asObject(cursor.value), keyword)
  if (!isArray(branches)) return false
  // A component that is a branch of itself says nothing of what it was.
  const mayBeNamed = isNamed(pointer) && cursor.pointer !== pointer
  return branches.some(
    (branch, index) =>
      isSame(branch) ||
      (mayBeNamed && behind(side, within(cursor, branch, keyword, index)).pointer === pointer),
  )
}

function isNamed(pointer: string): boolean {
  return /^#\/components\/schemas\/[^/]+$/.test(pointer)
}

function lifted(cursor: Cursor, keyword: Alternatives): Cursor {
  const branch: Json = isNamed(cursor.pointer) ? { $ref: cursor.pointer } : cursor.value
  // Validators fill in no default of a branch.
  const usual = own(asObject(cursor.value), 'default')
  return { ...cursor, value: { [keyword]: [branch], ...(usual !== undefined && { default: usual }) } }
}
