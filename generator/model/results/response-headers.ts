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
}

/**
 * The headers of responses, sorted by name. Undefined if there are none. If several responses declare a
 * header, it may match any of them. Omits Content-Type (OpenAPI 3.1.1, Response Object) and invalid names.
 */
export function readResponseHeaders(
  document: Document,
  components: Components,
  responses: readonly Cursor[],
): ResponseHeaders | undefined {
  const found = new Map<string, Declared[]>()
  for (const response of responses) {
    for (const entry of members(member(response, 'headers'))) {
      const known = entry.key.toLowerCase()
      const header = follow(document, entry)
      if (header === undefined || known === 'content-type' || !fieldName.test(known)) continue
      const declared = declaredHeader(document, components, entry.key, header)
      found.set(known, [...(found.get(known) ?? []), declared])
    }
  }
  if (found.size === 0) return undefined
  const properties: MutableObject = {}
  const bindings = [...found]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([, [first, ...others]]): HeaderBinding[] => {
      if (first === undefined) return []
      const schemas = new Map([first, ...others].map(({ schema }) => [fingerprint(schema), schema]))
      const schema: Schema = schemas.size === 1 ? first.schema : { anyOf: [...schemas.values()] }
      setOwn(properties, first.name, schema)
      const { name, explode, json } = first
      return [
        {
          name,
          coerce: coercionOf(components.schemas, schema),
          ...(explode && ({ explode: true } as const)),
          ...(json && ({ json: true } as const)),
        },
      ]
    })
  return { bindings, schema: { type: 'object', properties, additionalProperties: false } }
}

interface Declared {
  readonly name: string
  readonly schema: Schema
  readonly explode: boolean
  readonly json: boolean
}

function declaredHeader(document: Document, components: Components, name: string, header: Cursor): Declared {
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
