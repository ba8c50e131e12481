import { type Cursor, elements, follow, member, members } from '../../document/cursor.js'
import type { Document, Json } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { compositions } from '../../document/vocabulary.js'
import { readPath } from './segments.js'
import { isPlural, lettersOf, stemOf, wordsOf } from './words.js'

/** Whether a success of an operation returns a list, in an envelope or not. `unknown` if no response has a schema. */
export function answersOf(document: Document, operation: Cursor, path: string): 'list' | 'other' | 'unknown' {
  const responses = members(member(operation, 'responses')).filter(({ key }) => /^2(\d\d|XX)$/i.test(key))
  const schemas = responses.flatMap((response) => {
    const target = follow(document, response)
    const media = members(target && member(target, 'content')).filter(({ key }) => /json/i.test(key))
    return media.flatMap((one) => member(one, 'schema') ?? [])
  })
  if (schemas.length === 0) return 'unknown'
  const last = readPath(path).segments.at(-1)?.words ?? []
  return schemas.some((schema) => isList(document, schema, last)) ? 'list' : 'other'
}

function isList(document: Document, schema: Cursor, resource: readonly string[]): boolean {
  const parts = partsOf(document, schema)
  if (parts.some(({ value }) => isArrayType(value))) return true
  const isMany = isPlural(resource.at(-1) ?? '')
  return parts
    .flatMap((part) => members(member(part, 'properties')))
    .filter(
      ({ key }) => envelopes.has(lettersOf(key)) || (isMany && stemOf(wordsOf(key)) === stemOf(resource)),
    )
    .some((property) => partsOf(document, property).some(({ value }) => isArrayType(value)))
}

/** Usual names of the property with the items of a page. */
const envelopes = new Set(
  'data docs documents edges elements entries hits items list nodes objects records results rows values'.split(
    ' ',
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

function isArrayType(schema: Json): boolean {
  if (!isObject(schema)) return false
  const type = own(schema, 'type')
  return isArray(type) ? type.includes('array') : type === 'array'
}
