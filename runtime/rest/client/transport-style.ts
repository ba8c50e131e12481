import { isHeaderText } from '../../client/transport-exchange.js'
import type { Coercion, ParameterBinding } from '../../contract/operation.js'
import { pointerTo } from '../../contract/pointer.js'
import { ProblemError } from '../../contract/problem.js'
import { percentEncoded } from '../../values/cookie.js'
import { jsonText } from '../../values/json-text.js'
import { isEmptyList, itemCoercion, memberCoercion } from '../style/coerce.js'
import { entityTagText } from '../style/entity-tag.js'
import { mayBeText } from '../style/style.js'
import { uncarried } from './carried.js'

/**
 * A path param in its style, percent-encoded (OpenAPI 3.1, Style Examples).
 *
 * @returns the text that replaces `{name}`; empty if the value has no text
 * @throws ProblemError `validation_failed` for a value that the style cannot carry
 */
export function pathText(binding: ParameterBinding, value: unknown): string {
  const { explode, json, name, style } = binding
  if (json === true) return encoded(binding, jsonText(value) ?? '')
  const shape = shapeOf(binding, value, (text) => encoded(binding, text))
  const isBlank = shape.kind === 'scalar' && shape.text === ''
  // The name alone is an empty text (OpenAPI 3.1, style examples).
  if (isBlank && style === 'matrix') return `;${encoded(binding, name)}`
  if (isEmpty(shape) || isBlank) return ''
  if (style === 'matrix') return `;${pairsOf(shape, explode, encoded(binding, name)).join(';')}`
  if (style !== 'label') return joined(shape, explode, ',')
  // A label's delimiter is a dot, which percent-encoding leaves unchanged.
  const dotless = shapeOf(binding, value, (text) => encoded(binding, text).replaceAll('.', '%2E'))
  return explode ? `.${joined(dotless, true, '.')}` : `.${joined(shape, false, ',')}`
}

/**
 * A query param in its style, as percent-encoded `name=value` texts; an exploded value has several. `null` is
 * empty text. An empty list or object is not sent (RFC 6570 section 2.3), except a list whose items cannot be
 * texts: then `name=` can only mean that it is empty.
 *
 * @throws ProblemError `validation_failed` for a value that the style cannot carry
 */
export function queryPairs(binding: ParameterBinding, value: unknown): string[] {
  const { explode, json, style } = binding
  const name = encoded(binding, binding.name)
  if (json === true) return [`${name}=${encoded(binding, jsonText(value) ?? '')}`]
  if (style === 'deepObject') return deepPairs(binding, name, value, binding.coerce)
  if (style === 'form' && explode && isMembers(value)) return memberPairs(binding, value)
  const shape = shapeOf(binding, value, (text) => encoded(binding, text))
  if (isEmpty(shape)) return isWritten(binding, shape) ? [`${name}=`] : []
  const delimiter = style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '%7C' : ','
  if (delimiter === ',' || explode) return pairsOf(shape, explode, name)
  if (shape.kind !== 'scalar' && textsOf(shape).some((text) => text.includes(delimiter))) {
    throw unfit(binding, `contains its delimiter ${delimiter}; call over JSON-RPC to send it`)
  }
  return [`${name}=${joined(shape, false, delimiter)}`]
}

/**
 * A cookie param in the style `form`, as percent-encoded `name=value` texts. An exploded list stays one
 * cookie, since a name has one value (OpenAPI 3.1 does not define it).
 *
 * @throws ProblemError `validation_failed` for a value that the style cannot carry
 */
export function cookiePairs(binding: ParameterBinding, value: unknown): string[] {
  if (binding.json === true) {
    return [`${encoded(binding, binding.name)}=${encoded(binding, jsonText(value) ?? '')}`]
  }
  const shape = shapeOf(binding, value, (text) => encoded(binding, text))
  if (isEmpty(shape) && !isWritten(binding, shape)) return []
  return [`${encoded(binding, binding.name)}=${joined(shape, binding.explode, ',')}`]
}

/**
 * A header param in the style `simple`. Headers are not percent-encoded (OpenAPI 3.1, appendix D).
 *
 * @returns undefined for an empty list or object, as in {@link queryPairs}
 * @throws ProblemError `validation_failed` for a value that the style cannot carry
 */
export function headerText(binding: ParameterBinding, value: unknown): string | undefined {
  if (binding.json === true) return asciiJson(value)
  if (binding.entityTag === true) {
    const tag = typeof value === 'string' ? entityTagText(value) : undefined
    if (tag === undefined)
      throw unfit(binding, 'is not the text of an entity tag; call over JSON-RPC to send it')
    return tag
  }
  const shape = shapeOf(binding, value, (text) => text)
  if (isEmpty(shape) && !isWritten(binding, shape)) return undefined
  const delimiters = binding.explode && shape.kind === 'members' ? /[,=]/ : /,/
  if (shape.kind !== 'scalar' && textsOf(shape).some((text) => delimiters.test(text))) {
    throw unfit(binding, 'contains its delimiter; call over JSON-RPC to send it')
  }
  const text = joined(shape, binding.explode, ',')
  if (!isHeaderText(text))
    throw unfit(binding, 'has characters that a header cannot have; call over JSON-RPC to send it')
  return text
}

