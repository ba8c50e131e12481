import { type Constraint, constraintsOf } from '../../code/documentation.js'
import { compareText, objectOf } from '../../document/cursor.js'
import type { JsonObject } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { compositions, strictestFirst } from '../../document/vocabulary.js'
import { keepDigitsAt } from '../../document/written-digits.js'
import { keepOrder } from '../../document/written-order.js'
import { membersOf } from '../../schema/alternative-members.js'
import { referenceOf, requiredOf, resolve, type Schema, schemaList } from '../../schema/schema.js'
import { writtenProperties } from '../../schema/written-properties.js'
import { markdownHtml } from '../html/markdown.js'
import { remembered } from '../remembered.js'
import { type FurtherValues, furtherValues } from './further-values.js'
import { type TypePart, typeParts, typeText } from './type-text.js'
import { partsOf } from './unions.js'

/** One row of a table of fields. */
export interface Field {
  readonly name: string
  /** Levels below the value of the table: 0 to 3. */
  readonly depth: number
  readonly type: readonly { readonly text: string; readonly href?: string }[]
  /** The only component of its type. */
  readonly component: string | undefined
  readonly required: boolean
  /** Constraints and default. */
  readonly facts: readonly Constraint[]
  /** Those that the type has no room for. */
  readonly values: FurtherValues | undefined
  readonly description: string
  readonly badges: readonly Badge[]
  readonly note: Note | undefined
}

export interface Badge {
  readonly text: string
  /** Class: `is-assumed`. */
  readonly tone: string
}

/** Where an item comes from: the document's `x-provenance`, and `x-assumed` with the reasons. */
export interface Note {
  /** `Stated by the owner of the system.` */
  readonly text: string
  readonly reasons: readonly { readonly keyword: string; readonly why: string }[]
}

/** The inputs of a row. */
interface Member extends Pick<Field, 'name' | 'depth' | 'required'> {
  readonly schema: Schema
}

/** Finds the fields of schemas, with links to the pages of components. */
export class Fields {
  constructor(
    readonly schemas: ReadonlyMap<string, Schema>,
    /** The address of a component's page. */
    readonly address: (component: string) => string,
  ) {}

  /** The words of a type, with links to its components. A component without members is replaced by its own words. */
  type(schema: Schema): Field['type'] {
    return this.#linkedParts(partsWithin(this.schemas, schema))
  }

  #linkedParts(parts: readonly TypePart[]): Field['type'] {
    return parts.map(({ text, component }) =>
      component === undefined ? { text } : { text, href: this.address(component) },
    )
  }

  /** Rows of an object's members, each followed by those of its own members. Empty for a value without members. */
  of(schema: Schema): Field[] {
    return members(this.schemas, schema).map(({ name, depth, required, schema: member }) => {
      const { parts, ...row } = described(this.schemas, member)
      const components = parts.flatMap((part) => part.component ?? [])
      const component = components.length === 1 ? components[0] : undefined
      return { name, depth, type: this.#linkedParts(parts), component, required, ...row }
    })
  }

  /** The names in those rows and in those of alternatives, without duplicates, sorted. */
  names(schema: Schema): string[] {
    const rows = members(this.schemas, schema).map(({ name }) => name)
    return [...new Set([...rows, ...membersOf(this.schemas, schema).keys()])].sort(compareText)
  }
}

type Schemas = ReadonlyMap<string, Schema>

/** The words of a type. A component without members is replaced by its own words. */
function partsWithin(schemas: Schemas, schema: Schema): TypePart[] {
  return typeParts(schema).map(({ text, component }) => {
    const target = component === undefined ? undefined : schemas.get(component)
    if (component === undefined || target === undefined) return { text }
    const whole = resolve(schemas, target)
    return isScalar(whole) ? { text: typeText(whole) } : { text, component }
  })
}

/** Whether a component has a page, since a few words do not describe it. */
export function isShown(schemas: Schemas, name: string): boolean {
  return !isScalar(resolve(schemas, schemas.get(name) ?? true))
}

/** The members in the rows of a schema's table. */
const members = remembered((schemas, schema) => membersAt(schemas, resolve(schemas, schema), 0))

function membersAt(schemas: Schemas, schema: Schema, depth: number): Member[] {
  if (!isObject(schema) || depth > deepest) return []
  const parts = partsOf(schemas, schema)
  const properties = new Map(parts.flatMap(writtenProperties))
  const required = new Set(parts.flatMap(requiredOf))
  return [...properties].flatMap(([name, member]) => {
    const inner = innerOf(schemas, member, depth)
    const nested =
      inner === undefined || referenceOf(inner) !== undefined ? [] : membersAt(schemas, inner, depth + 1)
    return [{ name, schema: member, depth, required: required.has(name) }, ...nested]
  })
}

