import type { Json, JsonObject } from './document.js'
import { walk } from './grammar.js'
import { isArray, isObject, type MutableObject, own } from './json.js'
import type { Origins } from './origins.js'
import { segmentsOf } from './pointer.js'

/**
 * Rewrites an OpenAPI 3.0 document in 3.1 form, in place. The rules are those of 3.0.3's Schema Object read
 * against JSON Schema 2020-12. A value that 3.0 does not allow stays, for lint to report.
 */
export function upgrade(root: MutableObject, origins: Origins): void {
  root.openapi = '3.1.1'
  walk({ kind: 'document', value: root, path: undefined }, (node) => {
    if (node.kind === 'schema' && isObject(node.value)) {
      const schema: MutableObject = node.value
      upgradeReference(schema)
      upgradeNullable(schema)
      upgradeBound(schema, 'minimum', 'exclusiveMinimum')
      upgradeBound(schema, 'maximum', 'exclusiveMaximum')
      upgradeContent(schema)
      if (Object.hasOwn(schema, 'example') && !Object.hasOwn(schema, 'examples')) {
        const { source, segments } = origins.of(segmentsOf(node.path))
        const examples = [schema.example ?? null]
        origins.set(examples, { source, segments: [...segments, 'example'] })
        schema.examples = examples
        delete schema.example
      }
    }
    return undefined
  })
}

/** Beside `$ref` everything is ignored in 3.0, in 3.1 it counts: what could change the meaning goes. */
function upgradeReference(schema: MutableObject): void {
  if (typeof own(schema, '$ref') !== 'string') return
  for (const key of Object.keys(schema)) {
    if (key !== '$ref' && key !== 'description' && !key.startsWith('x-')) delete schema[key]
  }
}

/**
 * `nullable: true` adds null to the `type` beside it and without one does nothing (3.0.3's clarification).
 * It does not add null to an `enum`: "null" must be listed there to be allowed.
 */
function upgradeNullable(schema: MutableObject): void {
  const nullable = own(schema, 'nullable')
  if (typeof nullable !== 'boolean') return
  const type = own(schema, 'type')
  if (nullable && type === undefined) return // without effect, which lint reports
  delete schema.nullable
  if (nullable && typeof type === 'string' && type !== 'null') schema.type = [type, 'null']
  else if (nullable && isArray(type) && !type.includes('null')) schema.type = [...type, 'null']
}

/** A flag beside a bound in 3.0, a bound of its own in 3.1. */
function upgradeBound(schema: MutableObject, bound: string, exclusive: string): void {
  const flag = own(schema, exclusive)
  if (typeof flag !== 'boolean') return
  delete schema[exclusive]
  const value: Json | undefined = own(schema, bound)
  if (!flag || value === undefined) return
  schema[exclusive] = value
  delete schema[bound]
}

/** Encodings of bytes: formats in 3.0, content keywords in 3.1 (3.1.1, Migrating binary descriptions from 3.0). */
function upgradeContent(schema: MutableObject): void {
  if (!isString(schema)) return
  const format = own(schema, 'format')
  if (format === 'binary') schema.contentMediaType = 'application/octet-stream'
  else if (format === 'byte' || format === 'base64') schema.contentEncoding = 'base64'
  else return
  delete schema.format
}

function isString(schema: JsonObject): boolean {
  const type = own(schema, 'type')
  return type === 'string' || (isArray(type) && type.includes('string'))
}
