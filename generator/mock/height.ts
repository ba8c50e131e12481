import { isObject, own } from '../load/json.js'
import type { Schema } from '../model/model.js'
import { referenceOf, requiredOf, schemaList, schemaMap } from '../model/schema.js'

/**
 * How deep a schema's shallowest values are nested, so that recursion can be ended: 0 for a scalar. Infinite
 * where a schema has no finite value.
 */
export function heightsOf(schemas: ReadonlyMap<string, Schema>): (schema: Schema) => number {
  let components: ReadonlyMap<string, number> | undefined
  const known = new WeakMap<object, number>()
  return (schema) => {
    components ??= componentHeights(schemas)
    const found = isObject(schema) ? known.get(schema) : undefined
    if (found !== undefined) return found
    const height = heightOf(schema, components)
    if (isObject(schema)) known.set(schema, height)
    return height
  }
}

function componentHeights(schemas: ReadonlyMap<string, Schema>): ReadonlyMap<string, number> {
  const heights = new Map<string, number>()
  for (let changed = true; changed; ) {
    changed = false
    for (const [name, schema] of schemas) {
      const found = heightOf(schema, heights)
      if (found >= (heights.get(name) ?? Number.POSITIVE_INFINITY)) continue
      heights.set(name, found)
      changed = true
    }
  }
  return heights
}

function heightOf(schema: Schema, components: ReadonlyMap<string, number>): number {
  if (!isObject(schema)) return schema ? 0 : Number.POSITIVE_INFINITY
  if (Object.hasOwn(schema, 'const') || Object.hasOwn(schema, 'enum')) return 0
  const inner = (part: Schema): number => heightOf(part, components)
  const reference = referenceOf(schema)
  const parts = schemaList(schema, 'allOf').map(inner)
  if (reference !== undefined) parts.push(components.get(reference) ?? Number.POSITIVE_INFINITY)
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = schemaList(schema, keyword).map(inner)
    if (branches.length > 0) parts.push(Math.min(...branches))
  }
  const types = [own(schema, 'type') ?? []].flat()
  const isScalar = types.some((type) => type !== 'object' && type !== 'array')
  return Math.max(0, ...parts, isScalar ? 0 : structure(schema, types.includes('array'), inner))
}

function structure(
  schema: Exclude<Schema, boolean>,
  isList: boolean,
  inner: (schema: Schema) => number,
): number {
  if (isList) {
    const needed = Number(own(schema, 'minItems') ?? 0)
    const { items = true } = schema
    const item = typeof items === 'boolean' || isObject(items) ? items : true
    return needed > 0 ? 1 + inner(item) : 0
  }
  const properties = new Map(schemaMap(schema, 'properties'))
  const required = requiredOf(schema).map((name) => inner(properties.get(name) ?? true))
  return required.length === 0 ? 0 : 1 + Math.max(...required)
}
