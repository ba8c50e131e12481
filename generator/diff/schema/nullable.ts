import type { Cursor } from '../../document/cursor.js'
import { objectOf } from '../../document/cursor.js'
import type { Json } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { choices, keywordNamed, refusingNull } from '../../document/vocabulary.js'
import { asObject, type Side } from '../change/side.js'
import type { Judgement } from '../decide/judgement.js'
import { isAnnotationKeyword, isReference } from '../same/same.js'
import { branchesOf, dereferenced, listOf, within } from '../same/within.js'
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
 * branches, and is refused. Undefined if neither schema is written so, or if one accepts only null.
 */
export function withoutNull(
  { old, new_, judgement }: Pick<SchemaGraph, 'old' | 'new_' | 'judgement'>,
  a: Cursor,
  b: Cursor,
  direction: 'request' | 'response',
): WithoutNull | undefined {
  const [before, after] = [besideNull(old, a), besideNull(new_, b)]
  if (before === undefined && after === undefined) return undefined
  if ([a, b].some(({ value }) => isNull(value))) return undefined
  const was = apart(a, before, (schema) => takesNull(judgement, 'response', schema))
  const is = apart(b, after, (schema) => takesNull(judgement, 'request', schema))
  if (was === undefined || is === undefined) return undefined
  const change =
    was.hasNull === is.hasNull ? undefined : is.hasNull ? 'became-nullable' : 'became-not-nullable'
  const alone = direction === 'request' ? withoutDefault : (branch: Cursor) => branch
  return {
    change,
    a: before === undefined ? was.rest : alone(was.rest),
    b: after === undefined ? is.rest : alone(is.rest),
  }
}

/** Whether a schema accepts null, and the schema without it. Undefined if null matches two branches and stays in one. */
function apart(
  cursor: Cursor,
  branch: Cursor | undefined,
  accepts: (schema: Cursor) => boolean,
): { readonly hasNull: boolean; readonly rest: Cursor } | undefined {
  if (branch === undefined) return { hasNull: accepts(cursor), rest: strip(cursor, accepts) }
  if (!isExclusive(cursor) || !accepts(branch)) return { hasNull: true, rest: strip(branch, accepts) }
  const rest = strip(branch, accepts)
  return accepts(rest) ? undefined : { hasNull: false, rest }
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

/** The only branch next to null. */
function besideNull(side: Side, cursor: Cursor): Cursor | undefined {
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

function strip(cursor: Cursor, accepts: (schema: Cursor) => boolean): Cursor {
  const schema = asObject(cursor.value)
  if (isReference(cursor.value)) return cursor
  if (!typesOf(schema).includes('null')) {
    const union = withoutNullBranch(cursor)
    // If another branch accepts null as well, `oneOf` would mean something else without the one for null.
    return union === undefined || accepts(union) ? cursor : union
  }
  const types = typesOf(schema).filter((type) => type !== 'null')
  const stripped = objectOf(
    Object.entries(schema).map(([key, value]): [string, Json] => {
      if (key === 'type') return [key, types.length === 1 ? (types[0] ?? '') : types]
      return [key, key === 'enum' ? nonNull(value) : value]
    }),
  )
  return { ...cursor, value: stripped }
}

/** A union without its branch for null. */
function withoutNullBranch(cursor: Cursor): Cursor | undefined {
  const schema = asObject(cursor.value)
  const [keyword, ...others] = Object.keys(schema).filter((key) => !isAnnotationKeyword(key))
  const choice = choices.find((one) => one === keyword)
  if (choice === undefined || others.length > 0) return undefined
  const branches = listOf(schema, choice)
  const kept = branchesOf(branches, (branch) => !isNull(branch))
  const isLess = kept.length > 0 && kept.length < branches.length
  return isLess ? { ...cursor, value: { ...schema, [choice]: kept } } : undefined
}
