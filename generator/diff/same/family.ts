import { type Cursor, rootCursor } from '../../document/cursor.js'
import type { Json } from '../../document/document.js'
import { Descendants } from '../../schema/descendants.js'
import { isSchema, type Schema } from '../../schema/schema.js'
import { entriesOf, memberOf, type Side } from '../change/side.js'

/**
 * The children of a schema whose discriminator does not list them: components that include it by `allOf`. Where a
 * schema refers to the base, callers send or receive a child, although no validator requires it. Empty for other
 * schemas.
 */
export function childrenOf(side: Side, schema: Json): ReadonlyMap<string, Cursor> {
  const known = families.get(side) ?? familiesOf(side)
  families.set(side, known)
  return known.get(schema) ?? none
}

const none: ReadonlyMap<string, Cursor> = new Map()
const families = new WeakMap<Side, ReadonlyMap<Json, ReadonlyMap<string, Cursor>>>()

function familiesOf(side: Side): ReadonlyMap<Json, ReadonlyMap<string, Cursor>> {
  const components = entriesOf(side, memberOf(side, rootCursor(side.document), 'components'), 'schemas')
  const schemas = new Map<string, Schema>()
  for (const [name, { value }] of components) if (isSchema(value)) schemas.set(name, value)
  const descendants = new Descendants(schemas, () => false)
  const found = new Map<Json, ReadonlyMap<string, Cursor>>()
  for (const [base, schema] of schemas) {
    const members = descendants.familyOf(base)?.members ?? []
    const children = members.flatMap(({ name }): [string, Cursor][] => {
      const cursor = name === base ? undefined : components.get(name)
      return cursor === undefined ? [] : [[name, cursor]]
    })
    if (children.length > 0) found.set(schema, new Map(children))
  }
  return found
}
