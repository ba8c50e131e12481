import type { Json, JsonObject } from '../../document/document.js'
import { isObject, own } from '../../document/json.js'
import { strictestFirst } from '../../document/vocabulary.js'
import { membersOf } from '../../schema/alternative-members.js'
import { allowedTypes } from '../../schema/coercion.js'
import { discriminatorProperty, fixedValues, namedValues } from '../../schema/discriminator.js'
import { leavesFirst } from '../../schema/graphs.js'
import { referenceOf, requiredOf, resolve, type Schema, schemaList, schemaMap } from '../../schema/schema.js'
import { remembered } from '../remembered.js'
import { typeText } from './type-text.js'

type Schemas = ReadonlyMap<string, Schema>

/** One of the schemas of a `oneOf` or `anyOf`. */
export interface Alternative {
  readonly schema: Schema
  /** A unique label for readers: `Cat (kind: "cat")`. */
  readonly label: string
  /** The property whose value distinguishes it from the others. */
  readonly tag: { readonly property: string; readonly values: readonly Json[] } | undefined
}

/** A schema and all its parts from `allOf`. Each comes after its own parts. */
export function partsOf(schemas: Schemas, schema: Schema): JsonObject[] {
  const objectOf = (part: Schema): JsonObject[] => {
    const target = resolve(schemas, part)
    return isObject(target) ? [target] : []
  }
  const within = (whole: JsonObject): JsonObject[] => schemaList(whole, 'allOf').flatMap(objectOf).reverse()
  return objectOf(schema).flatMap((whole) => leavesFirst(whole, within, () => false))
}

/** A `oneOf` or `anyOf`. */
export interface Union {
  readonly isExclusive: boolean
  /** At least two. An alternative that is itself a union is replaced by its alternatives. */
  readonly alternatives: readonly Alternative[]
}

/** The unions in a schema, including those in its `allOf`. */
export const unionsOf = remembered((schemas, schema): readonly Union[] => {
  const parts = partsOf(schemas, schema)
  const outside = new Set(parts.flatMap((part) => schemaMap(part, 'properties').map(([name]) => name)))
  return parts
    .flatMap((part) =>
      strictestFirst.map((keyword) => ({
        isExclusive: keyword === 'oneOf',
        alternatives: alternativesOf(schemas, part, keyword, outside),
      })),
    )
    .filter(({ alternatives }) => alternatives.length > 1)
})

/** Whether several alternatives have their own members, so that one list of fields cannot show them. */
export function isChoiceOfObjects(schemas: Schemas, alternatives: readonly Alternative[]): boolean {
  return alternatives.filter(({ schema }) => hasMembers(schemas, schema)).length > 1
}

/** The first alternative that matches a value's type and members. */
export function alternativeOf(
  schemas: Schemas,
  alternatives: readonly Alternative[],
  value: Json,
): Alternative | undefined {
  return alternatives.find(({ schema, tag }) => {
    if (tag !== undefined && tag.values.length > 0)
      return isObject(value) && tag.values.includes(own(value, tag.property) ?? null)
    const types = allowedTypes(schemas, schema)
    if (types !== undefined && !types.has(typeOf(value))) return false
    const parts = partsOf(schemas, schema)
    const [known] = parts.flatMap((part) => own(part, 'enum') ?? own(part, 'const') ?? [])
    if (known !== undefined && !isObject(value)) return [known].flat().includes(value)
    return !isObject(value) || parts.flatMap(requiredOf).every((name) => Object.hasOwn(value, name))
  })
}

/** The items of an array, however nested. A schema that is not an array stays. */
export function itemOf(schemas: Schemas, schema: Schema, depth = 0): Schema {
  const target = resolve(schemas, schema)
  const items = isObject(target) ? own(target, 'items') : undefined
  return isObject(items) && depth < deepestList ? itemOf(schemas, items, depth + 1) : schema
}

const deepestList = 4

function typeOf(value: Json): 'array' | 'boolean' | 'integer' | 'null' | 'number' | 'object' | 'string' {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value as 'boolean' | 'object' | 'string'
}

