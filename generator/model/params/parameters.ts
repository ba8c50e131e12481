import type { ParameterBinding } from 'duet-runtime'
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { type Cursor, compareText, elements, follow, member, text } from '../../document/cursor.js'
import type { Document } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { keepOrder, writtenOrder } from '../../document/written-order.js'
import { coercionOf } from '../../schema/coercion.js'
import { resolve, type Schema } from '../../schema/schema.js'
import type { Components } from '../content/components.js'
import { type MediaType, mediaTypeOf } from '../content/content.js'
import { asksForEntityTag, paramSchema } from '../content/entity-tag.js'
import { described, type Field, paramName } from '../content/field.js'

/** A parameter of an operation: its field in the params and its location in an HTTP request. */
export interface Parameter {
  readonly field: Field
  readonly binding: ParameterBinding
  readonly cursor: Cursor
  /** The media type that describes it instead of a schema. */
  readonly content: MediaType | undefined
}

/** Headers with credentials in lower case, in addition to those that OpenAPI ignores. */
export interface Credentials {
  readonly header: ReadonlySet<string>
  readonly query: ReadonlySet<string>
  readonly cookie: ReadonlySet<string>
}

/** State shared between a document's operations while reading their parameters. */
export interface ParameterReading {
  readonly document: Document
  readonly components: Components
  readonly diagnostics: Diagnostic[]
  /** Parameters that were already read, by their pointers: a thousand operations refer to the same few. */
  readonly parameters: Map<string, Parameter>
}

/**
 * The parameters of an operation and its path item, sorted by location and name. Omits `__tz`, which the
 * runtime accepts on every call; the headers that OpenAPI ignores (3.1, Parameter Object); credentials; and
 * everything that the path fixes.
 */
export function readParameters(
  { document, components, diagnostics, parameters }: ParameterReading,
  credentials: Credentials,
  {
    path,
    query = {},
    pathItem,
    operation,
  }: {
    readonly path: string
    readonly query?: Readonly<Record<string, string>> | undefined
    readonly pathItem: Cursor
    readonly operation: Cursor
  },
): Parameter[] {
  const found = new Map<string, Parameter>()
  const template = new Set([...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? ''))
  for (const owner of [pathItem, operation]) {
    for (const listed of elements(member(owner, 'parameters'))) {
      const cursor = follow(document, listed)
      const name = text(cursor?.value, 'name')
      const stated = text(cursor?.value, 'in')
      // The whole query string is an object with its parameters as members (OpenAPI 3.2, `querystring`).
      const place = stated === 'querystring' ? 'query' : stated
      if (cursor === undefined || name === undefined || !isLocation(place)) {
        diagnostics.push(unreadable(document, listed))
        continue
      }
      if (place === 'path' && !template.has(name)) continue // reported by lint
      if (place === 'query' && Object.hasOwn(query, name)) continue
      if (name === '__tz' || isIgnored(name, place, credentials)) continue
      const parameter =
        parameters.get(cursor.pointer) ?? parameterOf(document, components, cursor, name, place)
      parameters.set(cursor.pointer, parameter)
      found.set(`${place} ${name}`, parameter)
    }
  }
  for (const name of template) {
    const key = `path ${name}`
    if (!found.has(key)) found.set(key, undeclared(document, operation, name))
  }
  const read = [...found.values()].sort((a, b) => compareBindings(a.binding, b.binding))
  keepOrder(read, [...found.keys()])
  return read
}

/** The names of params in the order that their parameters have in the document. */
export function writtenParams(read: readonly Parameter[], parameters: readonly Parameter[]): string[] {
  const inOrder = writtenOrder(read)
  const keyOf = ({ binding }: Parameter): string => `${binding.in} ${binding.name}`
  return [...parameters].sort((a, b) => inOrder(keyOf(a), keyOf(b))).map(({ field }) => field.param)
}

/** By location, then by name. */
export function compareBindings(a: ParameterBinding, b: ParameterBinding): number {
  return places.indexOf(a.in) - places.indexOf(b.in) || compareText(a.name, b.name)
}

/** Headers that no parameter describes (OpenAPI 3.1.1 section 4.8.12.2). */
export function isIgnoredHeader(name: string): boolean {
  return ignoredHeaders.has(name.toLowerCase())
}

/** Whether a header allows a call to be repeated with the same value. */
export function isIdempotencyKey({ in: place, name }: ParameterBinding): boolean {
  return place === 'header' && name.toLowerCase() === 'idempotency-key'
}

type ParameterLocation = ParameterBinding['in']

