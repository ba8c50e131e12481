import { objectOf, omitted } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import {
  isAnnotation,
  isSchema,
  mapSubschemas,
  referenceOf,
  referenceTo,
  type Schema,
  subschemas,
} from '../../schema/schema.js'
import type { Components } from './components.js'
import { isBytesType } from './content.js'

/** A file: a Blob for handlers. This keyword is internal; reading a document drops any keyword of the same name. */
export const binarySchema: JsonObject = { $binary: true }

export function isBinarySchema(schema: Schema): boolean {
  return isObject(schema) && own(schema, '$binary') === true
}

/**
 * A schema as part of a multipart body: texts of format `binary` or with a binary media type are files.
 * Components with such a text get a copy, because elsewhere it stays a text.
 */
function withBinaries(components: Components, schema: Schema): Schema {
  if (!isObject(schema)) return schema
  if (isFile(schema)) return fileOf(schema)
  const name = referenceOf(schema)
  const target = name === undefined ? undefined : components.schemas.get(name)
  if (name !== undefined && target !== undefined && isObject(target) && holdsFile(components, target)) {
    if (isFile(target)) return fileOf({ ...target, ...omitted(schema, '$ref') })
    return { ...schema, $ref: referenceTo(copyOf(components, name, target)) }
  }
  return mapSubschemas(schema, (part) => (isSchema(part) ? withBinaries(components, part) : true))
}

/**
 * A field of a multipart body. Without a type it contains bytes (OpenAPI 3.1, Encoding Object), as it does if
 * the encoding has a binary media type.
 */
export function fieldWithBinaries(
  components: Components,
  schema: Schema,
  contentType: string | undefined,
): Schema {
  const isBytes = contentType?.split(',').every((type) => isBytesType(type.trim()))
  if (isBytes && isObject(schema) && own(schema, 'type') === 'string') return fileOf(schema)
  const items = isObject(schema) ? own(schema, 'items') : undefined
  if (isObject(schema) && items !== undefined && isSchema(items) && own(schema, 'type') === 'array') {
    return { ...schema, items: fieldWithBinaries(components, items, contentType) }
  }
  if (schema === true || (isObject(schema) && isUntyped(schema)))
    return fileOf(isObject(schema) ? schema : {})
  return withBinaries(components, schema)
}

const describing = new Set(['contentMediaType', 'format', 'type', 'default', '$binary'])

function isUntyped(schema: JsonObject): boolean {
  if (own(schema, 'contentEncoding') !== undefined) return false
  return Object.keys(schema).every((keyword) => isAnnotation(keyword) || keyword === 'contentMediaType')
}

function isFile(schema: JsonObject): boolean {
  const stated = own(schema, 'type')
  const types = isArray(stated) ? stated : [stated]
  if (!types.includes('string') || own(schema, 'contentEncoding') !== undefined) return false
  const media = own(schema, 'contentMediaType')
  return own(schema, 'format') === 'binary' || (typeof media === 'string' && isBytesType(media))
}

function fileOf(schema: JsonObject): JsonObject {
  const types = own(schema, 'type')
  const annotations = Object.entries(schema).filter(
    ([keyword]) => isAnnotation(keyword) && !describing.has(keyword),
  )
  const file = objectOf([...annotations, ['$binary', true] as const])
  return isArray(types) && types.includes('null')
    ? objectOf([...annotations, ['anyOf', [binarySchema, { type: 'null' }]] as [string, Json]])
    : file
}

function holdsFile(components: Components, schema: Schema, seen: Set<string> = new Set()): boolean {
  if (!isObject(schema)) return false
  if (isFile(schema)) return true
  const name = referenceOf(schema)
  if (name !== undefined && !seen.has(name)) {
    seen.add(name)
    const target = components.schemas.get(name)
    if (target !== undefined && holdsFile(components, target, seen)) return true
  }
  return subschemas(schema).some((part) => holdsFile(components, part.schema, seen))
}

/** Name of the copy that represents a component in multipart bodies. */
function copyOf(components: Components, name: string, target: Schema): string {
  const known = components.uploads.get(name)
  if (known !== undefined) return known
  let copy = `${name}Upload`
  for (let number = 2; components.schemas.has(copy); number++) copy = `${name}Upload${number}`
  components.uploads.set(name, copy)
  components.pointers.set(copy, components.pointers.get(name) ?? '#')
  components.schemas.set(copy, true)
  components.schemas.set(copy, withBinaries(components, target))
  return copy
}
