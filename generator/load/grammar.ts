import type { Json } from './document.js'
import { isArray, isObject, own } from './json.js'
import { objects } from './openapi-grammar.js'
import type { Path } from './pointer.js'
import { schemaFields } from './schema-grammar.js'

/** The objects of the OpenAPI specification, by role. */
export type Kind =
  | 'document'
  | 'info'
  | 'contact'
  | 'license'
  | 'server'
  | 'serverVariable'
  | 'components'
  | 'paths'
  | 'pathItem'
  | 'operation'
  | 'externalDocs'
  | 'parameter'
  | 'requestBody'
  | 'mediaType'
  | 'encoding'
  | 'responses'
  | 'response'
  | 'callback'
  | 'example'
  | 'link'
  | 'header'
  | 'tag'
  | 'schema'
  | 'discriminator'
  | 'xml'
  | 'securityScheme'
  | 'oauthFlows'
  | 'oauthFlow'
  | 'securityRequirement'

/** What a field holds: other objects of the specification, or plain data that is never searched for references. */
export type Field =
  | { readonly one: Kind }
  | { readonly list: Kind; readonly filled?: true }
  | { readonly map: Kind }
  | { readonly data: DataType; readonly values?: readonly string[] }

export type DataType =
  | 'any'
  | 'text'
  | 'flag'
  | 'number'
  | 'positive'
  | 'count'
  | 'list'
  | 'texts'
  | 'uniqueTexts'
  | 'textMap'
  | 'textsMap'
  | 'type'
  | 'anyMap'

export interface Shape {
  readonly fields: Readonly<Record<string, Field>>
  readonly required?: readonly string[]
  /** Members beside the fields: the kind of those whose key the pattern matches. */
  readonly others?: { readonly keys: RegExp; readonly kind: Kind }
  /** A Reference Object may stand in its place. */
  readonly referable?: true
}

/** The shape of each kind: OpenAPI 3.1.1 section 4.8, with the fields that 3.2 adds. */
export const shapes: Readonly<Record<Kind, Shape>> = {
  ...objects,
  schema: { fields: schemaFields, referable: true },
}

/** One object of the specification within a document. */
export interface GrammarNode {
  readonly kind: Kind
  readonly value: Json
  readonly path: Path
  /** The object that holds it, and by which of its fields; absent at the root of a walk. */
  readonly parent?: GrammarNode
  readonly field?: string
}

/** The `$ref` of a node that is a reference, else undefined. A property named `$ref` is never one. */
export function referenceOf(node: Pick<GrammarNode, 'kind' | 'value'>): string | undefined {
  if (!shapes[node.kind].referable || !isObject(node.value)) return undefined
  const reference = own(node.value, '$ref')
  return typeof reference === 'string' ? reference : undefined
}

/** Visits a node and every object of the specification below it, in document order; `false` skips what is below. */
export function walk(node: GrammarNode, visit: (node: GrammarNode) => undefined | false): void {
  const object = node.value
  if (visit(node) === false || !isObject(object)) return
  // Beside $ref a Reference Object has texts alone; schemas and path items keep their other fields.
  if (node.kind !== 'schema' && node.kind !== 'pathItem' && referenceOf(node) !== undefined) return
  const { others } = shapes[node.kind]
  const fields = fieldsOf(node.kind)
  for (const key of Object.keys(object)) {
    const field = fields.get(key)
    if (field === undefined ? others === undefined : 'data' in field) continue
    const value = object[key] ?? null
    const path = { parent: node.path, key }
    if (field === undefined) {
      if (others?.keys.test(key)) walk({ kind: others.kind, value, path, parent: node, field: key }, visit)
    } else if ('one' in field) {
      walk({ kind: field.one, value, path, parent: node, field: key }, visit)
    } else if ('map' in field) {
      if (!isObject(value)) continue
      for (const name of Object.keys(value)) {
        const below = { parent: path, key: name }
        walk({ kind: field.map, value: value[name] ?? null, path: below, parent: node, field: key }, visit)
      }
    } else if ('list' in field && isArray(value)) {
      for (const [index, member] of value.entries()) {
        const below = { parent: path, key: String(index) }
        walk({ kind: field.list, value: member, path: below, parent: node, field: key }, visit)
      }
    }
  }
}

/** The fields of a kind, which half a million keys of a large document are looked up in. */
function fieldsOf(kind: Kind): ReadonlyMap<string, Field> {
  let fields = fieldsByKind.get(kind)
  if (fields === undefined) {
    fields = new Map(Object.entries(shapes[kind].fields))
    fieldsByKind.set(kind, fields)
  }
  return fields
}

const fieldsByKind = new Map<Kind, ReadonlyMap<string, Field>>()
