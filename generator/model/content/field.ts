import { objectOf, picked } from '../../document/cursor.js'
import type { Position } from '../../document/document.js'
import { isObject, own } from '../../document/json.js'
import { canonicalObject, fingerprint } from '../../schema/canonical.js'
import { isAnnotation, mapSubschemas, resolve, type Schema } from '../../schema/schema.js'

/** One param of an operation as one place of the document declares it. */
export interface Field {
  /** Name among the params. */
  readonly param: string
  readonly schema: Schema
  readonly required: boolean
  readonly pointer: string
  /** Found where it is asked for: as a rule nothing is wrong there. */
  readonly at: () => Position
}

/** A schema with the description and deprecation of the parameter that carries it. */
export function described(schema: Schema, parameter: unknown): Schema {
  if (!isObject(parameter)) return schema
  const carried = Object.entries(parameter).filter(
    ([key, value]) =>
      (key === 'description' && typeof value === 'string') ||
      (key === 'deprecated' && value === true) ||
      (key.startsWith('x-') && key !== 'x-rpc-param' && key !== 'x-rpc-schema'),
  )
  if (carried.length === 0) return schema
  const own = isObject(schema) ? schema : schema ? {} : { not: {} }
  return canonicalObject({ ...own, ...objectOf(carried) })
}

/** Whether two schemas of params accept the same values for the same reasons: equal but for what only describes. */
export function sameSchema(schemas: ReadonlyMap<string, Schema>, a: Schema, b: Schema): boolean {
  return comparable(schemas, a) === comparable(schemas, b)
}

function comparable(schemas: ReadonlyMap<string, Schema>, schema: Schema): string {
  const target = onlyReference(schema) ? resolve(schemas, schema) : schema
  // A param is sent; a read-only field of the body that has its name is none.
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

/** The param name that `x-rpc-param` gives, else the name on the wire. */
export function paramName(holder: unknown, name: string): string {
  const renamed = isObject(holder) ? own(holder, 'x-rpc-param') : undefined
  return typeof renamed === 'string' && renamed !== '' ? renamed : name
}
