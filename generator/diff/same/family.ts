import { type Cursor, rootCursor } from '../../document/cursor.js'
import type { Json } from '../../document/document.js'
import { Descendants } from '../../schema/descendants.js'
import { discriminatorProperty, leavesChildrenOpen } from '../../schema/discriminator.js'
import { isSchema, type Schema } from '../../schema/schema.js'
import { asObject, entriesOf, memberOf, type Side } from '../change/side.js'

/**
 * A schema whose discriminator does not list its children: components that include it by `allOf`. Where a schema refers
 * to the base, callers send or receive a child, although no validator requires it.
 */
export interface Inheritance {
  readonly property: string
  readonly children: ReadonlyMap<string, Cursor>
  /** The child that each value of the property names. */
  readonly byValue: ReadonlyMap<Json, Cursor>
}

/** The children of a base, by name. Empty for other schemas. */
export function childrenOf(side: Side, schema: Json): ReadonlyMap<string, Cursor> {
  return inheritanceOf(side, schema)?.children ?? none
}

/** How a discriminated base names its children. Undefined for other schemas. */
export function inheritanceOf(side: Side, schema: Json): Inheritance | undefined {
  const known = families.get(side) ?? familiesOf(side)
  families.set(side, known)
  return known.get(schema)
}

const none: ReadonlyMap<string, Cursor> = new Map()
const families = new WeakMap<Side, ReadonlyMap<Json, Inheritance>>()

function familiesOf(side: Side): ReadonlyMap<Json, Inheritance> {
  const components = entriesOf(side, memberOf(side, rootCursor(side.document), 'components'), 'schemas')
  const schemas = new Map<string, Schema>()
  for (const [name, { value }] of components) if (isSchema(value)) schemas.set(name, value)
  const descendants = new Descendants(schemas, () => false)
  const found = new Map<Json, Inheritance>()
  for (const [base, schema] of schemas) {
    const property = discriminatorProperty(asObject(schema))
    if (property === undefined || !leavesChildrenOpen(schema)) continue
    const children = new Map<string, Cursor>()
    const byValue = new Map<Json, Cursor>()
    for (const { name, accepted } of descendants.familyOf(base)?.members ?? []) {
      const cursor = components.get(name)
      if (name === base || cursor === undefined) continue
      children.set(name, cursor)
      for (const value of accepted) byValue.set(value, cursor)
    }
    found.set(schema, { property, children, byValue })
  }
  return found
}
