import { objectOf } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { isPattern } from '../patterns/pattern.js'

/** Whether the value of a keyword is not of the type that JSON Schema 2020-12 wants. */
export function isWrong(keyword: string, value: Json): boolean {
  return tests.get(keyword)?.(value) === false
}

/** `exclusiveMinimum: true` beside `minimum`, as OpenAPI 3.0 and many a 3.1 document have it, in today's form. */
export function withNumericBounds(schema: JsonObject): JsonObject {
  const dated = bounds.filter(([exclusive]) => typeof own(schema, exclusive) === 'boolean')
  if (dated.length === 0) return schema
  const entries = new Map(Object.entries(schema))
  for (const [exclusive, inclusive] of dated) {
    const bound = entries.get(inclusive)
    const excludes = entries.get(exclusive) === true
    entries.delete(exclusive)
    if (!excludes || bound === undefined) continue
    entries.delete(inclusive)
    entries.set(exclusive, bound)
  }
  return objectOf(entries)
}

const bounds = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const

type Test = (value: Json) => boolean

const isNumber: Test = (value) => typeof value === 'number'
const isCount: Test = (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0
const isText: Test = (value) => typeof value === 'string'
const isTruth: Test = (value) => typeof value === 'boolean'
const isNames: Test = (value) => isArray(value) && value.every((name) => typeof name === 'string')
const typeNames = new Set<Json>(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'])

const tests = new Map<string, Test>([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((name): [string, Test] => [
    name,
    isNumber,
  ]),
  ...[
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'minProperties',
    'maxProperties',
    'minContains',
    'maxContains',
  ].map((name): [string, Test] => [name, isCount]),
  ['multipleOf', (value) => typeof value === 'number' && value > 0],
  ['pattern', (value) => typeof value === 'string' && isPattern(value)],
  ['format', isText],
  ['$ref', isText],
  ['uniqueItems', isTruth],
  ['required', isNames],
  ['enum', isArray],
  [
    'type',
    (value) =>
      isArray(value) ? value.length > 0 && value.every((name) => typeNames.has(name)) : typeNames.has(value),
  ],
  ['properties', isObject],
  ['patternProperties', isObject],
  ['dependentSchemas', isObject],
  ['dependentRequired', (value) => isObject(value) && Object.values(value).every(isNames)],
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((name): [string, Test] => [name, isArray]),
])
