import type { Cursor } from '../../document/cursor.js'
import { objectOf } from '../../document/cursor.js'
import type { Json } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { choices, keywordNamed, refusingNull } from '../../document/vocabulary.js'
import { asObject, type Side } from '../change/side.js'
import type { Judgement } from '../decide/judgement.js'
import { isAnnotationKeyword, isReference } from '../same/same.js'
import { dereferenced, within } from '../same/within.js'
import { typesOf } from '../texts/types.js'
import type { SchemaGraph } from './graph.js'

export interface WithoutNull {
  readonly change: 'became-nullable' | 'became-not-nullable' | undefined
  readonly a: Cursor
  readonly b: Cursor
}

/**
 * Both schemas without null, if at least one writes null as a branch next to exactly one other. `anyOf: [X, {type:
 * null}]` means the same as X with a second type. So does `oneOf`, unless X accepts null itself: null then matches both
 * branches. Undefined if neither schema is written so, or if one accepts only null.
 */
export function withoutNull(
  { old, new_, judgement }: Pick<SchemaGraph, 'old' | 'new_' | 'judgement'>,
  a: Cursor,
  b: Cursor,
  direction: 'request' | 'response',
): WithoutNull | undefined {
  const [before, after] = [withoutNullBranch(old, a), withoutNullBranch(new_, b)]
  if (before === undefined && after === undefined) return undefined
  if (before !== undefined && isExclusive(a) && takesNull(judgement, 'response', before)) return undefined
  if (after !== undefined && isExclusive(b) && takesNull(judgement, 'request', after)) return undefined
  if ([a, b].some(({ value }) => isNull(value))) return undefined
  const [hadNull, hasNull] = [
    before !== undefined || takesNull(judgement, 'response', a),
    after !== undefined || takesNull(judgement, 'request', b),
  ]
  // If only one side has a null branch, compare the other side without null.
  const change = hadNull === hasNull ? undefined : hasNull ? 'became-nullable' : 'became-not-nullable'
  const alone = direction === 'request' ? withoutDefault : (branch: Cursor) => branch
  return { change, a: before ? alone(before) : strip(a), b: after ? alone(after) : strip(b) }
}

/** Validators fill in no default of one branch of two. */
function withoutDefault(branch: Cursor): Cursor {
  const { default: usual, ...others } = asObject(branch.value)
  return usual === undefined ? branch : { ...branch, value: others }
}

function isExclusive({ value }: Cursor): boolean {
  return own(asObject(value), 'oneOf') !== undefined
}

/** The old version's schemas check responses, the new version's check requests. */
function takesNull(judgement: Judgement, direction: 'request' | 'response', { value }: Cursor): boolean {
  const { verdict } = judgement.passes(direction, nullOnly, value)
  if (verdict !== 'unknown') return verdict === 'contained'
  const schema = asObject(value)
  const listed = own(schema, 'enum')
  return typesOf(schema).includes('null') && (!isArray(listed) || listed.includes(null))
}

const nullOnly = { const: null }

function withoutNullBranch(side: Side, cursor: Cursor): Cursor | undefined {
  const schema = asObject(cursor.value)
  for (const keyword of choices) {
    const branches = own(schema, keyword)
    if (!isArray(branches) || branches.length !== 2) continue
    const others = Object.keys(schema).filter((key) => key !== keyword && !isAnnotationKeyword(key))
    const index = branches.findIndex((branch) => !isNull(branch))
    const branch = branches[index]
    if (others.length > 0 || branch === undefined || !branches.some(isNull)) continue
    return dereferenced(side, within(cursor, branch, keyword, index))
  }
  return undefined
}

/** Whether a schema accepts null and nothing else. With further keywords it may refuse even null. */
function isNull(branch: unknown): boolean {
  if (!isObject(branch) || typesOf(branch).join() !== 'null') return false
  const { type: _, enum: values, ...others } = branch
  if (isArray(values) && !values.includes(null)) return false
  const isNeutral = (key: string): boolean => keywordNamed(key) !== undefined && !refusingNull.has(key)
  return Object.keys(others).every((key) => isAnnotationKeyword(key) || isNeutral(key))
}

function nonNull(values: Json): Json {
  return isArray(values) ? values.filter((value) => value !== null) : values
}

function strip(cursor: Cursor): Cursor {
  const schema = asObject(cursor.value)
  if (isReference(cursor.value) || !typesOf(schema).includes('null')) return cursor
  const types = typesOf(schema).filter((type) => type !== 'null')
  const stripped = objectOf(
    Object.entries(schema).map(([key, value]): [string, Json] => {
      if (key === 'type') return [key, types.length === 1 ? (types[0] ?? '') : types]
      return [key, key === 'enum' ? nonNull(value) : value]
    }),
  )
  return { ...cursor, value: stripped }
}
