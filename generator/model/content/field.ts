import { objectOf, picked } from '../../document/cursor.js'
import type { Position } from '../../document/document.js'
import { isObject, own } from '../../document/json.js'
import { isExtension } from '../../document/vocabulary.js'
import { canonicalObject, fingerprint } from '../../schema/canonical.js'
import { isAnnotation, mapSubschemas, resolve, type Schema } from '../../schema/schema.js'

/** One param of an operation, as one place in the document declares it. */
export interface Field {
  /** Name in the params. */
  readonly param: string
  readonly schema: Schema
  readonly required: boolean
  readonly pointer: string
  /** Computed on demand: only faults need it. */
  readonly at: () => Position
}

/** A schema with the description and deprecation of the parameter that carries it. */
export function described(schema: Schema, parameter: unknown): Schema {
  if (!isObject(parameter)) return schema
  const carried = Object.entries(parameter).filter(
    ([key, value]) =>
      (key === 'description' && typeof value === 'string') ||
      (key === 'deprecated' && value === true) ||
      (isExtension(key) && !ofOthers.has(key)),
  )
  if (carried.length === 0) return schema
  const own = isObject(schema) ? schema : schema ? {} : { not: {} }
  return canonicalObject({ ...own, ...objectOf(carried) })
}

/** Extensions that mean nothing on a schema, or only there. */
const ofOthers = new Set(['x-rpc-param', 'x-rpc-schema', 'x-timezone'])

/** Whether two schemas of params accept the same values, with the same keywords. Ignores annotations. */
export function sameSchema(schemas: ReadonlyMap<string, Schema>, a: Schema, b: Schema): boolean {
  return comparable(schemas, a) === comparable(schemas, b)
}

function comparable(schemas: ReadonlyMap<string, Schema>, schema: Schema): string {
  const target = onlyReference(schema) ? resolve(schemas, schema) : schema
  // A param is sent. A read-only field of the body with its name is not.
  return fingerprint(bare(isObject(target) ? picked(target, (key) => key !== 'readOnly') : target))
}

function onlyReference(schema: Schema): boolean {
  return isObject(schema) && Object.keys(schema).every((key) => key === '$ref' || isAnnotation(key))
}

function bare(schema: Schema): Schema {
  if (!isObject(schema)) return schema
  const kept = objectOf(Object.entries(schema).filter(([key]) => !isAnnotation(key) && key !== 'writeOnly'))
  return mapSubschemas(kept, (subschema) =>
    typeof subschema === 'boolean' || isObject(subschema) ? bare(subschema) : true,
  )
}

/** The name from `x-rpc-param`, else the name on the wire. */
export function paramName(holder: unknown, name: string): string {
  const renamed = isObject(holder) ? own(holder, 'x-rpc-param') : undefined
  return typeof renamed === 'string' && renamed !== '' ? renamed : name
}
