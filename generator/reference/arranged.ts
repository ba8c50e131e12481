import { objectOf } from '../document/cursor.js'
import type { Json } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { keepDigits } from '../document/written-digits.js'
import { resolve, type Schema } from '../schema/schema.js'
import { writtenProperties } from '../schema/written-properties.js'
import { alternativeOf, partsOf, unionsOf } from './fields/unions.js'

type Schemas = ReadonlyMap<string, Schema>

/** A value with its members in the order that their properties have in the document. Others come after them. */
export function arranged(schemas: Schemas, schema: Schema, value: Json, depth = 0): Json {
  if (typeof value !== 'object' || value === null || depth > deepest) return value
  const parts = partsFor(schemas, schema, value)
  const inner = (part: Schema | undefined, item: Json): Json =>
    part === undefined ? item : arranged(schemas, part, item, depth + 1)
  if (isArray(value)) {
    const items = parts.map((part) => own(part, 'items')).find(isObject)
    const made = value.map((item) => inner(items, item))
    keepDigits(value, made)
    return made
  }
  const properties = new Map(parts.flatMap(writtenProperties))
  const rest = parts.map((part) => own(part, 'additionalProperties')).find(isObject)
  const names = [...properties.keys()].filter((name) => Object.hasOwn(value, name))
  const made = objectOf(
    [...new Set([...names, ...Object.keys(value)])].map((name) => [
      name,
      inner(properties.get(name) ?? rest, value[name] ?? null),
    ]),
  )
  keepDigits(value, made)
  return made
}

const deepest = 50

/** The parts of a schema that describe a value, with those of the alternatives that it matches. */
function partsFor(schemas: Schemas, schema: Schema, value: Json): ReturnType<typeof partsOf> {
  const chosen = unionsOf(schemas, resolve(schemas, schema)).map(
    ({ alternatives }) => alternativeOf(schemas, alternatives, value)?.schema ?? true,
  )
  return [schema, ...chosen].flatMap((one) => partsOf(schemas, one))
}
