import type { VersionReading } from '../adapt/version-reading.js'
import type { Way } from '../diff/change/place.js'
import { objectOf } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { escaped } from '../document/pointer.js'
import { flatten } from '../samples/flatten.js'
import { isLeftOut } from '../schema/one-way.js'
import { isSchema, resolve, type Schema, schemaMap } from '../schema/schema.js'

/** A schema of the params and the path of its values. */
export interface SchemaSite {
  readonly way: Way
  /** Without references and compositions at its top: of alternatives it has the first. */
  readonly schema: JsonObject
  /** As the document has it, but for a reference. */
  readonly source: JsonObject
}

/**
 * The schemas of params and of their members, the params first, down to `deepest` names.
 *
 * @param entersItems whether to go on in the first item of lists, whose name in a path is `0`
 */
export function sitesOf(reading: VersionReading, params: JsonObject, entersItems = false): SchemaSite[] {
  const { schemas } = reading.model
  const found: SchemaSite[] = []
  const visit = (schema: Schema, way: Way, depth: number): void => {
    if (found.length >= most) return
    const flat = flatten(schema, { schemas, choose: ([first]) => first })
    const source = resolve(schemas, schema)
    if (!isObject(flat) || !isObject(source)) return
    found.push({ way, schema: flat, source })
    const items = own(flat, 'items')
    const isList = entersItems && way.length < longest && !Object.hasOwn(flat, 'prefixItems')
    if (isList && isSchema(items)) visit(items, [...way, firstItem], depth)
    if (depth >= deepest) return
    for (const [name, part] of schemaMap(flat, 'properties'))
      if (!isLeftOut(schemas, part, 'readOnly')) visit(part, [...way, name], depth + 1)
  }
  visit(params, [], 0)
  return found
}

const firstItem = '0'

const deepest = 3
const longest = 6
const most = 300

/** A value with another one at a path. Undefined if there is no object that could hold it. */
export function withValue(value: Json, [name, ...rest]: Way, inner: Json): Json | undefined {
  if (name === undefined) return inner
  if (isArray(value)) {
    const [first, ...others] = value
    if (name !== firstItem || (first === undefined && rest.length > 0)) return undefined
    const item = withValue(first ?? null, rest, inner)
    return item === undefined ? undefined : [item, ...others]
  }
  if (!isObject(value)) return undefined
  const known = own(value, name)
  if (known === undefined && rest.length > 0) return undefined
  const member = withValue(known ?? null, rest, inner)
  if (member === undefined) return undefined
  return objectOf([...Object.entries(value).filter(([key]) => key !== name), [name, member]])
}

/** A value without the member at a path. Undefined if it has none. */
export function withoutMember(value: Json, [name, ...rest]: Way): Json | undefined {
  if (isArray(value)) {
    const [first, ...others] = value
    if (name !== firstItem || first === undefined || rest.length === 0) return undefined
    const item = withoutMember(first, rest)
    return item === undefined ? undefined : [item, ...others]
  }
  const known = isObject(value) && name !== undefined ? own(value, name) : undefined
  if (!isObject(value) || name === undefined || known === undefined) return undefined
  const others = Object.entries(value).filter(([key]) => key !== name)
  if (rest.length === 0) return objectOf(others)
  const member = withoutMember(known, rest)
  return member && objectOf([...others, [name, member]])
}

/** The value at a path. */
export function valueIn(value: Json, way: Way): Json | undefined {
  return way.reduce<Json | undefined>((at, name) => {
    if (at === undefined) return undefined
    if (isArray(at)) return name === firstItem ? at[0] : undefined
    return isObject(at) ? own(at, name) : undefined
  }, value)
}

/** A JSON pointer to a path: `/limit`. */
export function pathText(way: Way): string {
  return way.map((name) => `/${escaped(name)}`).join('')
}
