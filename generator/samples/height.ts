import { isObject, own } from '../document/json.js'
import { choices } from '../document/vocabulary.js'
import { leavesFirst } from '../schema/graphs.js'
import { referenceOf, requiredOf, type Schema, schemaList, schemaMap, subschemas } from '../schema/schema.js'
import { answerOf, type Steps } from './steps.js'

/**
 * The nesting depth of a schema's shallowest values, which ends recursion: 0 for a scalar. Infinite if a
 * schema has no finite value.
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
  // After its references, each is right at once. Only cycles need more rounds.
  const order = new Set<string>()
  for (const start of schemas.keys()) {
    const next = (name: string) => referencesIn(schemas.get(name) ?? true, schemas)
    for (const name of leavesFirst(start, next, (known) => order.has(known))) order.add(name)
  }
  for (let changed = true; changed; ) {
    changed = false
    for (const name of order) {
      const found = heightOf(schemas.get(name) ?? true, heights)
      if (found >= (heights.get(name) ?? Number.POSITIVE_INFINITY)) continue
      heights.set(name, found)
      changed = true
    }
  }
  return heights
}

/** Names of the components that a schema refers to, at any depth. */
function referencesIn(schema: Schema, schemas: ReadonlyMap<string, Schema>): string[] {
  const names: string[] = []
  const rest = [schema]
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    if (!isObject(part)) continue
    const name = referenceOf(part)
    if (name !== undefined && schemas.has(name)) names.push(name)
    for (const inner of subschemas(part)) rest.push(inner.schema)
  }
  return names
}

function heightOf(schema: Schema, components: ReadonlyMap<string, number>): number {
  return answerOf(schema, (part) => height(part, components))
}

function* height(schema: Schema, components: ReadonlyMap<string, number>): Steps<Schema, number> {
  if (!isObject(schema)) return schema ? 0 : Number.POSITIVE_INFINITY
  if (Object.hasOwn(schema, 'const') || Object.hasOwn(schema, 'enum')) return 0
  const reference = referenceOf(schema)
  let highest = 0
  for (const part of schemaList(schema, 'allOf')) highest = Math.max(highest, yield part)
  if (reference !== undefined)
    highest = Math.max(highest, components.get(reference) ?? Number.POSITIVE_INFINITY)
  for (const keyword of choices) {
    const branches = schemaList(schema, keyword)
    let lowest = Number.POSITIVE_INFINITY
    for (const branch of branches) lowest = Math.min(lowest, yield branch)
    if (branches.length > 0) highest = Math.max(highest, lowest)
  }
  const types = [own(schema, 'type') ?? []].flat()
  const isScalar = types.some((type) => type !== 'object' && type !== 'array')
  return isScalar ? highest : Math.max(highest, yield* structure(schema, types.includes('array')))
}

function* structure(schema: Exclude<Schema, boolean>, isList: boolean): Steps<Schema, number> {
  if (isList) {
    const needed = Number(own(schema, 'minItems') ?? 0)
    const { items = true } = schema
    const item = typeof items === 'boolean' || isObject(items) ? items : true
    return needed > 0 ? 1 + (yield item) : 0
  }
  const properties = new Map(schemaMap(schema, 'properties'))
  const required = requiredOf(schema)
  let highest = 0
  for (const name of required) highest = Math.max(highest, yield properties.get(name) ?? true)
  return required.length === 0 ? 0 : 1 + highest
}