const places: readonly ParameterLocation[] = ['path', 'query', 'header', 'cookie']
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization'])

function isLocation(place: string | undefined): place is ParameterLocation {
  return place === 'path' || place === 'query' || place === 'header' || place === 'cookie'
}

function isIgnored(name: string, place: ParameterLocation, credentials: Credentials): boolean {
  if (place === 'header') {
    return isIgnoredHeader(name) || credentials.header.has(name.toLowerCase())
  }
  if (place === 'query' || place === 'cookie') return credentials[place].has(name)
  return false
}

function isSet({ value }: Cursor, key: string): boolean {
  return isObject(value) && own(value, key) === true
}

function parameterOf(
  document: Document,
  components: Components,
  cursor: Cursor,
  name: string,
  place: ParameterLocation,
): Parameter {
  const content = contentOf(document, cursor)
  const stated = paramSchema(cursor) ?? content?.schema
  const schema = stated === undefined ? true : components.read(stated)
  const isJson = content?.kind === 'json'
  const param = paramName(cursor.value, name)
  const required = place === 'path' || (isObject(cursor.value) && own(cursor.value, 'required') === true)
  const coerce = coercionOf(components.schemas, schema)
  const stylized = isJson ? defaultStyle(place) : styleOf(text(cursor.value, 'style'), place)
  // Without members there is nothing for brackets.
  const hasMembers = coerce.types.some((type) => type === 'object' || type === 'array')
  const style = stylized === 'deepObject' && !hasMembers ? defaultStyle(place) : stylized
  const explode = isObject(cursor.value) ? own(cursor.value, 'explode') : undefined
  return {
    field: {
      param,
      schema: described(schema, cursor.value),
      required,
      pointer: cursor.pointer,
      at: () => document.locate(cursor.pointer),
    },
    binding: {
      name,
      param,
      in: place,
      required,
      style,
      explode: typeof explode === 'boolean' ? explode : style === 'form',
      coerce,
      ...(place === 'query' && isSet(cursor, 'allowEmptyValue') && { emptyIsAbsent: true }),
      ...(isJson && { json: true }),
      ...(!(isJson || required) && preferencesOf(components.schemas, schema, name, place)),
      ...(!isJson && asksForEntityTag(name, place, coerce) && { entityTag: true }),
    },
    cursor,
    content,
  }
}

/** The headers that fetch and browsers set automatically, whatever the parameter says. */
function preferencesOf(
  schemas: Components['schemas'],
  schema: Schema,
  name: string,
  place: ParameterLocation,
): Pick<ParameterBinding, 'preferences'> {
  if (place !== 'header' || !/^accept-(language|encoding|charset)$/i.test(name)) return {}
  const target = resolve(schemas, schema)
  const type = isObject(target) ? own(target, 'type') : undefined
  if (type === 'array' || type === 'object') return {}
  const listed = isObject(target) ? own(target, 'enum') : undefined
  const values = isArray(listed) ? listed : []
  return { preferences: values.filter((value) => typeof value === 'string') }
}

/** The style, or the location's default if it has none or an unknown one. */
function styleOf(style: string | undefined, place: ParameterLocation): ParameterBinding['style'] {
  return styles[place].find((candidate) => candidate === style) ?? defaultStyle(place)
}

function defaultStyle(place: ParameterLocation): ParameterBinding['style'] {
  return place === 'query' || place === 'cookie' ? 'form' : 'simple'
}

/** OpenAPI 3.1, Style Values. */
const styles: Readonly<Record<ParameterLocation, readonly ParameterBinding['style'][]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
}

/** A form that describes the query string describes its members one by one, so it does not count here. */
function contentOf(document: Document, cursor: Cursor): MediaType | undefined {
  return member(cursor, 'schema') === undefined ? mediaTypeOf(document, cursor) : undefined
}

/** A parameter that only the path mentions is a text. Lint reports it. */
function undeclared(document: Document, cursor: Cursor, name: string): Parameter {
  const { pointer } = cursor
  const field = {
    param: name,
    schema: { type: 'string' },
    required: true,
    pointer,
    at: () => document.locate(pointer),
  }
  const coerce = { types: ['string'] } as const
  return {
    field,
    binding: { name, param: name, in: 'path', required: true, style: 'simple', explode: false, coerce },
    cursor: { value: {}, pointer },
    content: undefined,
  }
}

function unreadable(document: Document, cursor: Cursor): Diagnostic {
  const message = 'The parameter has no name or no in, or its reference leads nowhere'
  return diagnose('parameter-invalid', message, document.locate(cursor.pointer))
}
