import { objectOf } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { sampleKeywords } from '../document/vocabulary.js'
import { patternMatches } from '../patterns/pattern-match.js'
import { isLeftOut } from '../schema/one-way.js'
import { isSchema, requiredOf, type Schema, schemaList, schemaMap } from '../schema/schema.js'
import { matchingText } from './pattern.js'
import { inside, type ValuePosition } from './place.js'
import type { Random } from './random.js'

/** Generates the parts of one value, for its arrays and objects. */
export interface SampleMaker {
  readonly schemas: ReadonlyMap<string, Schema>
  readonly side: 'params' | 'result'
  /** The depth of the smallest value of a schema. Infinity if there is none. */
  readonly height: (schema: Schema) => number
  /** Whether to stop generating values, even required ones. */
  readonly isExhausted: boolean
  value(schema: Schema, place: ValuePosition): Json
  /** The schema at a position, merged with its references. */
  flat(schema: Schema, place: ValuePosition): Schema
  random(place: ValuePosition): Random
  /** How often the value at a position was refused. */
  level(place: ValuePosition): number
  /** Whether to generate only required parts here, because the value is deep or large, or should be small. */
  isLean(place: ValuePosition): boolean
  /** Whether to omit optional members, and to generate one item of each list. */
  readonly isBrief: boolean
  /** Whether words stand for what a reader enters. */
  readonly isNamed: boolean
}

/** An array of items of a flat schema. */
export function sampleArray(
  sampling: SampleMaker,
  schema: JsonObject,
  place: ValuePosition,
): readonly Json[] {
  const least = Number(own(schema, 'minItems') ?? 0)
  const most = Number(own(schema, 'maxItems') ?? Number.POSITIVE_INFINITY)
  const prefix = schemaList(schema, 'prefixItems')
  const contained = own(schema, 'contains')
  const needed = contained === undefined ? 0 : Number(own(schema, 'minContains') ?? 1)
  const shown = Math.max(sampling.isBrief ? 1 : 2, prefix.length)
  const wanted = sampling.isLean(place) ? 0 : shown
  const length = Math.min(most, Math.max(least, needed, wanted))
  const isUnique = own(schema, 'uniqueItems') === true && !sampling.isNamed
  const items: Json[] = []
  const texts = new Set<string>()
  for (let index = 0; index < length && !sampling.isExhausted; index++) {
    const stated = prefix[index] ?? own(schema, 'items') ?? true
    const itemSchema = index < needed && isSchema(contained) ? { allOf: [contained, stated] } : stated
    if (itemSchema === false || !isSchema(itemSchema)) break
    const item = distinctItem(
      sampling,
      itemSchema,
      inside(place, String(index)),
      isUnique ? texts : undefined,
    )
    if (item === undefined && index >= least) break
    items.push(item ?? null)
    if (isUnique) texts.add(JSON.stringify(item))
  }
  return items
}

/** An item that differs from those before it, if that is required. Undefined if none is found. */
function distinctItem(
  sampling: SampleMaker,
  schema: Schema,
  place: ValuePosition,
  texts: ReadonlySet<string> | undefined,
): Json | undefined {
  const first = sampling.value(schema, place)
  if (texts === undefined || !texts.has(JSON.stringify(first))) return first
  const flat = sampling.flat(schema, place)
  const values = isObject(flat) ? own(flat, 'enum') : undefined
  if (isArray(values)) return values.find((value) => !texts.has(JSON.stringify(value)))
  const bare = isObject(flat)
    ? objectOf(Object.entries(flat).filter(([key]) => !sampleKeywords.has(key)))
    : flat
  for (let attempt = 0; attempt < 20; attempt++) {
    const item = sampling.value(bare, inside(place, `again${attempt}`))
    if (!texts.has(JSON.stringify(item))) return item
  }
  return undefined
}

/** An object with the properties of a flat schema. */
export function sampleObject(sampling: SampleMaker, schema: JsonObject, place: ValuePosition): JsonObject {
  const properties = new Map(schemaMap(schema, 'properties'))
  const required = new Set(requiredOf(schema))
  const least = Number(own(schema, 'minProperties') ?? 0)
  const most = Number(own(schema, 'maxProperties') ?? Number.POSITIVE_INFINITY)
  const names = new Set([...required].filter((name) => !isHidden(sampling, properties.get(name))))
  const isShort = sampling.isLean(place) || sampling.isBrief
  const optional = [...properties.keys()].filter((name) =>
    isWanted(sampling, properties.get(name), name, place),
  )
  for (const name of optional) {
    if (names.size >= most || (isShort && names.size >= least)) break
    names.add(name)
  }
  addDependent(schema, names)
  const rest = restOf(schema)
  const hasOther = isObject(rest) || Object.hasOwn(schema, 'patternProperties')
  const wanted = Math.max(least, properties.size === 0 && hasOther && !sampling.isLean(place) ? 1 : 0)
  for (let number = 1; names.size < Math.min(wanted, most) && number < wanted + 20; number++) {
    const name = freeName(sampling, schema, number, place)
    if (name !== undefined && sampling.level(inside(place, name)) < 2) names.add(name)
    if (sampling.isExhausted) break
  }
  const members = Array.from(names, (name): [string, Json] => {
    const property = properties.get(name) ?? patternFor(schema, name) ?? rest
    return [name, sampling.value(property, inside(place, name))]
  })
  return objectOf(members)
}

/** Excludes an optional property that belongs to the other direction, is impossible, or was refused repeatedly. */
function isWanted(
  sampling: SampleMaker,
  property: Schema | undefined,
  name: string,
  place: ValuePosition,
): boolean {
  if (property === undefined || property === false || isHidden(sampling, property)) return false
  return sampling.level(inside(place, name)) < 3 && Number.isFinite(sampling.height(property))
}

function isHidden(sampling: SampleMaker, property: Schema | undefined): boolean {
  return isLeftOut(sampling.schemas, property, sampling.side === 'result' ? 'writeOnly' : 'readOnly')
}

function addDependent(schema: JsonObject, names: Set<string>): void {
  const dependent = own(schema, 'dependentRequired')
  if (!isObject(dependent)) return
  for (const name of names) {
    const others = own(dependent, name)
    if (!isArray(others)) continue
    for (const other of others) if (typeof other === 'string') names.add(other)
  }
}

/** The schema of properties that have none of their own. */
function restOf(schema: JsonObject): Schema {
  const rest = own(schema, 'additionalProperties')
  return isSchema(rest) ? rest : true
}

function patternFor(schema: JsonObject, name: string): Schema | undefined {
  return schemaMap(schema, 'patternProperties').find(([pattern]) => patternMatches(pattern, name))?.[1]
}

/** A name for an additional property, from the patterns of names. */
function freeName(
  sampling: SampleMaker,
  schema: JsonObject,
  number: number,
  place: ValuePosition,
): string | undefined {
  const [pattern] = schemaMap(schema, 'patternProperties').map(([source]) => source)
  const random = sampling.random(inside(place, String(number)))
  if (pattern !== undefined && restOf(schema) === false) {
    return matchingText(pattern, { least: 0, most: 100 }, random)
  }
  const names = own(schema, 'propertyNames')
  if (!isSchema(names)) return restOf(schema) === false ? undefined : `key${number}`
  const name = sampling.value({ allOf: [names, { type: 'string' }] }, inside(place, `name${number}`))
  return typeof name === 'string' ? name : undefined
}
