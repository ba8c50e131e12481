import { isDeepStrictEqual } from 'node:util'
import type { Coercion } from 'duet-runtime'
import { rootCursor } from '../../document/cursor.js'
import type { Json } from '../../document/document.js'
import { isObject } from '../../document/json.js'
import { isOpen } from '../../model/params/free-form.js'
import { allowedTypes, coercedTypes, coercionOf } from '../../schema/coercion.js'
import type { Schema } from '../../schema/schema.js'
import { entriesOf, memberOf, type Side } from '../change/side.js'

/** How REST converts a text before it validates the value against a schema. */
export function coercedBy(side: Side, schema: Json): Coercion {
  return coercionOf(schemasOf(side), isObject(schema) ? schema : schema !== false)
}

/** The types that REST converts a text to. */
export function typesOfText(side: Side, schema: Json): readonly string[] {
  return coercedTypes(schemasOf(side), isObject(schema) ? schema : schema !== false)
}

/** Whether a schema allows values of any type. REST then reads only texts. */
export function saysNoType(side: Side, schema: Json): boolean {
  return schema !== false && allowedTypes(schemasOf(side), isObject(schema) ? schema : true) === undefined
}

/** Whether an object whose members have query names of their own accepts names that it does not declare. */
export function takesOtherNames(side: Side, schema: Json): boolean {
  return schema !== false && isOpen(schemasOf(side), isObject(schema) ? schema : true)
}

/** Whether both versions convert every text alike. */
export function areCoercedAlike([old, a]: readonly [Side, Json], [new_, b]: readonly [Side, Json]): boolean {
  return isDeepStrictEqual(coercedBy(old, a), coercedBy(new_, b))
}

function schemasOf(side: Side): ReadonlyMap<string, Schema> {
  const known = components.get(side)
  if (known !== undefined) return known
  const found = entriesOf(side, memberOf(side, rootCursor(side.document), 'components'), 'schemas')
  const schemas = new Map(
    [...found].flatMap(([name, { value }]) =>
      isObject(value) || typeof value === 'boolean' ? [[name, value] as const] : [],
    ),
  )
  components.set(side, schemas)
  return schemas
}

const components = new WeakMap<Side, ReadonlyMap<string, Schema>>()
