import { isObject } from '../load/json.js'
import { membersOf } from '../model/alternative-members.js'
import type { Schema } from '../model/model.js'
import { referenceOf, resolve, schemaList } from '../model/schema.js'
import type { Field, Fields } from './fields.js'

/** Alternatives of which a value is one (`oneOf`), or at least one (`anyOf`). */
export interface Choice<Row extends Field = Field> {
  readonly isExclusive: boolean
  readonly branches: readonly Branch<Row>[]
}

interface Branch<Row> {
  /** What tells it from the others: its title, its component, or its members. */
  readonly title: string
  readonly fields: readonly Row[]
}

/**
 * The choices that an object schema leaves, itself or by a part of it. Rows of members that the schema describes itself are left
 * out; a choice whose branches add none says nothing to a reader.
 */
export function choicesOf(schema: Schema, fields: Fields): Choice[] {
  const whole = resolve(fields.schemas, schema)
  if (!isObject(whole)) return []
  const known = new Set(fields.names(whole))
  const own = (['oneOf', 'anyOf'] as const).flatMap((keyword): Choice[] => {
    const listed = schemaList(whole, keyword)
    const branches = listed.map((branch, index) => ({
      title: titleOf(branch, listed, known, fields) || `Alternative ${index + 1}`,
      fields: withoutKnown(fields.of(branch), known),
    }))
    if (branches.length < 2 || branches.every((branch) => branch.fields.length === 0)) return []
    return [{ isExclusive: keyword === 'oneOf', branches }]
  })
  const ofParts = schemaList(whole, 'allOf').flatMap((part) =>
    referenceOf(part) === undefined ? choicesOf(part, fields) : [],
  )
  return [...own, ...ofParts]
}

function titleOf(branch: Schema, all: readonly Schema[], known: ReadonlySet<string>, fields: Fields): string {
  const target = resolve(fields.schemas, branch)
  if (isObject(target) && typeof target.title === 'string' && target.title !== '') return target.title
  const component = referenceOf(branch)
  if (component !== undefined) return component
  const namesOf = (one: Schema) => new Set(membersOf(fields.schemas, one).keys())
  const others = all.filter((other) => other !== branch).map(namesOf)
  const names = [...namesOf(branch)].filter((name) => !known.has(name))
  const unique = names.filter((name) => !others.every((other) => other.has(name)))
  return (unique.length > 0 ? unique : names).slice(0, mostNames).join(', ')
}

/** A row at depth 0 takes the rows below it along. */
function withoutKnown(rows: readonly Field[], known: ReadonlySet<string>): Field[] {
  let isKnown = false
  return rows.filter(({ name, depth }) => {
    if (depth === 0) isKnown = known.has(name)
    return !isKnown
  })
}

const mostNames = 3
