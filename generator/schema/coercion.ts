import type { Coercion, JsonType } from 'duet-runtime'
import { compareText } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { addToGroup } from '../document/grouping.js'
import { isArray, isObject, own } from '../document/json.js'
import { choices, compositions } from '../document/vocabulary.js'
import { leavesFirst } from './graphs.js'
import { isInt64 } from './int64.js'
import { isSchema, referenceOf, type Schema, schemaList, schemaMap } from './schema.js'

/**
 * The types that text may be converted to before a schema validates it: those that the schema allows, including
 * references, compositions, enums and constants. If it names no type, text stays as it is.
 */
export function coercionOf(schemas: ReadonlyMap<string, Schema>, schema: Schema): Coercion {
  return build(schemas, [schema], new Set(), { left: maximumNodes })
}

/** Only the types of such a coercion, in its order. */
export function coercedTypes(schemas: ReadonlyMap<string, Schema>, schema: Schema): readonly JsonType[] {
  return inOrder(new Set(typesOf(schemas, schema) ?? ['string']))
}

/** The types that a schema allows, found in the same way. Undefined if it does not restrict them. */
export function allowedTypes(
  schemas: ReadonlyMap<string, Schema>,
  schema: Schema,
): ReadonlySet<JsonType> | undefined {
  return typesOf(schemas, schema)
}

/**
 * The schema objects that apply to the same instance: the schema, and those of its references and compositions.
 */
export function schemasInPlace(schemas: ReadonlyMap<string, Schema>, schema: Schema): JsonObject[] {
  const found = new Set<JsonObject>()
  collectParts(schemas, schema, found)
  return [...found]
}

/** No real parameter or form needs more. Schemas that refer to each other in many ways would. */
const maximumNodes = 5000

/** Whether text stays as it is, so that the coercion can be omitted. */
export function isPlainText({ types, binary }: Coercion): boolean {
  return binary !== true && types.length === 1 && types[0] === 'string'
}

/** A coercion of a form field, without the parts that leave text as it is. */
export function fieldCoercion(coercion: Coercion): Coercion {
  const { items, prefix = [], properties = {}, values, ...own } = coercion
  const named = Object.entries(properties)
    .filter(([, property]) => values !== undefined || !isPlainText(property))
    .map(([name, property]) => [name, fieldCoercion(property)])
  return {
    ...own,
    ...(items !== undefined && !isPlainText(items) && { items: fieldCoercion(items) }),
    ...(prefix.length > 0 && { prefix: prefix.map(fieldCoercion) }),
    ...(named.length > 0 && { properties: Object.fromEntries(named) }),
    ...(values !== undefined && { values: fieldCoercion(values) }),
  }
}

