import { type Cursor, member, members, text } from '../../../document/cursor.js'
import type { JsonObject } from '../../../document/document.js'
import { own } from '../../../document/json.js'
import { decodePercent } from '../../../document/pointer.js'
import { precedenceOf } from '../../../model/build/routes.js'
import { paramSchema } from '../../../model/content/entity-tag.js'
import { paramName } from '../../../model/content/field.js'
import { isIgnoredHeader } from '../../../model/params/parameters.js'
import { asObject, type Endpoint, elementsOf, memberOf, type Side } from '../../change/side.js'
import type { ListStyle } from '../../change/subject.js'
import { isRouted, shapeOf } from '../../pairing/pairing.js'
import { resolve } from '../../same/same.js'
import { saysNoType, typesOfText } from '../../texts/coerced.js'
import { isJson } from '../parts/media.js'
import type { OperationPair } from '../parts/pair.js'

/** A parameter of one version. */
export interface Parameter {
  /** In HTTP requests. */
  readonly name: string
  /** Among the params of a JSON-RPC call. */
  readonly param: string
  readonly in: string
  readonly required: boolean
  /** Whether it belongs to the path item and so to all its operations. */
  readonly shared: boolean
  readonly cursor: Cursor
}

/**
 * The parameters of a path item and an operation, by location and name. The operation's override those of the path
 * item.
 */
export function parametersOf(side: Side, endpoint: Endpoint): Map<string, Parameter> {
  const { item, operation, modelled } = endpoint
  const all = [item, operation].flatMap((holder) =>
    elementsOf(side, holder, 'parameters').map((cursor) => ({ cursor, shared: holder === item })),
  )
  const declared = new Map(
    all.flatMap(({ cursor, shared }) => {
      const [name, place] = [text(cursor.value, 'name'), text(cursor.value, 'in')]
      if (name === undefined || place === undefined) return []
      if (place === 'header' && isIgnoredHeader(name)) return []
      if (place === 'path' && !endpoint.webhook && !endpoint.path.includes(`{${name}}`)) return []
      const required = own(asObject(cursor.value), 'required') === true
      // If two params have the same name, the model adds the location to one.
      const bound = modelled?.rest.parameters.find((one) => one.in === place && one.name === name)
      const param = bound?.param ?? paramName(cursor.value, name)
      const key = `${place} ${place === 'header' ? name.toLowerCase() : name}`
      return [[key, { name, param, in: place, required, shared, cursor }] as const]
    }),
  )
  for (const { name, param, in: place } of modelled?.rest.parameters ?? [])
    if (place === 'path' && !declared.has(`path ${name}`))
      declared.set(`path ${name}`, {
        name,
        param,
        in: place,
        required: true,
        shared: false,
        cursor: textAt(operation),
      })
  return declared
}

/** A parameter that only the path names is a text for the model too. */
function textAt({ pointer }: Cursor): Cursor {
  return { value: { required: true, schema: { type: 'string' } }, pointer }
}

/** The schema of a parameter, possibly inside its only media type. */
export function schemaOf(side: Side, { cursor }: Pick<Parameter, 'cursor'>): Cursor | undefined {
  const schema = paramSchema(cursor)
  if (schema !== undefined) return schema
  const [media] = members(memberOf(side, cursor, 'content'))
  return media && member(media, 'schema')
}

/**
 * The encoding of a value: style and explode with their defaults (OpenAPI 3.1.1 section 4.8.12.2), `plain` if only the
 * value is written, or the media type of the value.
 */
export function spellingOf(side: Side, parameter: Pick<Parameter, 'in' | 'cursor'>): string {
  const [media] = members(memberOf(side, parameter.cursor, 'content'))
  const types = typesIn(side, parameter)
  if (media !== undefined) {
    // JSON writes a number as plain text does, and plain text writes a scalar as it is.
    const isNumber = isJson(media.key) && types.length > 0 && types.every((type) => bare.has(type))
    const isText =
      isPlainText(media.key) && types.length > 0 && types.every((type) => type === 'string' || bare.has(type))
    return isNumber || isText ? 'plain' : isJson(media.key) ? 'application/json' : media.key
  }
  const isScalar = types.length > 0 && types.every((type) => type !== 'array' && type !== 'object')
  const style = styleOf(asObject(parameter.cursor.value), usualStyle(parameter.in), isScalar)
  const isList = types.length > 0 && types.every((type) => type === 'array' || type === 'null')
  return isList ? (sameForLists.get(style) ?? style) : style
}

