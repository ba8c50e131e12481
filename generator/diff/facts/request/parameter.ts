import { type Cursor, member, members, text } from '../../../document/cursor.js'
import type { JsonObject } from '../../../document/document.js'
import { own } from '../../../document/json.js'
import { paramSchema } from '../../../model/content/entity-tag.js'
import { paramName } from '../../../model/content/field.js'
import { isIgnoredHeader } from '../../../model/params/parameters.js'
import { asObject, type Endpoint, elementsOf, memberOf, type Side } from '../../change/side.js'
import type { ListStyle } from '../../change/subject.js'
import { resolve } from '../../same/same.js'
import { typesOf } from '../../texts/types.js'
import { isJson } from '../parts/media.js'

/** A parameter as one version has it. */
export interface Parameter {
  /** On the wire. */
  readonly name: string
  /** Among the params of a JSON-RPC call. */
  readonly param: string
  readonly in: string
  readonly required: boolean
  /** Whether it stands at the path, for all of its operations. */
  readonly shared: boolean
  readonly cursor: Cursor
}

/** By place and name; of the path item and of the operation, whose own override those. */
export function parametersOf(side: Side, endpoint: Endpoint): Map<string, Parameter> {
  const { item, operation, modelled } = endpoint
  const all = [item, operation].flatMap((holder) =>
    elementsOf(side, holder, 'parameters').map((cursor) => ({ cursor, shared: holder === item })),
  )
  return new Map(
    all.flatMap(({ cursor, shared }) => {
      const [name, place] = [text(cursor.value, 'name'), text(cursor.value, 'in')]
      if (name === undefined || place === undefined) return []
      if (place === 'header' && isIgnoredHeader(name)) return []
      if (place === 'path' && !endpoint.webhook && !endpoint.path.includes(`{${name}}`)) return []
      const required = own(asObject(cursor.value), 'required') === true
      // Of two with one name the model calls one by its place as well.
      const bound = modelled?.rest.parameters.find((one) => one.in === place && one.name === name)
      const param = bound?.param ?? paramName(cursor.value, name)
      const key = `${place} ${place === 'header' ? name.toLowerCase() : name}`
      return [[key, { name, param, in: place, required, shared, cursor }] as const]
    }),
  )
}

/** The schema of a parameter, which may stand under its only media type. */
export function schemaOf(side: Side, { cursor }: Pick<Parameter, 'cursor'>): Cursor | undefined {
  const schema = paramSchema(cursor)
  if (schema !== undefined) return schema
  const [media] = members(memberOf(side, cursor, 'content'))
  return media && member(media, 'schema')
}

/**
 * How a value is written: style and explode with their defaults filled in (OpenAPI 3.1.1 section 4.8.12.2), `plain` where
 * the value alone is written, or the media type that it is written in.
 */
export function spellingOf(side: Side, parameter: Pick<Parameter, 'in' | 'cursor'>): string {
  const [media] = members(memberOf(side, parameter.cursor, 'content'))
  const types = typesOf(asObject(resolve(side, schemaOf(side, parameter)?.value ?? true)))
  if (media !== undefined) {
    // As JSON a number is written as it is anyway, and so is a text as plain text.
    const isNumber = isJson(media.key) && types.length > 0 && types.every((type) => bare.has(type))
    const isText = /^text\/plain\s*(;|$)/i.test(media.key) && types.join() === 'string'
    return isNumber || isText ? 'plain' : isJson(media.key) ? 'application/json' : media.key
  }
  const isScalar = types.length > 0 && types.every((type) => type !== 'array' && type !== 'object')
  const style = styleOf(asObject(parameter.cursor.value), usualStyle(parameter.in), isScalar)
  const isList = types.length > 0 && types.every((type) => type === 'array' || type === 'null')
  return isList ? (sameForLists.get(style) ?? style) : style
}

/** Styles that write a list as another one does (RFC 6570 section 3.2.1): exploded, the delimiter has nothing to do. */
const sameForLists: ReadonlyMap<string, string> = new Map([
  ['simple exploded', 'simple joined'],
  ['spaceDelimited exploded', 'form exploded'],
  ['pipeDelimited exploded', 'form exploded'],
])

/** Whether a value in a path comes with the parameter's name (RFC 6570 section 3.2.7): exploded, an object has its members' names. */
export function isNamedInPath(side: Side, parameter: Parameter): boolean {
  const types = typesOf(asObject(resolve(side, schemaOf(side, parameter)?.value ?? true)))
  const spelling = spellingOf(side, parameter)
  return /^matrix\b/.test(spelling) && !(types.includes('object') && spelling.endsWith(' exploded'))
}

/** How a list of a parameter's values is written. */
export function listStyleOf({ in: place, cursor }: Pick<Parameter, 'in' | 'cursor'>): ListStyle {
  const style = styleOf(asObject(cursor.value), usualStyle(place), false)
  if (style === 'deepObject') return 'nested'
  return place === 'query' && style.endsWith(' exploded') ? 'repeated' : 'joined'
}

function usualStyle(place: string): string {
  return place === 'query' || place === 'cookie' ? 'form' : 'simple'
}

/**
 * Style and explode of a parameter. Explode means nothing to a scalar, and nothing to brackets
 * (OpenAPI 3.1.1 section 4.8.12.4).
 */
function styleOf(object: JsonObject, usual: string, isScalar: boolean): string {
  const style = text(object, 'style') ?? usual
  if (isScalar) return style === 'label' || style === 'matrix' ? style : 'plain'
  if (style === 'deepObject') return style
  const explode = own(object, 'explode')
  return `${style} ${(typeof explode === 'boolean' ? explode : style === 'form') ? 'exploded' : 'joined'}`
}

/** Whether one of two spellings only tells how lists are written, which the other has none of. */
export function isOfType(was: string, is: string): boolean {
  const [style, other] = [was, is].map((spelling) => spelling.split(' ', 1)[0])
  // With a prefix, a list that has one item is written as that item.
  if (style === other && (was === style || is === other)) return true
  if (was !== 'plain' && is !== 'plain') return false
  return /^(plain|form|simple|spaceDelimited|pipeDelimited|deepObject)$/.test(
    (was === 'plain' ? other : style) ?? '',
  )
}

const bare: ReadonlySet<string> = new Set(['integer', 'number', 'boolean'])
