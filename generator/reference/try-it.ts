import { objectOf } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isObject, own } from '../document/json.js'
import { toolMode } from '../mcp/tool-mode.js'
import type { Model, Operation } from '../model/model.js'
import { runtimeOperation } from '../samples/sent-request.js'
import { isSchema, mapSubschemas, referenceOf, requiredOf, type Schema, schemaMap } from '../schema/schema.js'
import { writtenProperties } from '../schema/written-properties.js'
import type { Example } from './example.js'
import { pathOrder } from './fields/path-order.js'
import { type Alternative, isChoiceOfObjects, partsOf, unionsOf } from './fields/unions.js'
import { markdownHtml } from './html/markdown.js'

/** JSON for the script that tries an operation, safe in a `script` element. */
export type TryIt = (operation: Operation, example: Example) => string

/** The data of an operation for the reference's script. */
export function tryItOf(model: Model): TryIt {
  const expanded = expander(model.schemas)
  return (operation, { params, open }) => {
    const { name, rest, rpc, source, security, errors, idempotent, datetimes, binaries, int64 } =
      runtimeOperation(operation)
    const entry = { name, rest, rpc, source, security, errors, idempotent, datetimes, binaries, int64 }
    return scriptJson({
      operation: JSON.parse(JSON.stringify(entry)),
      params: inPathOrder(operation, expanded(operation.params)),
      example: params ?? {},
      ...(open.length > 0 && { open: [...open] }),
      ...(!operation.routed && { unrouted: true }),
      ...(operation.tool && { tool: toolOf(operation.tool, toolMode(model)) }),
    })
  }
}

/** The form asks for the params of the path first, in its order. */
function inPathOrder(operation: Operation, form: Schema): Schema {
  const properties = isObject(form) ? own(form, 'properties') : undefined
  if (!isObject(form) || !isObject(properties)) return form
  const byPath = pathOrder(operation.rest)
  return { ...form, properties: objectOf(Object.entries(properties).sort(([a], [b]) => byPath(a, b))) }
}

/** The name of a tool, the params that agents do not send, and whether agents see each tool. */
function toolOf(
  { name, fixed, hidden }: NonNullable<Operation['tool']>,
  mode: 'each' | 'search',
): JsonObject {
  return { name, left: [...Object.keys(fixed), ...hidden], mode }
}

/** The expansion of a schema at a depth, if neither the surrounding schemas nor lack of room affected it. */
interface Expansion {
  readonly form: Schema
  /** The number of expanded schemas. */
  readonly size: number
  /** The components that it would not follow again. */
  readonly names: ReadonlySet<string>
}

/**
 * Expands a schema for forms, down to the depth from which forms accept JSON instead: replaces references,
 * merges `allOf`, renders descriptions as HTML, and lists the alternatives with their labels in `$choices`.
 * Operations share most schemas, so results are kept for the next operation.
 */
export function expander(schemas: Model['schemas']): (params: Schema) => Schema {
  const known = Array.from({ length: deepest + 2 }, () => new Map<Schema, Expansion>())
  let room = 0
  let met = new Set<string>()

  const inner = (schema: Schema, depth: number, within: ReadonlySet<string>): Schema => {
    const kept = known[depth]?.get(schema)
    if (kept !== undefined && kept.size <= room && disjoint(kept.names, within)) {
      room -= kept.size
      for (const name of kept.names) met.add(name)
      return kept.form
    }
    const [roomBefore, metBefore] = [room, met]
    met = new Set()
    const form = made(schema, depth, within)
    if (room >= 0 && isObject(schema) && disjoint(met, within))
      known[depth]?.set(schema, { form, size: roomBefore - room, names: met })
    for (const name of met) metBefore.add(name)
    met = metBefore
    return form
  }

  return (params) => {
    room = mostSchemas
    met = new Set()
    return inner(params, 0, new Set())
  }

  function made(schema: Schema, depth: number, within: ReadonlySet<string>): Schema {
    room -= 1
    const followed = new Set(within)
    const target = targetOf(schema, followed)
    if (!isObject(target)) return target
    if (depth > deepest || room < 0) return {}
    const plain = formOf(schemas, target)
    const unions = unionsOf(schemas, target)
    // If there are members, alternatives without members only restrict their combinations.
    const hasMembers = Object.hasOwn(plain, 'properties')
    const offered = unions.filter(({ alternatives }) =>
      isChoiceOfObjects(schemas, alternatives) ? depth < deepest : !hasMembers,
    )
    const choices = offered.map(({ alternatives }) =>
      alternatives.map(({ schema: one, label, tag }) => ({
        label,
        schema: fixed(inner(one, depth, followed), tag),
      })),
    )
    const form = mapSubschemas(plain, (part) => (isSchema(part) ? inner(part, depth + 1, followed) : true))
    return choices.length === 0 ? form : { ...form, $choices: choices }
  }

  /** The target of a chain of references, with their sibling keywords. Adds their names to `followed`. */
  function targetOf(schema: Schema, followed: Set<string>): Schema {
    let [found, beside]: [Schema, JsonObject] = [schema, {}]
    for (let name = referenceOf(found); name !== undefined; name = referenceOf(found)) {
      met.add(name)
      const target = schemas.get(name)
      if (target === undefined || followed.has(name)) return {}
      followed.add(name)
      const { $ref: _, ...others } = isObject(found) ? found : {}
      beside = { ...others, ...beside }
      found = target
    }
    return isObject(found) ? { ...found, ...beside } : found
  }
}

function disjoint(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  for (const name of other) if (one.has(name)) return false
  return true
}

/** The parts of a schema that forms show, including those from `allOf`. */
function formOf(schemas: Model['schemas'], schema: JsonObject): JsonObject {
  const parts = [...partsOf(schemas, schema).filter((part) => part !== schema), schema]
  const all = objectOf(parts.flatMap((part) => Object.entries(part)))
  const properties = parts.flatMap(writtenProperties)
  const required = [...new Set(parts.flatMap(requiredOf))]
  const { description } = all
  return {
    ...objectOf(Object.entries(all).filter(([keyword]) => shown.has(keyword))),
    ...(typeof description === 'string' && { description: markdownHtml(description) }),
    ...(properties.length > 0 && { properties: objectOf(properties) }),
    ...(required.length > 0 && { required }),
  }
}

const shown = new Set(['type', 'items', 'enum', 'const', 'default', 'format', '$binary'])

/** An alternative, reduced to the value that distinguishes it from the others. */
function fixed(schema: Schema, tag: Alternative['tag']): Schema {
  if (tag === undefined || !isObject(schema)) return schema
  const { property, values } = tag
  const properties = schemaMap(schema, 'properties')
  const member = new Map(properties).get(property)
  const only = { ...(isObject(member) ? member : {}), enum: values }
  return {
    ...schema,
    properties: objectOf([...properties, [property, only]]),
    required: [...new Set([...requiredOf(schema), property])],
  }
}

const deepest = 4
/** Maximum schemas of one form. The rest is entered as JSON, since each may lead to all others again. */
const mostSchemas = 5_000

/**
 * JSON without anything that ends a `script` element or begins a comment in it (HTML, script data state), or
 * that ends lines or changes the direction of text (CVE-2021-42574).
 */
export function scriptJson(value: Json): string {
  return JSON.stringify(value).replace(
    /[<\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