const isPlainText = (type: string) => /^text\/plain\s*(;|$)/i.test(type)

/** Whether the value is read as a text is, which a conversion follows: without a media type, or as plain text. */
export function isReadAsText(side: Side, { cursor }: Pick<Parameter, 'cursor'>): boolean {
  return members(memberOf(side, cursor, 'content')).every(({ key }) => isPlainText(key))
}

/**
 * Styles that write a list like another style (RFC 6570 section 3.2.1): if the list is exploded, its delimiter is
 * unused.
 */
const sameForLists: ReadonlyMap<string, string> = new Map([
  ['simple exploded', 'simple joined'],
  ['spaceDelimited exploded', 'form exploded'],
  ['pipeDelimited exploded', 'form exploded'],
])

/**
 * Whether a path contains the parameter's name with its value (RFC 6570 section 3.2.7). An exploded object has its
 * members' names instead.
 */
export function isNamedInPath(side: Side, parameter: Parameter): boolean {
  const types = typesIn(side, parameter)
  const spelling = spellingOf(side, parameter)
  return /^matrix\b/.test(spelling) && !(types.includes('object') && spelling.endsWith(' exploded'))
}

/** Whether its style writes no prefix in the path. */
export function isBareInPath(side: Side, parameter: Parameter): boolean {
  return parameter.in === 'path' && !/^(?:label|matrix)/.test(spellingOf(side, parameter))
}

/**
 * The parameters of the old path that have one value only, which the new path has in their place, so that it serves the
 * same URLs. Undefined if the paths differ in anything else.
 */
export function writtenOut({
  old,
  before,
  after,
}: Pick<OperationPair, 'old' | 'before' | 'after'>): ReadonlySet<string> | undefined {
  const [parts, texts] = [before.fullPath.split('/'), after.fullPath.split('/')]
  const parameters = parametersOf(old, before)
  const written = new Set<string>()
  const isOne = (part: string, text = ''): boolean => {
    if (shapeOf(part) === shapeOf(text)) return true
    const [, name = ''] = /^\{([^{}]+)\}$/.exec(part) ?? []
    const parameter = parameters.get(`path ${name}`)
    if (parameter === undefined || !isBareInPath(old, parameter)) return false
    const schema = asObject(resolve(old, schemaOf(old, parameter)?.value ?? true))
    const [value, other] = [own(schema, 'enum') ?? own(schema, 'const') ?? []].flat()
    written.add(name)
    return (
      value !== undefined &&
      other === undefined &&
      shapeOf(encodeURIComponent(String(value))) === shapeOf(text)
    )
  }
  const isSame = parts.length === texts.length && parts.every((part, index) => isOne(part, texts[index]))
  return isSame && !before.webhook ? written : undefined
}

/**
 * The parameters of the new path that have texts of the old path as values, so that it serves the same URLs. Undefined if
 * the paths differ in anything else, if a parameter refuses its text or also has another value, as of a field of the body,
 * or if another operation takes the requests.
 */
export function readIn(pair: OperationPair): ReadonlySet<string> | undefined {
  const { new: fresh, before, after } = pair
  if (before.webhook || before.method !== after.method || !isRouted(after)) return undefined
  const [texts, parts] = [before.fullPath.split('/'), after.fullPath.split('/')]
  const parameters = parametersOf(fresh, after)
  const { properties } = asObject(before.modelled?.params)
  const known = new Set([...Object.keys(asObject(properties)), ...(after.modelled?.rest.body?.shared ?? [])])
  const read = new Set<string>()
  const reads = (text: string, part = ''): boolean => {
    if (shapeOf(text) === shapeOf(part)) return true
    const [, start = '', name = '', end = ''] = /^([^{}]*)\{([^{}]+)\}([^{}]*)$/.exec(part) ?? []
    const parameter = parameters.get(`path ${name}`)
    if (parameter === undefined || text.includes('{') || !isBareInPath(fresh, parameter)) return false
    if (known.has(parameter.param)) return false
    const value = text.length > start.length + end.length && text.startsWith(start) && text.endsWith(end)
    read.add(name)
    return (
      value && accepts(pair, parameter, decodePercent(text.slice(start.length, text.length - end.length)))
    )
  }
  if (texts.length !== parts.length || !texts.every((text, index) => reads(text, parts[index])))
    return undefined
  const isTaken = fresh.endpoints.some(
    (other) =>
      other !== after &&
      !other.webhook &&
      other.method === after.method &&
      precedenceOf(other.fullPath.split('/'), parts)?.isFirst === true &&
      precedenceOf(other.fullPath.split('/'), texts) !== undefined,
  )
  return isTaken ? undefined : read
}

