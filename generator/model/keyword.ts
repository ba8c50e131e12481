import type { Json, JsonObject } from '../load/document.js'
import { isArray, isObject, own } from '../load/json.js'
import { objectOf } from './cursor.js'
import { isPattern } from './pattern.js'

/** Keywords of a schema whose value is not of the type that JSON Schema 2020-12 wants, sorted. */
export function wrongKeywords(schema: JsonObject): string[] {
  return Object.keys(schema)
    .filter((keyword) => {
      const value = own(schema, keyword)
      const test = tests.get(keyword)
      return test !== undefined && value !== undefined && !test(value)
    })
    .sort()
}

/** `exclusiveMinimum: true` beside `minimum`, as OpenAPI 3.0 and many a 3.1 document have it, in today's form. */
export function withNumericBounds(schema: JsonObject): JsonObject {
  const pairs = [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const
  const dated = pairs.filter(([exclusive]) => typeof own(schema, exclusive) === 'boolean')
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
