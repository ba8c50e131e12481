import { objectOf } from '../document/cursor.js'
import type { Json } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { digitsOf, keepDigits, noteDigits } from '../document/written-digits.js'
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
    for (const [index, item] of value.entries()) noteStated(schemas, items, made, index, item)
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
  for (const [name, member] of Object.entries(value))
    noteStated(schemas, properties.get(name) ?? rest, made, name, member)
  return made
}

/** A sample holds a number of its schema as a double: notes the digits that the document has. */
function noteStated(
  schemas: Schemas,
  schema: Schema | undefined,
  holder: object,
  key: string | number,
  value: Json,
): void {
  if (typeof value !== 'number' || schema === undefined || digitsOf(holder, key) !== undefined) return
  const parts = partsFor(schemas, schema, value)
  const places = [schema, ...parts]
    .filter(isObject)
    .flatMap((part): (readonly [object, string | number])[] => [
      ...statedNumbers.map((keyword) => [part, keyword] as const),
      ...['enum', 'examples'].flatMap((keyword) => {
        const list = own(part, keyword)
        return isArray(list) ? list.map((_, index) => [list, index] as const) : []
      }),
    ])
  const [found] = places.flatMap(([of, keyword]) =>
    Reflect.get(of, keyword) === value ? (digitsOf(of, keyword) ?? []) : [],
  )
  if (found !== undefined) noteDigits(holder, key, found)
}

const statedNumbers = ['const', 'example', 'default', 'minimum', 'maximum']

const deepest = 50

/** The parts of a schema that describe a value, with those of the alternatives that it matches. */
function partsFor(schemas: Schemas, schema: Schema, value: Json): ReturnType<typeof partsOf> {
  const chosen = unionsOf(schemas, resolve(schemas, schema)).map(
    ({ alternatives }) => alternativeOf(schemas, alternatives, value)?.schema ?? true,
  )
  return [schema, ...chosen].flatMap((one) => partsOf(schemas, one))
}
