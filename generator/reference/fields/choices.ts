import type { Json, JsonObject } from '../../document/document.js'
import { isArray, own } from '../../document/json.js'
import { referenceOf, type Schema } from '../../schema/schema.js'
import { writtenProperties } from '../../schema/written-properties.js'
import type { Field, Fields } from './fields.js'
import { alternativeOf, isChoiceOfObjects, itemOf, partsOf, type Union, unionsOf } from './unions.js'

/** Alternatives for a value: exactly one (`oneOf`), or at least one (`anyOf`). */
export interface Choice<Row extends Field = Field> {
  /** The member that has the choice. Empty for the whole value. */
  readonly of: string
  /** Whether the choice applies to the member's items. */
  readonly isOfItems: boolean
  readonly isExclusive: boolean
  readonly branches: readonly Branch<Row>[]
}

interface Branch<Row> {
  /** Distinguishes it from the others: its title, its component, or its members, and the value of a discriminator. */
  readonly title: string
  readonly type: Field['type']
  /** Whether the type is a link to its page. */
  readonly hasPage: boolean
  readonly fields: readonly Row[]
}

/** The alternatives of a choice that an operation's example uses. */
export interface ShownChoice {
  readonly of: string
  readonly shown: string
  readonly others: readonly string[]
}

/**
 * The choices of an object schema, directly or in its parts. Omits rows of members that the schema itself
 * describes, and choices whose branches add no members.
 */
export function choicesOf(schema: Schema, fields: Fields): Choice[] {
  const known = new Set(fields.of(schema).flatMap(({ name, depth }) => (depth === 0 ? name : [])))
  return unionsOf(fields.schemas, schema)
    .map((union) => choice('', union, (one) => withoutKnown(fields.of(one), known), fields))
    .filter(({ branches }) => branches.some((branch) => branch.fields.length > 0))
}

/**
 * The same, and the choices of objects in its members. If there are many rows, the pages of components
 * show them.
 */
export function choicesWithin(schema: Schema, fields: Fields): Choice[] {
  const ofMembers = memberUnions(schema, fields).map(({ of, isOfItems, union }) => ({
    ...choice(of, union, (one) => fields.of(one), fields),
    isOfItems,
  }))
  return bounded([...choicesOf(schema, fields), ...ofMembers])
}

/** The choices of a component. */
export function choicesOfComponent(schema: Schema, fields: Fields): Choice[] {
  const found = unionsOf(fields.schemas, schema)
    .filter(({ alternatives }) => isChoiceOfObjects(fields.schemas, alternatives))
    .map((union) => choice('', union, (one) => fields.of(one), fields))
  return bounded(found)
}

/** Without the rows that a page has no room for. Those of a component are on its own page. */
function bounded(choices: readonly Choice[]): Choice[] {
  let room = mostRows
  return choices.map((one) => ({
    ...one,
    branches: one.branches.map((branch) => {
      if (branch.fields.length > room) return { ...branch, fields: [] }
      room -= branch.fields.length
      return branch
    }),
  }))
}

const mostRows = 150

/** The alternatives that an example uses. */
export function shownChoices(schema: Schema, fields: Fields, example: JsonObject): ShownChoice[] {
  const { schemas } = fields
  const whole = unionsOf(schemas, schema).filter(({ alternatives }) =>
    isChoiceOfObjects(schemas, alternatives),
  )
  return [...whole.map((union) => ({ of: '', union })), ...memberUnions(schema, fields)].flatMap(
    ({ of, union: { alternatives } }) => {
      const value = of === '' ? example : firstItem(own(example, of))
      const shown = value === undefined ? undefined : alternativeOf(schemas, alternatives, value)
      if (shown === undefined) return []
      const others = alternatives.filter((one) => one !== shown).map(({ label }) => label)
      const more = others.length > mostNamed ? [`${others.length - mostNamed} more`] : []
      return [{ of, shown: shown.label, others: [...others.slice(0, mostNamed), ...more] }]
    },
  )
}

const mostNamed = 12

function choice(
  of: string,
  { isExclusive, alternatives }: Union,
  rows: (schema: Schema) => Field[],
  fields: Fields,
): Choice {
  const branches = alternatives.map(({ schema, label }) => ({
    title: label,
    type: fields.type(schema),
    hasPage: referenceOf(schema) !== undefined,
    fields: rows(schema),
  }))
  return { of, isOfItems: false, isExclusive, branches }
}

function memberUnions(
  schema: Schema,
  { schemas }: Fields,
): {
  readonly of: string
  readonly isOfItems: boolean
  readonly union: Union
}[] {
  const members = new Map(partsOf(schemas, schema).flatMap(writtenProperties))
  return [...members].flatMap(([of, member]) =>
    unionsOf(schemas, itemOf(schemas, member))
      .filter(({ alternatives }) => isChoiceOfObjects(schemas, alternatives))
      .map((union) => ({ of, isOfItems: itemOf(schemas, member) !== member, union })),
  )
}

function firstItem(value: Json | undefined): Json | undefined {
  return isArray(value) ? firstItem(value[0]) : value
}

/** Removes known rows. A row at depth 0 is removed with the rows below it. */
function withoutKnown(rows: readonly Field[], known: ReadonlySet<string>): Field[] {
  let isKnown = false
  return rows.filter(({ name, depth }) => {
    if (depth === 0) isKnown = known.has(name)
    return !isKnown
  })
}