/** The description of a member in a row, independent of page and object. */
const described = remembered((schemas, schema) => {
  const beside = isObject(schema) ? schema : {}
  const target = resolve(schemas, schema)
  const whole = isObject(target) ? target : {}
  const description = own(beside, 'description') ?? own(whole, 'description')
  const parts = partsWithin(schemas, schema)
  return {
    parts,
    values: furtherValues(schema),
    facts: factsBeside(parts, isObject(target) && !hasMembers(target) ? withBeside(target, beside) : beside),
    description: typeof description === 'string' ? markdownHtml(description) : '',
    badges: badgesOf(beside, whole),
    note: noteOf(beside, whole),
  }
})

/** A schema with the keywords next to its reference, and the digits of both. */
function withBeside(target: JsonObject, beside: JsonObject): JsonObject {
  const made = { ...target, ...beside }
  for (const key of Object.keys(target))
    if (!Object.hasOwn(beside, key)) keepDigitsAt([target, key], [made, key])
  return made
}

/** Constraints and default, without a format that the type already has: `string (uri)`. */
function factsBeside(parts: readonly TypePart[], schema: JsonObject): Constraint[] {
  const { format, ...others } = schema
  return constraintsOf(parts.some(({ text }) => text.includes(`(${format})`)) ? others : schema)
}

/** Deeper rows only show a value's type, not its members. */
const deepest = 3

/** The marks of an item: its deprecation, its direction. */
export function badgesOf(item: JsonObject, fallback: JsonObject = {}): Badge[] {
  const badges: Badge[] = []
  if (own(item, 'deprecated') === true || own(fallback, 'deprecated') === true)
    badges.push({ text: 'Deprecated', tone: 'is-dangerous' })
  if (own(item, 'readOnly') === true) badges.push({ text: 'Read only', tone: 'is-plain' })
  if (own(item, 'writeOnly') === true) badges.push({ text: 'Write only', tone: 'is-plain' })
  return badges
}

/** @param fallback applies if the item has no provenance of its own */
export function noteOf(item: JsonObject, fallback: JsonObject = {}): Note | undefined {
  const provenance = own(item, 'x-provenance') ?? own(fallback, 'x-provenance')
  const assumption = own(item, 'x-assumed') ?? own(fallback, 'x-assumed')
  const reasons = Object.entries(isObject(assumption) ? assumption : {}).map(([keyword, why]) => ({
    keyword,
    why: String(why),
  }))
  const text = typeof provenance === 'string' ? provenances.get(provenance) : undefined
  if (text === undefined && reasons.length === 0) return undefined
  return { text: text ?? 'Assumed in part.', reasons }
}

const provenances = new Map([
  ['stated', 'Stated by the owner of the system.'],
  ['inferred', 'Follows from what is stated.'],
  ['assumed', 'Assumed.'],
])

/**
 * The content of a value: the items of an array, the values of a map, the members of all alternatives.
 * Alternatives of a member at depth 0 have their own tables.
 */
function innerOf(schemas: ReadonlyMap<string, Schema>, schema: Schema, depth: number): Schema | undefined {
  if (!isObject(schema)) return undefined
  const items = own(schema, 'items')
  if (isObject(items)) return innerOf(schemas, items, depth)
  const values = own(schema, 'additionalProperties')
  if (isObject(values) && !hasMembers(schema)) return innerOf(schemas, values, depth)
  for (const keyword of strictestFirst) {
    if (!isArray(own(schema, keyword)) || hasMembers(schema)) continue
    const branches = schemaList(schema, keyword).filter((branch) => isObject(branch) && hasMembers(branch))
    if (branches.length < 2) return branches[0]
    if (depth === 0) return undefined
    const members = [...membersOf(schemas, { anyOf: branches })]
    const properties = objectOf(members.map(([name, member]) => [name, member.schema]))
    const written = branches.flatMap((branch) => partsOf(schemas, branch)).flatMap(writtenProperties)
    keepOrder(properties, [...new Set(written.map(([name]) => name))])
    return {
      properties,
      required: members.flatMap(([name, { required }]) => (required ? name : [])),
    }
  }
  return schema
}

/** Whether a few words describe it completely. */
function isScalar(schema: Schema): boolean {
  if (!isObject(schema)) return true
  const isMade = [...compositions, 'items', 'properties', 'additionalProperties'].some((keyword) =>
    Object.hasOwn(schema, keyword),
  )
  return !isMade && schema.type !== 'object' && schema.type !== 'array' && furtherValues(schema) === undefined
}

function hasMembers(schema: JsonObject): boolean {
  return Object.hasOwn(schema, 'properties') || Object.hasOwn(schema, 'allOf')
}
