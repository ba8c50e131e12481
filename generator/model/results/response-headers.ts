import type { HeaderBinding } from 'duet-runtime'
import { type Cursor, compareText, follow, member, members } from '../../document/cursor.js'
import type { Document, JsonObject } from '../../document/document.js'
import { isObject, type MutableObject, own, setOwn } from '../../document/json.js'
import { fingerprint } from '../../schema/canonical.js'
import { coercionOf } from '../../schema/coercion.js'
import type { Schema } from '../../schema/schema.js'
import type { Components } from '../content/components.js'
import { mediaTypeOf } from '../content/content.js'
import { described } from '../content/field.js'

/** The headers that the successes of an operation declare: how to read each, and an object schema of all. */
export interface ResponseHeaders {
  readonly bindings: readonly HeaderBinding[]
  readonly schema: JsonObject
  /** The object schema of each response's own headers, in their order. Undefined for a response without any. */
  readonly own: readonly (JsonObject | undefined)[]
}

/** A success and its statuses. */
export interface StatusResponse {
  readonly statuses: readonly number[]
  /** Undefined if its reference leads nowhere. */
  readonly target: Cursor | undefined
}

/**
 * The headers of responses, sorted by name. Undefined if there are none. If several responses declare a
 * header, `schema` allows what any of them does. Omits Content-Type (OpenAPI 3.1.1, Response Object) and
 * invalid names.
 */
export function readResponseHeaders(
  document: Document,
  components: Components,
  responses: readonly StatusResponse[],
): ResponseHeaders | undefined {
  const found = new Map<string, Declared[]>()
  for (const [response, { statuses, target }] of responses.entries()) {
    for (const entry of members(target && member(target, 'headers'))) {
      const known = entry.key.toLowerCase()
      const header = follow(document, entry)
      if (header === undefined || known === 'content-type' || !fieldName.test(known)) continue
      const declared = declaredHeader(document, components, entry.key, header)
      found.set(known, [...(found.get(known) ?? []), { ...declared, response, statuses }])
    }
  }
  if (found.size === 0) return undefined
  const sorted = [...found].sort(([a], [b]) => compareText(a, b)).map(([, all]) => all)
  return {
    bindings: sorted.flatMap((all) => bindingsOf(components, all)),
    schema: objectSchema(sorted),
    own: responses.map((_, index) => {
      const own = sorted.map((all) => all.filter(({ response }) => response === index))
      return own.every((all) => all.length === 0) ? undefined : objectSchema(own, sorted)
    }),
  }
}

/** One binding for each way to read a header. */
function bindingsOf(components: Components, all: readonly Declared[]): HeaderBinding[] {
  const ways = new Map<string, { readonly binding: HeaderBinding; readonly statuses: number[] }>()
  for (const { explode, json, schema, statuses } of all) {
    const binding: HeaderBinding = {
      name: all[0]?.name ?? '',
      coerce: coercionOf(components.schemas, schema),
      ...(explode && ({ explode: true } as const)),
      ...(json && ({ json: true } as const)),
    }
    const way = ways.get(JSON.stringify(binding))
    if (way === undefined) ways.set(JSON.stringify(binding), { binding, statuses: [...statuses] })
    else way.statuses.push(...statuses)
  }
  if (ways.size === 1) return [...ways.values()].map(({ binding }) => binding)
  return [...ways.values()].map(({ binding, statuses }) => ({ ...binding, statuses }))
}

/** @param named the declarations whose first one gives each header its name */
function objectSchema(headers: readonly (readonly Declared[])[], named = headers): JsonObject {
  const properties: MutableObject = {}
  for (const [index, all] of headers.entries()) {
    const schemas = [...new Map(all.map(({ schema }) => [fingerprint(schema), schema])).values()]
    const [first] = schemas
    if (first === undefined) continue
    setOwn(properties, named[index]?.[0]?.name ?? '', schemas.length === 1 ? first : { anyOf: schemas })
  }
  return { type: 'object', properties, additionalProperties: false }
}

interface Declared extends DeclaredHeader {
  /** The index of its response. */
  readonly response: number
  readonly statuses: readonly number[]
}

interface DeclaredHeader {
  readonly name: string
  readonly schema: Schema
  readonly explode: boolean
  readonly json: boolean
}

function declaredHeader(
  document: Document,
  components: Components,
  name: string,
  header: Cursor,
): DeclaredHeader {
  const content = member(header, 'schema') === undefined ? mediaTypeOf(document, header) : undefined
  const json = content?.kind === 'json'
  const stated = member(header, 'schema') ?? (json ? content.schema : undefined)
  // Without a schema it is the text of the header.
  const schema = stated === undefined ? { type: 'string' } : components.read(stated)
  const explode = isObject(header.value) && own(header.value, 'explode') === true
  return { name, schema: described(schema, header.value), explode, json }
}

/** RFC 9110 section 5.1. */
const fieldName = /^[!#$%&'*+.^_`|~\w-]+$/