/** Whether the old path has the value of a new parameter. */
export function isReadIn(pair: OperationPair, { in: place, name }: Parameter): boolean {
  return place === 'path' && readIn(pair)?.has(name) === true
}

/** Whether a parameter certainly accepts a text in the path. */
function accepts({ new: fresh, tools }: OperationPair, parameter: Parameter, text: string): boolean {
  const schema = schemaOf(fresh, parameter)?.value ?? true
  const types = typesIn(fresh, parameter)
  const isText = types.every((type) => type === 'string')
  const number = Number(text)
  if (!isText && (String(number) !== text || !types.every((type) => type === 'integer' || type === 'number')))
    return false
  // Without a type, a text may be read as another value.
  if (types.length === 0 && !/^(?!(?:true|false|null)$)[A-Za-z]\w*$/.test(text)) return false
  const value = isText ? text : number
  return tools.reach.graph.judgement.passes('request', { const: value }, schema).verdict === 'contained'
}

/** How a list in a parameter is written. */
export function listStyleOf({ in: place, cursor }: Pick<Parameter, 'in' | 'cursor'>): ListStyle {
  const style = styleOf(asObject(cursor.value), usualStyle(place), false)
  if (style === 'deepObject') return 'nested'
  return place === 'query' && style.endsWith(' exploded') ? 'repeated' : 'joined'
}

/** The types that the schema allows, wherever it says so. Empty if it allows all. */
function typesIn(side: Side, parameter: Pick<Parameter, 'cursor'>): readonly string[] {
  const schema = schemaOf(side, parameter)?.value ?? true
  return saysNoType(side, schema) ? [] : typesOfText(side, schema)
}

function usualStyle(place: string): string {
  return place === 'query' || place === 'cookie' ? 'form' : 'simple'
}

/**
 * Style and explode of a parameter. Explode does not affect scalars, nor `deepObject` (OpenAPI 3.1.1 section 4.8.12.4).
 */
function styleOf(object: JsonObject, usual: string, isScalar: boolean): string {
  const style = text(object, 'style') ?? usual
  if (isScalar) return style === 'label' || style === 'matrix' ? style : 'plain'
  if (style === 'deepObject') return style
  const explode = own(object, 'explode')
  return `${style} ${(typeof explode === 'boolean' ? explode : style === 'form') ? 'exploded' : 'joined'}`
}

/** Whether two encodings differ only for lists, while one version has no lists. */
export function isOfType(was: string, is: string): boolean {
  const [style, other] = [was, is].map((spelling) => spelling.split(' ', 1)[0])
  // With a prefix, a list with one item is written like the item.
  if (style === other && (was === style || is === other)) return true
  if (was !== 'plain' && is !== 'plain') return false
  return /^(plain|form|simple|spaceDelimited|pipeDelimited|deepObject)$/.test(
    (was === 'plain' ? other : style) ?? '',
  )
}

/** Whether two encodings are the same for a list of one item, whose delimiter is unused. */
export function isOfLists(was: string, is: string): boolean {
  const [style = '', other = ''] = [was, is].map(
    (spelling) => /^\w+(?= (?:joined|exploded)$)/.exec(spelling)?.[0],
  )
  return style !== '' && (style === other || [style, other].every((one) => bareInQuery.has(one)))
}

const bareInQuery: ReadonlySet<string> = new Set(['form', 'spaceDelimited', 'pipeDelimited'])

const bare: ReadonlySet<string> = new Set(['integer', 'number', 'boolean'])
