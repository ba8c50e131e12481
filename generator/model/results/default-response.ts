import { type Cursor, follow, member, members } from '../../document/cursor.js'
import type { Document, Json, JsonObject } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { compositions } from '../../document/vocabulary.js'
import { fingerprint } from '../../schema/canonical.js'

/**
 * Whether `default` can only describe failures, even without a 2xx: it has a problem (RFC 9457), or is or has the
 * structure of a stated failure.
 *
 * @param responses of one operation, by status, with references followed
 */
export function isFailingDefault(document: Document, responses: ReadonlyMap<string, Cursor>): boolean {
  const found = responses.get('default')
  if (found === undefined) return false
  const contents = members(member(found, 'content'))
  if (contents.some(({ key }) => key === 'application/problem+json')) return true
  const structures = new Set(structuresOf(document, found))
  return [...responses].some(
    ([status, failure]) =>
      /^[45](\d\d|XX)$/i.test(status) &&
      (failure.pointer === found.pointer ||
        structuresOf(document, failure).some((one) => structures.has(one))),
  )
}

/** The responses of an operation by status, with references followed. */
export function responsesOf(document: Document, operation: Cursor): ReadonlyMap<string, Cursor> {
  return new Map(
    members(member(operation, 'responses')).flatMap((entry) => {
      const found = follow(document, entry)
      return found === undefined ? [] : [[entry.key, found] as const]
    }),
  )
}

/**
 * The schemas of objects, as texts, whether a component has them or not. Successes and failures may share any other
 * schema, such as a string.
 */
function structuresOf(document: Document, response: Cursor): string[] {
  return members(member(response, 'content')).flatMap((media) => {
    const schema = member(media, 'schema')
    const found = schema && said(document, schema)
    return isObject(found) && isStructure(found) ? [fingerprint(found)] : []
  })
}

/** The schema behind references and single branches. */
function said(document: Document, schema: Cursor, steps = 20): Json | undefined {
  const found = follow(document, schema)
  const [[keyword, branches] = [], ...others] = Object.entries(isObject(found?.value) ? found.value : {})
  const isOne = isArray(branches) && branches.length === 1 && others.length === 0
  if (found === undefined || !isOne || !compositions.some((one) => one === keyword) || steps === 0)
    return found?.value
  return said(document, { ...found, value: branches[0] ?? null }, steps - 1)
}

function isStructure(schema: JsonObject): boolean {
  return (
    own(schema, 'type') === 'object' ||
    ['properties', ...compositions].some((key) => Object.hasOwn(schema, key))
  )
}
