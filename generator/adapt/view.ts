import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, jsonType, own } from '../document/json.js'
import { choices } from '../document/vocabulary.js'
import { isSchema, requiredOf, type Schema, schemaList, schemaMap } from '../schema/schema.js'

/** The target of a schema's reference. Undefined without one. */
export type Resolve = (schema: JsonObject) => Schema | undefined

/** What a schema says of one kind of value, with references and `allOf` merged. */
export interface View {
  /** Undefined: any type. */
  readonly types: ReadonlySet<string> | undefined
  readonly properties: ReadonlyMap<string, Schema>
  readonly required: ReadonlySet<string>
  /** The schema of other members: false if there may be none. */
  readonly others: Schema
  readonly items: Schema | undefined
  /** The branches of each `oneOf` and `anyOf`. */
  readonly unions: readonly (readonly Schema[])[]
  /** Keywords that are neither of the above nor annotations. */
  readonly rest: ReadonlySet<string>
}

/** Reads a schema in one view. Undefined if nothing matches it. */
export function viewOf(schema: Schema, resolve: Resolve): View | undefined {
  const parts = partsOf(schema, resolve)
  if (parts === undefined) return undefined
  const properties = new Map<string, Schema>()
  const required = new Set<string>()
  const rest = new Set<string>()
  const unions: (readonly Schema[])[] = []
  let types: ReadonlySet<string> | undefined
  let others: Schema = true
  let items: Schema | undefined
  for (const part of parts) {
    const own_ = typesOf(part)
    if (own_ !== undefined)
      types = types === undefined ? own_ : new Set([...types].filter((one) => own_.has(one)))
    for (const [name, property] of schemaMap(part, 'properties'))
      properties.set(name, both(properties.get(name), property))
    for (const name of requiredOf(part)) required.add(name)
    const additional = own(part, 'additionalProperties') ?? own(part, 'unevaluatedProperties')
    if (isSchema(additional)) others = both(others === true ? undefined : others, additional)
    const each = own(part, 'items')
    if (isSchema(each)) items = both(items, each)
    for (const keyword of choices) {
      const branches = schemaList(part, keyword)
      if (branches.length > 0) unions.push(branches)
    }
    for (const keyword of Object.keys(part)) if (!viewed.has(keyword)) rest.add(keyword)
  }
  // A required member is described, if only by the schema of all others.
  for (const name of required) if (!properties.has(name) && others !== false) properties.set(name, others)
  return { types, properties, required, others, items, unions, rest }
}

/** The schema and everything that applies with it: targets of references, and parts of `allOf`. */
function partsOf(schema: Schema, resolve: Resolve): readonly JsonObject[] | undefined {
  const parts: JsonObject[] = []
  const seen = new Set<Schema>()
  const waiting: Schema[] = [schema]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at === false) return undefined
    if (!isObject(at) || seen.has(at)) continue
    seen.add(at)
    parts.push(at)
    const target = resolve(at)
    if (target !== undefined) waiting.push(target)
    waiting.push(...schemaList(at, 'allOf'))
  }
  return parts
}

function both(one: Schema | undefined, other: Schema): Schema {
  if (one === undefined || one === true || one === other) return other
  if (other === true) return one
  return one === false || other === false ? false : { allOf: [one, other] }
}

function typesOf(schema: JsonObject): ReadonlySet<string> | undefined {
  const type = own(schema, 'type')
  if (type !== undefined) return new Set([type].flat().map(String))
  const values = Object.hasOwn(schema, 'const') ? [own(schema, 'const') ?? null] : own(schema, 'enum')
  return isArray(values) ? new Set(values.map(jsonType)) : undefined
}

/** `object` or `array` if values are nothing else, or null. */
export function onlyType({ types }: View): string | undefined {
  const others = [...(types ?? [])].filter((type) => type !== 'null')
  return others.length === 1 && (others[0] === 'object' || others[0] === 'array') ? others[0] : undefined
}

/** The branches of the only union, without null. */
export function branchesOf({
  unions,
  properties,
  types,
}: View): { readonly branches: readonly Schema[]; readonly nullable: boolean } | undefined {
  const [union, ...others] = unions
  if (union === undefined || others.length > 0 || properties.size > 0) return undefined
  const branches = union.filter((branch) => !isNull(branch))
  const admitsNull = types === undefined || types.has('null')
  return { branches, nullable: branches.length < union.length && admitsNull }
}

function isNull(schema: Schema): boolean {
  return isObject(schema) && (own(schema, 'type') === 'null' || own(schema, 'const') === null)
}

/** The values that a schema fixes for a member that it requires. Undefined if it does not. */
export function fixedValues(schema: Schema, name: string, resolve: Resolve): readonly Json[] | undefined {
  const view = viewOf(schema, resolve)
  if (view === undefined || !view.required.has(name) || !view.types?.has('object') || view.types.size > 1)
    return undefined
  return valuesOf(view.properties.get(name), resolve)
}

/** The only values of a schema. Undefined if it has no `const` and no `enum`. */
export function valuesOf(schema: Schema | undefined, resolve: Resolve): readonly Json[] | undefined {
  const parts = schema === undefined ? undefined : partsOf(schema, resolve)
  for (const part of parts ?? []) {
    if (Object.hasOwn(part, 'const')) return [own(part, 'const') ?? null]
    const values = own(part, 'enum')
    if (isArray(values)) return values
  }
  return undefined
}

/** The only value of a schema: a constant, null, or a number between bounds that are one. Undefined if it has more. */
export function onlyValue(schema: Schema, resolve: Resolve): Json | undefined {
  const [only, ...others] = valuesOf(schema, resolve) ?? []
  if (only !== undefined) return others.length === 0 ? only : undefined
  const types = viewOf(schema, resolve)?.types
  const [type, ...more] = types ?? []
  if (type === undefined || more.length > 0) return undefined
  if (type === 'null') return null
  if (type !== 'integer' && type !== 'number') return undefined
  const bounds = (keyword: string): readonly number[] =>
    (partsOf(schema, resolve) ?? []).flatMap((part) => {
      const bound = own(part, keyword)
      return typeof bound === 'number' ? [bound] : []
    })
  const [least, most] = [Math.max(...bounds('minimum')), Math.min(...bounds('maximum'))]
  return least === most ? least : undefined
}

const viewed: ReadonlySet<string> = new Set([
  ...['$ref', '$comment', 'type', 'allOf', 'default', 'properties', 'required', 'additionalProperties'],
  ...['unevaluatedProperties', 'items', ...choices],
])
