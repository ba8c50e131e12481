import { objectOf } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { exclusiveBounds, isValidated, type Keyword, keywords, schemaTypes } from '../document/vocabulary.js'
import { keepDigits, keepDigitsAt } from '../document/written-digits.js'
import { isPattern } from '../patterns/pattern.js'

/** Whether the value of a keyword has the wrong type according to JSON Schema 2020-12. */
export function isWrong(keyword: string, value: Json): boolean {
  return tests.get(keyword)?.(value) === false
}

/** Converts `exclusiveMinimum: true` next to `minimum`, as in OpenAPI 3.0 and many 3.1 documents, to 2020-12. */
export function withNumericBounds(schema: JsonObject): JsonObject {
  const dated = exclusiveBounds.filter(([exclusive]) => typeof own(schema, exclusive) === 'boolean')
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
  const made = objectOf(entries)
  keepDigits(schema, made)
  for (const [exclusive, inclusive] of dated) keepDigitsAt([schema, inclusive], [made, exclusive])
  return made
}

type Test = (value: Json) => boolean

const isText: Test = (value) => typeof value === 'string'
const isNames: Test = (value) => isArray(value) && value.every(isText)
const isTypeName: Test = (value) => schemaTypes.some((type) => type === value)

const testsByType: Partial<Record<Keyword['holds'], Test>> = {
  schemas: isArray,
  'schema-map': isObject,
  values: isArray,
  text: isText,
  flag: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  positive: (value) => typeof value === 'number' && value > 0,
  count: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0,
  // Duplicate names require nothing more.
  uniqueTexts: isNames,
  textsMap: (value) => isObject(value) && Object.values(value).every(isNames),
  type: (value) => (isArray(value) ? value.length > 0 && value.every(isTypeName) : isTypeName(value)),
}

const tests: ReadonlyMap<string, Test | undefined> = new Map([
  ...keywords.filter(isValidated).map(({ name, holds }) => [name, testsByType[holds]] as const),
  ['pattern', (value) => typeof value === 'string' && isPattern(value)],
])