/** @param outside the members that the schema declares outside of its alternatives */
function alternativesOf(
  schemas: Schemas,
  whole: JsonObject,
  keyword: string,
  outside: ReadonlySet<string>,
  seen: ReadonlySet<Schema> = new Set(),
): Alternative[] {
  const listed = schemaList(whole, keyword)
  if (listed.length < 2) return []
  const property = discriminatorProperty(whole) ?? tellingProperty(schemas, listed)
  const within = new Set([...seen, whole])
  const found = listed.flatMap((schema, index): Alternative[] => {
    const inner = innerUnion(schemas, schema, within)
    if (inner !== undefined) return alternativesOf(schemas, inner.whole, inner.keyword, outside, within)
    if (isNothing(schema, outside)) return [{ schema, label: 'none of these', tag: undefined }]
    const values = property === undefined ? [] : valuesOf(schemas, whole, schema, property)
    const tag = property === undefined || values.length === 0 ? undefined : { property, values }
    return [{ schema, tag, label: labelOf({ schemas, schema, listed, outside, index }, tag) }]
  })
  const labels = found.map(({ label }) => label)
  return found.map((one, index) =>
    labels.indexOf(one.label) === labels.lastIndexOf(one.label)
      ? one
      : { ...one, label: `${one.label}, alternative ${index + 1}` },
  )
}

/** The values of an alternative. Includes the name of its component unless the document maps that to another. */
function valuesOf(schemas: Schemas, whole: JsonObject, schema: Schema, property: string): readonly Json[] {
  const fixed = fixedValues(schemas, schema, property)
  if (fixed !== undefined) return fixed
  const named = namedValues(whole, schema) ?? []
  return named.length > 1 ? named.filter((value) => value !== referenceOf(schema)) : named
}

/** The union, if an alternative is nothing but a union. */
function innerUnion(
  schemas: Schemas,
  schema: Schema,
  seen: ReadonlySet<Schema>,
): { readonly whole: JsonObject; readonly keyword: string } | undefined {
  const whole = resolve(schemas, schema)
  if (!isObject(whole) || seen.has(whole) || seen.size > 4) return undefined
  const [keyword, ...others] = strictestFirst.filter((name) => schemaList(whole, name).length > 1)
  const isMore = ['properties', 'allOf', 'required'].some((name) => Object.hasOwn(whole, name))
  return keyword === undefined || others.length > 0 || isMore ? undefined : { whole, keyword }
}

/**
 * Whether an alternative represents a value without any of the others: it has no members but those of the
 * surrounding schema.
 */
function isNothing(schema: Schema, outside: ReadonlySet<string>): boolean {
  return (
    isObject(schema) &&
    own(schema, 'additionalProperties') === false &&
    schemaMap(schema, 'properties').every(([name]) => outside.has(name))
  )
}

/** A property for which each alternative with members has its own values. */
function tellingProperty(schemas: Schemas, alternatives: readonly Schema[]): string | undefined {
  const objects = alternatives.filter((schema) => hasMembers(schemas, schema))
  const [first] = objects
  if (first === undefined || objects.length < 2) return undefined
  return [...membersOf(schemas, first).keys()].find((name) => {
    const values = objects.map((schema) => fixedValues(schemas, schema, name))
    const all = values.flatMap((some) => some ?? [])
    return values.every((some) => some !== undefined && some.length > 0) && new Set(all).size === all.length
  })
}

function hasMembers(schemas: Schemas, schema: Schema): boolean {
  return membersOf(schemas, schema).size > 0
}

/** An alternative among the others. */
interface Listed {
  readonly schemas: Schemas
  readonly schema: Schema
  readonly listed: readonly Schema[]
  readonly outside: ReadonlySet<string>
  readonly index: number
}

/** By its title, its component, its type or the members that others do not have, and by the distinguishing value. */
function labelOf(one: Listed, tag: Alternative['tag']): string {
  const { schemas, schema, index } = one
  const target = resolve(schemas, schema)
  const title = isObject(target) ? own(target, 'title') : undefined
  const name = typeof title === 'string' && title !== '' ? title : referenceOf(schema)
  if (tag !== undefined) {
    const values = tag.values.slice(0, mostNames).map((value) => JSON.stringify(value))
    const value = `${tag.property}: ${[...values, ...(tag.values.length > mostNames ? ['…'] : [])].join(' or ')}`
    return name === undefined ? value : `${name} (${value})`
  }
  const type = typeText(schema)
  return name ?? (namesOf(one) || (['object', 'any'].includes(type) ? `Alternative ${index + 1}` : type))
}

function namesOf({ schemas, schema, listed, outside }: Listed): string {
  const others = listed.filter((other) => other !== schema).map((other) => membersOf(schemas, other))
  const names = [...membersOf(schemas, schema).keys()].filter((name) => !outside.has(name))
  const unique = names.filter((name) => !others.every((other) => other.has(name)))
  return (unique.length > 0 ? unique : names).slice(0, mostNames).join(', ')
}

const mostNames = 3