const order: readonly JsonType[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']

function build(
  schemas: ReadonlyMap<string, Schema>,
  group: readonly Schema[],
  above: ReadonlySet<Schema>,
  budget: { left: number },
): Coercion {
  budget.left -= 1
  const types = new Set<JsonType>()
  const found = new Set<JsonObject>()
  for (const schema of group) {
    for (const type of typesOf(schemas, schema) ?? ['string']) types.add(type)
    collectParts(schemas, schema, found)
  }
  const parts = [...found]
  const inner = new Set([...above, ...parts])
  const fresh = budget.left < 0 ? [] : parts.filter((part) => !above.has(part))
  const items = fresh.flatMap((part) => (isSchema(own(part, 'items')) ? [own(part, 'items')] : []))
  const positions = positionsOf(fresh)
  const properties = new Map<string, Schema[]>()
  for (const part of fresh) {
    for (const [name, property] of schemaMap(part, 'properties')) {
      addToGroup(properties, name, property)
    }
  }
  const named = [...properties].sort(([a], [b]) => compareText(a, b))
  const values = fresh.map((part) => own(part, 'additionalProperties')).filter(isObject)
  const others = values.length > 0 ? build(schemas, values, inner, budget) : undefined
  return {
    types: inOrder(types),
    ...(types.has('array') &&
      items.length > 0 && { items: build(schemas, items.filter(isSchema), inner, budget) }),
    ...(types.has('array') &&
      positions.length > 0 && { prefix: positions.map((group) => build(schemas, group, inner, budget)) }),
    ...(types.has('object') &&
      named.length > 0 && {
        properties: Object.fromEntries(
          named.map(([name, group]) => [name, build(schemas, group, inner, budget)]),
        ),
      }),
    ...(types.has('object') && others !== undefined && !isPlainText(others) && { values: others }),
    ...(parts.some((part) => part.$binary === true) && { binary: true as const }),
    ...(parts.some(isInt64) && { int64: true as const }),
  }
}

function inOrder(types: ReadonlySet<JsonType>): JsonType[] {
  return order.filter((type) => types.has(type) && !(type === 'integer' && types.has('number')))
}

/** The schemas of each of the first items: from `prefixItems`, or from the `items` of a schema with fewer. */
function positionsOf(parts: readonly JsonObject[]): Schema[][] {
  const lists = parts.map((part) => schemaList(part, 'prefixItems'))
  const length = Math.min(Math.max(0, ...lists.map((list) => list.length)), maximumNodes)
  return Array.from({ length }, (_, index) =>
    parts.flatMap((part, at): Schema[] => {
      const rest = own(part, 'items')
      const schema = lists[at]?.[index] ?? (isSchema(rest) ? rest : undefined)
      return schema === undefined ? [] : [schema]
    }),
  )
}

/**
 * The types that a schema allows. Undefined if it does not restrict them. Only if it states none, keywords of objects
 * and lists imply them: those keywords accept values of other types as well.
 */
function typesOf(schemas: ReadonlyMap<string, Schema>, schema: Schema): Types {
  // Most schemas have no parts.
  const order =
    partsOf(schemas, schema).length === 0
      ? [schema]
      : leavesFirst(
          schema,
          (part) => partsOf(schemas, part),
          () => false,
        )
  for (const areImplied of [false, true]) {
    const known = new Map<Schema, Types>()
    for (const part of order) known.set(part, typesHere(schemas, part, known, areImplied))
    const types = known.get(schema)
    if (types !== undefined) return types
  }
  return undefined
}

function typesHere(
  schemas: ReadonlyMap<string, Schema>,
  schema: Schema,
  known: ReadonlyMap<Schema, Types>,
  areImplied: boolean,
): Types {
  if (!isObject(schema)) return undefined
  if (schema.$binary === true) return new Set()
  let types = statedTypes(schema)
  const target = schemas.get(referenceOf(schema) ?? '')
  if (target !== undefined) types = both(types, known.get(target))
  for (const part of schemaList(schema, 'allOf')) types = both(types, known.get(part))
  for (const keyword of choices) {
    const branches = schemaList(schema, keyword).map((branch) => known.get(branch))
    if (branches.length > 0) types = both(types, either(branches))
  }
  return types ?? (areImplied ? impliedTypes(schema) : undefined)
}

/** The schemas that apply to the same instance: a reference's target, and the parts of compositions. */
function partsOf(schemas: ReadonlyMap<string, Schema>, schema: Schema): Schema[] {
  if (!isObject(schema)) return []
  const target = schemas.get(referenceOf(schema) ?? '')
  const parts = compositions.flatMap((keyword) => schemaList(schema, keyword))
  return target === undefined ? parts : [target, ...parts]
}

function statedTypes(schema: JsonObject): Types {
  if (Object.hasOwn(schema, 'const')) return new Set([typeOf(schema.const ?? null)])
  if (isArray(schema.enum)) return new Set(schema.enum.map(typeOf))
  const stated = isArray(schema.type) ? schema.type : [schema.type]
  const known = order.filter((type) => stated.includes(type))
  return known.length > 0 ? new Set(known) : undefined
}

function impliedTypes(schema: JsonObject): Types {
  if (Object.hasOwn(schema, 'properties')) return new Set(['object'])
  const isList = Object.hasOwn(schema, 'items') || Object.hasOwn(schema, 'prefixItems')
  return isList ? new Set(['array']) : undefined
}

function typeOf(value: Json): JsonType {
  if (value === null) return 'null'
  if (isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' ? 'string' : 'object'
}

type Types = ReadonlySet<JsonType> | undefined

/** The types that both allow. An integer is a number. */
function both(a: Types, b: Types): Types {
  if (a === undefined) return b
  if (b === undefined) return a
  const common = [...a].filter((type) => b.has(type))
  if ((a.has('integer') && b.has('number')) || (a.has('number') && b.has('integer'))) common.push('integer')
  return new Set(common)
}

function either(branches: readonly Types[]): Types {
  if (branches.some((types) => types === undefined)) return undefined
  return new Set(branches.flatMap((types) => [...(types ?? [])]))
}

/** Adds a schema and all that apply to the same instance, through references and compositions. */
function collectParts(schemas: ReadonlyMap<string, Schema>, schema: Schema, found: Set<JsonObject>): void {
  const waiting = [schema]
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (!isObject(part) || found.has(part)) continue
    found.add(part)
    waiting.push(...partsOf(schemas, part).reverse())
  }
}