/** A value divided into its parts, with encoded texts. */
type Shape =
  | { readonly kind: 'scalar'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'members'; readonly members: readonly (readonly [name: string, text: string])[] }

function shapeOf(binding: ParameterBinding, value: unknown, encode: (text: string) => string): Shape {
  const text = (part: unknown) => encode(scalarText(binding, part))
  if (Array.isArray(value)) return { kind: 'list', items: value.map(text) }
  if (!isMembers(value)) return { kind: 'scalar', text: text(value) }
  const present = Object.entries(value).filter(([, member]) => member !== undefined)
  return { kind: 'members', members: present.map(([name, member]) => [encode(name), text(member)]) }
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

function scalarText(binding: ParameterBinding, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'string' || typeof value === 'boolean') return String(value)
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))) return String(value)
  throw unfit(binding, 'contains a value that is not a text, finite number, boolean or null')
}

function isEmpty(shape: Shape): boolean {
  return textsOf(shape).length === 0
}

function isWritten({ coerce }: ParameterBinding, shape: Shape): boolean {
  return shape.kind === 'list' && isEmptyReadable(coerce)
}

/** Whether the service reads empty text as an empty list. */
function isEmptyReadable(coerce: Coercion): boolean {
  const onlyList = coerce.types.every((type) => type === 'array' || type === 'null')
  return onlyList && isEmptyList('', coerce)
}

function textsOf(shape: Shape): readonly string[] {
  if (shape.kind === 'scalar') return [shape.text]
  return shape.kind === 'list' ? shape.items : shape.members.flat()
}

function joined(shape: Shape, explode: boolean, delimiter: string): string {
  if (shape.kind === 'members' && explode) {
    return shape.members.map(([name, text]) => `${name}=${text}`).join(delimiter)
  }
  return textsOf(shape).join(delimiter)
}

function pairsOf(shape: Shape, explode: boolean, name: string): string[] {
  if (shape.kind === 'scalar' || !explode) return [`${name}=${joined(shape, false, ',')}`]
  if (shape.kind === 'list') return shape.items.map((item) => `${name}=${item}`)
  return shape.members.map(([member, text]) => `${member}=${text}`)
}

/**
 * The members of an exploded object, each under its own name. A list repeats its name, like a parameter of
 * its own.
 */
function memberPairs(binding: ParameterBinding, value: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(value).flatMap(([member, inner]) => {
    const coerce = memberCoercion(binding.coerce, member)
    const name = encoded(binding, member)
    // A single item would look like the plain value that is allowed here too.
    const items = Array.isArray(inner) && !mayBeText(coerce) ? inner : inner === undefined ? [] : [inner]
    if (items === inner && items.length === 0) return isEmptyReadable(coerce) ? [`${name}=`] : []
    return items.map((item) => `${name}=${encoded(binding, scalarText(binding, item))}`)
  })
}

/** A header carries only ASCII, so JSON escapes the rest. */
function asciiJson(value: unknown): string | undefined {
  return jsonText(value)?.replaceAll(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/**
 * OpenAPI does not define lists and nested members. Frameworks agree that members nest in brackets and that a
 * list of plain values repeats its name. A list of objects uses indices, since nothing else separates its
 * items; so does a list where a plain value is allowed, since a single item would look like one.
 */
function deepPairs(binding: ParameterBinding, name: string, value: unknown, coerce: Coercion): string[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return isEmptyReadable(coerce) ? [`${name}=`] : []
    const counts = mayBeText(coerce) || value.some((item) => isMembers(item) || Array.isArray(item))
    return value.flatMap((item, index) =>
      deepPairs(binding, counts ? `${name}%5B${index}%5D` : name, item, itemCoercion(coerce, index)),
    )
  }
  if (!isMembers(value)) return [`${name}=${encoded(binding, scalarText(binding, value))}`]
  return Object.entries(value).flatMap(([member, inner]) =>
    inner === undefined
      ? []
      : deepPairs(binding, `${name}%5B${encoded(binding, member)}%5D`, inner, memberCoercion(coerce, member)),
  )
}

function encoded(binding: ParameterBinding, text: string): string {
  try {
    return percentEncoded(text)
  } catch {
    throw unfit(binding, 'contains half of a surrogate pair')
  }
}

function unfit(binding: ParameterBinding, why: string): ProblemError {
  const message = `must fit the style ${binding.style} over REST, but ${why}`
  return new ProblemError('validation_failed', {
    violations: [uncarried(pointerTo('', binding.param), message)],
  })
}
