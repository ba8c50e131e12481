import type { AnswerMedia } from 'duet-runtime'
import { type Cursor, elements, follow, member, members, text } from '../../document/cursor.js'
import type { Document } from '../../document/document.js'
import { isArray, isObject, own, setOwn } from '../../document/json.js'
import { strictestFirst } from '../../document/vocabulary.js'
import type { Schema } from '../../schema/schema.js'
import type { Components } from './components.js'

/**
 * How the data of server-sent events is written, if a schema describes an event by its fields (OpenAPI 3.2,
 * Server-Sent Events). Undefined if it describes the data. In `itemSchema` an object with the member `data`
 * is an event. In a union or elsewhere, it is one only if it has no members but an event's.
 *
 * @param isStated whether the schema is an `itemSchema`
 */
export function eventDataOf(document: Document, item: Cursor, isStated: boolean): AnswerMedia['data'] {
  const found = dataSchemas(document, item, isStated, 0)
  if (found === undefined || found.length === 0) return undefined
  const texts = found.filter((data) => isText(document, data))
  return texts.length === 0 ? 'json' : texts.length === found.length ? 'text' : 'either'
}

/** Whether a schema takes only texts, so that each is the data of an event as it is. */
export function takesOnlyText(document: Document, item: Cursor, depth = 0): boolean {
  const target = follow(document, item)
  if (target === undefined || depth > DEEPEST || !isObject(target.value)) return false
  const { type, const: only, enum: listed } = target.value
  const types = isArray(type) ? type : [type]
  if (type !== undefined) return types.every((name) => name === 'string')
  const values = isArray(listed) ? listed : [only]
  if (values.every((value) => typeof value === 'string')) return true
  const isTextually = (part: Cursor) => takesOnlyText(document, part, depth + 1)
  if (elements(member(target, 'allOf')).some(isTextually)) return true
  return strictestFirst.some((keyword) => {
    const options = elements(member(target, keyword))
    return options.length > 0 && options.every(isTextually)
  })
}

/** The schema of an event with its data as programs see it: the value of a JSON text, not the text. */
export function eventSchema(document: Document, components: Components, item: Cursor): Schema {
  const found = dataSchemas(document, item, true, 0) ?? []
  if (!found.some((data) => isJsonText(follow(document, data)))) return components.read(item)
  const target = follow(document, item) ?? item
  const read = components.read(target)
  if (!isObject(read)) return read
  const schema = { ...read }
  const data = dataOf(target)
  const held = data && follow(document, data)
  const properties = own(read, 'properties')
  if (held !== undefined && isObject(properties) && isJsonText(held)) {
    const content = member(held, 'contentSchema')
    const known = { ...properties }
    setOwn(known, 'data', content === undefined ? true : components.read(content))
    schema.properties = known
  }
  for (const keyword of [...strictestFirst, 'allOf']) {
    const parts = elements(member(target, keyword))
    if (parts.length > 0) schema[keyword] = parts.map((part) => eventSchema(document, components, part))
  }
  return schema
}

/** HTML Living Standard, section 9.2.6. */
const fields: ReadonlySet<string> = new Set(['event', 'data', 'id', 'retry'])

/** A schema deeper than this refers to itself. */
const DEEPEST = 10

/** The schemas of the data, for schemas that describe events. Undefined for others. */
function dataSchemas(
  document: Document,
  item: Cursor,
  mayHaveOthers: boolean,
  depth: number,
): readonly Cursor[] | undefined {
  const target = follow(document, item)
  if (target === undefined || depth > DEEPEST) return undefined
  const names = members(member(target, 'properties')).map(({ key }) => key)
  if (!mayHaveOthers && names.some((name) => !fields.has(name))) return undefined
  const options = strictestFirst.flatMap((keyword) => elements(member(target, keyword)))
  const parts = elements(member(target, 'allOf'))
  const isSomething = names.length + options.length + parts.length > 0
  if (!isSomething && depth > 0) return undefined
  const inner = [
    ...options.map((option) => dataSchemas(document, option, false, depth + 1)),
    ...parts.map((part) => dataSchemas(document, part, mayHaveOthers, depth + 1)),
  ]
  const own = dataOf(target)
  const found = own === undefined ? [] : [own]
  for (const each of inner) {
    if (each === undefined) return undefined
    found.push(...each)
  }
  return found
}

function dataOf(target: Cursor): Cursor | undefined {
  const properties = member(target, 'properties')
  return properties && member(properties, 'data')
}

function isText(document: Document, data: Cursor): boolean {
  const target = follow(document, data)
  if (target === undefined || !isObject(target.value) || isJsonText(target)) return false
  const options = strictestFirst.flatMap((keyword) => elements(member(target, keyword)))
  if (options.length > 0) return options.every((option) => isText(document, option))
  const { type, const: only, enum: listed } = target.value
  const isString = type === 'string' || (isArray(type) && type.includes('string'))
  const values = isArray(listed) ? listed : [only]
  return isString || values.every((value) => typeof value === 'string')
}

/** Whether a text is JSON, according to the media type or the schema of its content. */
function isJsonText(data: Cursor | undefined): boolean {
  if (data === undefined) return false
  const type = text(data.value, 'contentMediaType')
  return member(data, 'contentSchema') !== undefined || (type !== undefined && /[/+]json\b/i.test(type))
}
