import { factsOf } from '../code/documentation.js'
import { objectOf } from '../document/cursor.js'
import type { JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { membersOf } from '../schema/alternative-members.js'
import { referenceOf, requiredOf, resolve, type Schema, schemaList, schemaMap } from '../schema/schema.js'
import { inlineHtml } from './markdown.js'
import { remembered } from './remembered.js'
import { type TypePart, typeParts, typeText } from './type-text.js'
import { partsOf } from './unions.js'

/** One row of a table of fields. */
export interface Field {
  readonly name: string
  /** Steps below the value that the table is about: 0 to 3. */
  readonly depth: number
  readonly type: readonly { readonly text: string; readonly href?: string }[]
  readonly required: boolean
  /** Limits and default, as a sentence. */
  readonly facts: string
  readonly description: string
  readonly badges: readonly Badge[]
  readonly assumed: Assumed | undefined
}

export interface Badge {
  readonly text: string
  /** Class: `is-assumed`. */
  readonly tone: string
}

/** What of an item is assumed though the item itself may be stated, with the reasons. */
export interface Assumed {
  /** `assumed: maximum, minimum` */
  readonly text: string
  readonly reasons: readonly { readonly keyword: string; readonly why: string }[]
}

/** What a row is made of. */
interface Member extends Pick<Field, 'name' | 'depth' | 'required'> {
  readonly schema: Schema
}

/** Finds the fields of schemas, and which component schemas they lead to. */
export class Fields {
  /** Components that a table has a link to, in the order of their first link. */
  readonly linked = new Set<string>()

  /** @param page that has the components; empty: the one with the table */
  constructor(
    readonly schemas: ReadonlyMap<string, Schema>,
    readonly page = '',
  ) {}

  /** The type's words, with links to the components it names; of a component without members its own words. */
  type(schema: Schema): Field['type'] {
    return this.#linkedParts(partsWithin(this.schemas, schema))
  }

  #linkedParts(parts: readonly TypePart[]): Field['type'] {
    return parts.map(({ text, component }) => {
      if (component === undefined) return { text }
      this.linked.add(component)
      return { text, href: `${this.page}#${schemaAnchor(component)}` }
    })
  }

  /** Rows of an object's members, those of objects within it below them; none for a value that has no members. */
  of(schema: Schema): Field[] {
    return members(this.schemas, schema).map(({ name, depth, required, schema: member }) => {
      const { parts, ...row } = described(this.schemas, member)
      return { name, depth, type: this.#linkedParts(parts), required, ...row }
    })
  }

  /** The names that those rows have, and those of alternatives, each once. */
  names(schema: Schema): string[] {
    const rows = members(this.schemas, schema).map(({ name }) => name)
    return [...new Set([...rows, ...membersOf(this.schemas, schema).keys()])]
  }
}

type Schemas = ReadonlyMap<string, Schema>

/** The words of a type, those of a component without members in its place. */
function partsWithin(schemas: Schemas, schema: Schema): TypePart[] {
  return typeParts(schema).map(({ text, component }) => {
    const target = component === undefined ? undefined : schemas.get(component)
    if (component === undefined || target === undefined) return { text }
    const whole = resolve(schemas, target)
    return isScalar(whole) ? { text: typeText(whole) } : { text, component }
  })
}

/** What a table of a schema has rows of. */
const members = remembered((schemas, schema) => membersAt(schemas, resolve(schemas, schema), 0))

function membersAt(schemas: Schemas, schema: Schema, depth: number): Member[] {
  if (!isObject(schema) || depth > deepest) return []
  const parts = partsOf(schemas, schema)
  const properties = new Map(parts.flatMap((part) => schemaMap(part, 'properties')))
  const required = new Set(parts.flatMap(requiredOf))
  return [...properties].flatMap(([name, member]) => {
    const inner = innerOf(schemas, member, depth)
    const nested =
      inner === undefined || referenceOf(inner) !== undefined ? [] : membersAt(schemas, inner, depth + 1)
    return [{ name, schema: member, depth, required: required.has(name) }, ...nested]
  })
}

/** What a row says of a member, whatever page and object it stands in. */
const described = remembered((schemas, schema) => {
  const beside = isObject(schema) ? schema : {}
  const target = resolve(schemas, schema)
  const whole = isObject(target) ? target : {}
  const said = own(beside, 'description') ?? own(whole, 'description')
  return {
    parts: partsWithin(schemas, schema),
    facts: factsOf(isObject(target) && !hasMembers(target) ? { ...target, ...beside } : beside),
    description: typeof said === 'string' ? inlineHtml(said) : '',
    badges: badgesOf(beside, whole),
    assumed: assumedOf(beside, whole),
  }
})

/** Rows deeper than this say what a value is, and not what is in it. */
const deepest = 3

/** Where a component's own section stands on a page. */
export function schemaAnchor(name: string): string {
  return `schema-${encodeURIComponent(name)}`
}

/** What is marked at an item: its provenance, its deprecation, who may send it. */
export function badgesOf(item: JsonObject, fallback: JsonObject = {}): Badge[] {
  const badges: Badge[] = []
  const provenance = own(item, 'x-provenance') ?? own(fallback, 'x-provenance')
  if (typeof provenance === 'string' && provenances.has(provenance))
    badges.push({ text: provenance, tone: `is-${provenance}` })
  if (own(item, 'deprecated') === true || own(fallback, 'deprecated') === true)
    badges.push({ text: 'deprecated', tone: 'is-dangerous' })
  if (own(item, 'readOnly') === true) badges.push({ text: 'read only', tone: 'is-plain' })
  if (own(item, 'writeOnly') === true) badges.push({ text: 'write only', tone: 'is-plain' })
  return badges
}

/** @param fallback counts where the item says nothing itself */
export function assumedOf(item: JsonObject, fallback: JsonObject = {}): Assumed | undefined {
  const said = own(item, 'x-assumed') ?? own(fallback, 'x-assumed')
  if (!isObject(said)) return undefined
  const reasons = Object.entries(said).map(([keyword, why]) => ({ keyword, why: String(why) }))
  if (reasons.length === 0) return undefined
  return { text: `assumed: ${reasons.map(({ keyword }) => keyword).join(', ')}`, reasons }
}

const provenances = new Set(['stated', 'inferred', 'assumed'])

/**
 * What a value holds: the items of an array, the values of a map, the members of all alternatives. Alternatives of a member
 * at depth 0 have tables of their own.
 */
function innerOf(schemas: ReadonlyMap<string, Schema>, schema: Schema, depth: number): Schema | undefined {
  if (!isObject(schema)) return undefined
  const items = own(schema, 'items')
  if (isObject(items)) return innerOf(schemas, items, depth)
  const values = own(schema, 'additionalProperties')
  if (isObject(values) && !hasMembers(schema)) return innerOf(schemas, values, depth)
  for (const keyword of ['oneOf', 'anyOf']) {
    if (!isArray(own(schema, keyword)) || hasMembers(schema)) continue
    const branches = schemaList(schema, keyword).filter((branch) => isObject(branch) && hasMembers(branch))
    if (branches.length < 2) return branches[0]
    if (depth === 0) return undefined
    const members = [...membersOf(schemas, { anyOf: branches })]
    return {
      properties: objectOf(members.map(([name, member]) => [name, member.schema])),
      required: members.flatMap(([name, { required }]) => (required ? name : [])),
    }
  }
  return schema
}

/** Whether a few words say all there is. */
function isScalar(schema: Schema): boolean {
  if (!isObject(schema)) return true
  const isMade = ['allOf', 'anyOf', 'oneOf', 'items', 'properties', 'additionalProperties'].some((keyword) =>
    Object.hasOwn(schema, keyword),
  )
  return !isMade && schema.type !== 'object' && schema.type !== 'array'
}

function hasMembers(schema: JsonObject): boolean {
  return Object.hasOwn(schema, 'properties') || Object.hasOwn(schema, 'allOf')
}
