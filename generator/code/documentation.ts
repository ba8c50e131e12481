import type { JsonObject } from '../document/document.js'
import { isObject, own } from '../document/json.js'
import { sizeRanges } from '../document/vocabulary.js'
import { writtenMember } from '../document/written-digits.js'
import type { Operation } from '../model/model.js'
import type { Schema } from '../schema/schema.js'
import { type Code, raw } from './code.js'
import { lineCommentText, lineWidth, type Paragraph, type Tag } from './literal.js'

/** Paragraphs that document a schema: its description, its constraints, its deprecation. */
export function documentation(schema: Schema): readonly Paragraph[] {
  if (!isObject(schema)) return []
  const known = documented.get(schema)
  if (known !== undefined) return known
  const made = documentationOf(schema)
  documented.set(schema, made)
  return made
}

/** The same schema is documented once for each form of each type that contains it. */
const documented = new WeakMap<JsonObject, readonly Paragraph[]>()

function documentationOf(schema: JsonObject): Paragraph[] {
  const stated = own(schema, 'description')
  const description = typeof stated === 'string' ? stated.trim() : ''
  return [
    ...oneLine(description, factsOf(schema)),
    ...(own(schema, 'deprecated') === true ? [{ tag: 'deprecated' as const, text: '' }] : []),
  ]
}

/** Two texts as one paragraph if that fits on a line, else as two. */
export function oneLine(first: string, second: string): string[] {
  const parts = [first, second].filter((part) => part !== '')
  const joined = parts.join(/[.!?:]$/.test(first) || first === '' ? ' ' : '. ')
  return joined.includes('\n') || joined.length > lineWidth - 12 ? parts : [joined]
}

/** Paragraphs that document an operation: summary, REST address, pointer into the document, deprecation. */
export function operationDocumentation(operation: Operation, extra: readonly string[] = []): Paragraph[] {
  const { method, path } = operation.rest
  const id = documentId(operation)
  return [
    ...[operation.summary, operation.description].filter((text) => text !== undefined),
    ...extra,
    id === undefined ? undefined : `operationId ${id}`,
    `${method} ${path} ${operation.source.pointer}`,
    ...(operation.deprecation === undefined ? [] : [deprecationTag(operation.deprecation)]),
  ]
}

/** The operationId, if it differs from the name. Generated files have it in comments, so that a search finds it. */
export function documentId({ name, operationId }: Operation): string | undefined {
  return operationId === name ? undefined : operationId
}

/** The name of an operation in a comment, with its operationId. */
export function titleOf(operation: Operation): string {
  const id = documentId(operation)
  return id === undefined ? operation.name : `${operation.name} (operationId ${id})`
}

/** A comment with the operationId, for the end of a line. */
export function remarkText(operation: Operation): string {
  const id = documentId(operation)
  return id === undefined ? '' : ` ${lineCommentText(id)}`
}

/** The same as code. */
export function remark(operation: Operation): Code {
  return raw(remarkText(operation))
}

/** `@deprecated since 2026-01-01, removed after 2027-01-01` */
function deprecationTag(deprecation: NonNullable<Operation['deprecation']>): Tag {
  const parts = [
    ...(deprecation.since === undefined ? [] : [`since ${day(deprecation.since)}`]),
    ...(deprecation.sunset === undefined ? [] : [`removed after ${day(deprecation.sunset)}`]),
  ]
  return { tag: 'deprecated', text: parts.join(', ') }
}

/** The constraints of a schema, and its default: `1 to 255 characters, format email.` */
function factsOf(schema: JsonObject): string {
  const text = constraintsOf(schema)
    .map((one) => whole(one).words)
    .join(', ')
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** A constraint with its value among its words. */
function whole({ words, value }: Constraint): Constraint {
  return { words: value === undefined ? words : `${words} ${value}` }
}

/** A constraint in words, and the code that follows them: a pattern, a default. */
export interface Constraint {
  readonly words: string
  readonly value?: string
}

/** The constraints of a schema, and its default, one by one. */
export function constraintsOf(schema: JsonObject): Constraint[] {
  const plainly = (words: string): Constraint => ({ words })
  return [
    ...range(schema, 'minimum', 'maximum', '').map(plainly),
    ...shown(schema, 'exclusiveMinimum', 'above').map(whole),
    ...shown(schema, 'exclusiveMaximum', 'below').map(whole),
    ...shown(schema, 'multipleOf', 'multiple of').map(whole),
    ...sizeRanges
      .flatMap(({ least, most, of = '' }) => range(schema, least, most, units.get(of) ?? ''))
      .map(plainly),
    ...shown(schema, 'format', 'format'),
    ...shown(schema, 'pattern', 'pattern'),
    ...(own(schema, 'uniqueItems') === true ? [plainly('no two items equal')] : []),
    ...(Object.hasOwn(schema, 'default')
      ? [{ words: 'default', value: writtenMember(schema, 'default') }]
      : []),
  ]
}

const units = new Map([
  ['string', 'character'],
  ['array', 'item'],
  ['object', 'member'],
])

function range(schema: JsonObject, least: string, most: string, unit: string): string[] {
  const [from, to] = [least, most].map((bound) =>
    typeof own(schema, bound) === 'number' ? writtenMember(schema, bound) : undefined,
  )
  const counted = (count: string): string =>
    unit === '' ? count : `${count} ${count === '1' ? unit : `${unit}s`}`
  if (from !== undefined && to !== undefined) return [from === to ? counted(to) : `${from} to ${counted(to)}`]
  if (from !== undefined) return [`at least ${counted(from)}`]
  return to === undefined ? [] : [`at most ${counted(to)}`]
}

function shown(schema: JsonObject, keyword: string, words: string): Constraint[] {
  const value = own(schema, keyword)
  if (typeof value === 'string') return [{ words, value }]
  return typeof value === 'number' ? [{ words, value: writtenMember(schema, keyword) }] : []
}

/** `2026-01-01`, of seconds since 1970. */
export function day(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}
