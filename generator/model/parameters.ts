import type { ParameterBinding } from '@duet/runtime'
import type { Diagnostic } from '../load/diagnostic.js'
import type { Document } from '../load/document.js'
import { isObject, own } from '../load/json.js'
import { coercionOf } from './coercion.js'
import type { Components } from './components.js'
import { type Cursor, compareText, elements, follow, member, text } from './cursor.js'
import { described, type Field, paramName } from './field.js'
import type { Schema } from './model.js'

/** A parameter of an operation: its field among the params and its place in an HTTP request. */
export interface Parameter {
  readonly field: Field
  readonly binding: ParameterBinding
  readonly cursor: Cursor
}

/** Headers that a credential travels in, lower case, beside those that OpenAPI itself ignores. */
export interface Credentials {
  readonly header: ReadonlySet<string>
  readonly query: ReadonlySet<string>
  readonly cookie: ReadonlySet<string>
}

/**
 * The parameters of an operation, those of its path item included, sorted by place and name. Left out:
 * `__tz`, which the runtime takes on every call; the headers that OpenAPI ignores (3.1, Parameter
 * Object); and credentials.
 */
export function readParameters(
  document: Document,
  components: Components,
  credentials: Credentials,
  pathItem: Cursor,
  operation: Cursor,
  diagnostics: Diagnostic[],
): Parameter[] {
  const found = new Map<string, Parameter>()
  for (const owner of [pathItem, operation]) {
    for (const listed of elements(member(owner, 'parameters'))) {
      const cursor = follow(document, listed)
      const name = text(cursor?.value, 'name')
      const place = text(cursor?.value, 'in')
      if (cursor === undefined || name === undefined || !isPlace(place)) {
        diagnostics.push(unreadable(document, listed))
        continue
      }
      if (name === '__tz' || isIgnored(name, place, credentials)) continue
      const schema = readSchema(document, components, cursor, diagnostics)
      found.set(`${place} ${name}`, parameterOf(document, components, cursor, name, place, schema))
    }
  }
  return [...found.values()].sort(
    (a, b) =>
      places.indexOf(a.binding.in) - places.indexOf(b.binding.in) ||
      compareText(a.binding.name, b.binding.name),
  )
}

type Place = ParameterBinding['in']

const places: readonly Place[] = ['path', 'query', 'header', 'cookie']
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization'])

function isPlace(place: string | undefined): place is Place {
  return place === 'path' || place === 'query' || place === 'header' || place === 'cookie'
}

function isIgnored(name: string, place: Place, credentials: Credentials): boolean {
  if (place === 'header') {
    return ignoredHeaders.has(name.toLowerCase()) || credentials.header.has(name.toLowerCase())
  }
  if (place === 'query' || place === 'cookie') return credentials[place].has(name)
  return false
}

function parameterOf(
  document: Document,
  components: Components,
  cursor: Cursor,
  name: string,
  place: Place,
  schema: Schema,
): Parameter {
  const param = paramName(cursor.value, name)
  const required = place === 'path' || (isObject(cursor.value) && own(cursor.value, 'required') === true)
  const style = styleOf(text(cursor.value, 'style'), place)
  const explode = isObject(cursor.value) ? own(cursor.value, 'explode') : undefined
  return {
    field: {
      param,
      schema: described(schema, cursor.value),
      required,
      pointer: cursor.pointer,
      at: document.locate(cursor.pointer),
    },
    binding: {
      name,
      param,
      in: place,
      required,
      style,
      explode: typeof explode === 'boolean' ? explode : style === 'form',
      coerce: coercionOf(components.schemas, schema),
    },
    cursor,
  }
}

/** The style, or the default of the place (OpenAPI 3.1, Parameter Object). */
function styleOf(style: string | undefined, place: Place): ParameterBinding['style'] {
  const known = styles.find((candidate) => candidate === style)
  return known ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple')
}

const styles = ['simple', 'form', 'label', 'matrix', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const

function readSchema(
  document: Document,
  components: Components,
  cursor: Cursor,
  diagnostics: Diagnostic[],
): Schema {
  const schema = member(cursor, 'schema')
  if (schema !== undefined) return components.read(schema)
  if (member(cursor, 'content') !== undefined) {
    diagnostics.push({
      code: 'parameter-content',
      severity: 'error',
      message: `The parameter ${JSON.stringify(text(cursor.value, 'name'))} is described by a media type, which has no binding`,
      remedy: 'Describe it by a schema, with a style where it is an array or an object.',
      at: document.locate(cursor.pointer),
    })
  }
  return true
}

function unreadable(document: Document, cursor: Cursor): Diagnostic {
  return {
    code: 'parameter-invalid',
    severity: 'error',
    message: 'The parameter has no name or no place, or refers to nothing',
    remedy: 'Give it a name and one of in: path, query, header, cookie.',
    at: document.locate(cursor.pointer),
  }
}
