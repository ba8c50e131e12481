import { type Cursor, elements, follow, member, members } from '../../document/cursor.js'
import type { Document, Json } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { compositions } from '../../document/vocabulary.js'
import { readPath } from './segments.js'
import { isPlural, lettersOf, stemOf, wordsOf } from './words.js'

/** Whether a success of an operation returns a list, in an envelope or not. `unknown` if no response has a schema. */
export function answersOf(document: Document, operation: Cursor, path: string): 'list' | 'other' | 'unknown' {
  const schemas = answeredSchemas(document, operation)
  if (schemas.length === 0) return 'unknown'
  const last = readPath(path).segments.at(-1)?.words ?? []
  return schemas.some((schema) => isList(document, schema, last)) ? 'list' : 'other'
}

/** Whether a success returns the object that the request sent: one object with every property of the body. */
export function answersSent(document: Document, operation: Cursor, path: string): boolean {
  const declared = member(operation, 'requestBody')
  const body = declared && follow(document, declared)
  const sent = propertiesOf(document, body === undefined ? [] : jsonSchemas(document, body))
  const answered = propertiesOf(document, answeredSchemas(document, operation))
  const isSent = sent.size > 0 && [...sent.keys()].every((key) => answered.has(key))
  return isSent && answersOf(document, operation, path) === 'other'
}

/** Whether a success certainly returns one object: one without a list in it. */
export function answersOne(document: Document, operation: Cursor): boolean {
  const schemas = answeredSchemas(document, operation)
  const properties = [...propertiesOf(document, schemas).values()]
  const parts = schemas.flatMap((schema) => partsOf(document, schema))
  return (
    properties.length > 0 &&
    !parts.some(({ value }) => isArrayType(value)) &&
    !properties.some((one) => isListed(document, one))
  )
}

function answeredSchemas(document: Document, operation: Cursor): Cursor[] {
  return members(member(operation, 'responses'))
    .filter(({ key }) => /^2(\d\d|XX)$/i.test(key))
    .flatMap((response) => {
      const target = follow(document, response)
      return target === undefined ? [] : jsonSchemas(document, target)
    })
}

/** The schemas of a body in JSON. */
function jsonSchemas(document: Document, body: Cursor): Cursor[] {
  return members(member(body, 'content'))
    .filter(({ key }) => /json/i.test(key))
    .flatMap((one) => follow(document, one) ?? [])
    .flatMap((one) => member(one, 'schema') ?? [])
}

/** A plural is a list in an envelope more readily than a singular, which may be one object with items. */
function isList(document: Document, schema: Cursor, resource: readonly string[]): boolean {
  if (partsOf(document, schema).some(({ value }) => isArrayType(value))) return true
  const properties = propertiesOf(document, [schema])
  const arrays = [...properties].filter(([, property]) => isListed(document, property))
  const isEnvelope = [...properties.keys()].every(
    (key) => isFrame(key) || arrays.some(([array]) => array === key),
  )
  const isNamed = arrays.some(([key]) => envelopes.has(lettersOf(key)))
  if (!isPlural(resource.at(-1) ?? '')) return isNamed && isEnvelope
  if (arrays.some(([key]) => stemOf(wordsOf(key)) === stemOf(resource))) return true
  if (isNamed) return !properties.has('id')
  const [only, another] = arrays
  return isEnvelope && only !== undefined && another === undefined && hasObjects(document, only[1])
}

/** Usual names of the property with the items of a page. */
const envelopes = new Set(
  'data docs documents edges elements entries hits items list nodes objects records result results rows values'.split(
    ' ',
  ),
)

/** Whether a property describes a page, and not the thing that is read. */
function isFrame(key: string): boolean {
  return wordsOf(key).some((word) => frames.has(word))
}

const frames = new Set(
  `code count cursor errors first has href included incomplete last limit link links message messages meta metadata more next object offset
  page paging pagination pages per prev previous request self size status success token total truncated uri url warnings`.split(
    /\s+/,
  ),
)

/** A schema and its branches. */
function partsOf(document: Document, schema: Cursor): Cursor[] {
  const found = new Map<Json, Cursor>()
  const waiting = [schema]
  for (let next = waiting.pop(); next !== undefined && found.size < 50; next = waiting.pop()) {
    const target = follow(document, next)
    if (target === undefined || found.has(target.value)) continue
    found.set(target.value, target)
    waiting.push(...compositions.flatMap((keyword) => elements(member(target, keyword))))
  }
  return [...found.values()]
}

function propertiesOf(document: Document, schemas: readonly Cursor[]): Map<string, Cursor> {
  const parts = schemas.flatMap((schema) => partsOf(document, schema))
  const properties = parts.flatMap((part) => members(member(part, 'properties')))
  return new Map(properties.map((property) => [property.key, property]))
}

function isListed(document: Document, property: Cursor): boolean {
  return partsOf(document, property).some(({ value }) => isArrayType(value))
}

function hasObjects(document: Document, list: Cursor): boolean {
  const items = partsOf(document, list).flatMap((part) => member(part, 'items') ?? [])
  return propertiesOf(document, items).size > 0
}

function isArrayType(schema: Json): boolean {
  if (!isObject(schema)) return false
  const type = own(schema, 'type')
  return isArray(type) ? type.includes('array') : type === 'array'
}
