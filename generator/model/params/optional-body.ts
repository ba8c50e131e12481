import { compareText, objectOf } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { defaultOf } from '../../schema/defaults/defaults.js'
import { isReadOnly, withoutDirection } from '../../schema/read-only.js'
import { requiredOf, resolve, type Schema, schemaList } from '../../schema/schema.js'
import type { Field } from '../content/field.js'
import type { BodyObject } from './body.js'

type Schemas = ReadonlyMap<string, Schema>

/** An optional body whose fields are params. */
export interface OptionalBody {
  readonly schemas: Schemas
  readonly object: BodyObject
  /** Names of its fields, and their names among the params. */
  readonly renamed: ReadonlyMap<string, string>
  /** The operation's other params. */
  readonly parameters: readonly Field[]
}

/**
 * If one member of the body is present, the fields that it requires must be too. A name that a parameter
 * shares does not show that there is a body. Defaults are filled in and read-only fields are never sent, so
 * neither is required.
 */
export function requiredTogether(body: OptionalBody): JsonObject {
  const taken = new Set(body.parameters.map(({ param }) => param))
  const names = [...body.renamed.values()].filter((param) => !taken.has(param))
  const required = requiredParams(body)
  if (required.length > manyRequired) return requiredInTurn(names, required)
  const entries = names.map((name): [string, Json] => [name, required.filter((other) => other !== name)])
  return objectOf(entries.filter(([, others]) => isArray(others) && others.length > 0))
}

/** The same for undeclared members of an open body. Undefined if it has none, or if nothing is required. */
export function requiredByOthers(body: OptionalBody): JsonObject | undefined {
  const { additional, patterns } = body.object
  const required = requiredParams(body)
  if (required.length === 0 || (additional === false && patterns.size === 0)) return undefined
  const named = new Set([...body.renamed.values(), ...body.parameters.map(({ param }) => param)])
  return { if: { propertyNames: { enum: [...named].sort(compareText) } }, else: { required } }
}

/** A constraint that only applies if there is a body. Otherwise the params are just those of the parameters. */
export function unlessAbsent({ schemas, parameters }: OptionalBody, constraint: JsonObject): JsonObject {
  if (acceptsEmpty(schemas, constraint, new Map())) return constraint
  const sent = parameters.map(({ param, schema }) => [param, withoutDirection(schemas, schema)] as const)
  const properties = objectOf(sent)
  const absent = {
    type: 'object',
    ...(parameters.length > 0 && { properties }),
    additionalProperties: false,
  }
  return { anyOf: [constraint, absent] }
}

function requiredParams({ schemas, object, renamed }: OptionalBody): string[] {
  return [...object.required]
    .filter((name) => {
      const property = object.properties.get(name) ?? true
      return !isReadOnly(schemas, property) && defaultOf(schemas, property) === undefined
    })
    .map((name) => renamed.get(name) ?? name)
    .sort(compareText)
}

/** Listing each required name for each other name would be too large for a validator. */
const manyRequired = 100

/** An equivalent with one name for each: the required names form a cycle, and every other name leads into it. */
function requiredInTurn(names: readonly string[], required: readonly string[]): JsonObject {
  const ring = required.filter((name) => names.includes(name))
  const others = required.filter((name) => !names.includes(name))
  const [first] = ring
  const next = new Map(ring.map((name, index) => [name, ring[(index + 1) % ring.length] ?? name]))
  return objectOf(
    names.map((name): [string, Json] => {
      const leads = next.get(name) ?? first
      return [
        name,
        [...(leads === undefined ? [] : [leads]), ...(first === undefined || name === first ? others : [])],
      ]
    }),
  )
}

/**
 * Whether a schema accepts an object without members. False if the question is circular. Checks each schema
 * once: sixty schemas that each refer twice to the next would otherwise take exponential time.
 */
function acceptsEmpty(schemas: Schemas, schema: Schema, known: Map<Schema, boolean>): boolean {
  if (!isObject(schema)) return schema
  const before = known.get(schema)
  if (before !== undefined) return before
  known.set(schema, false)
  const answer = isEmptyAccepted(schemas, schema, (part) => acceptsEmpty(schemas, part, known))
  known.set(schema, answer)
  return answer
}

function isEmptyAccepted(schemas: Schemas, schema: JsonObject, accepts: (part: Schema) => boolean): boolean {
  const at = (keyword: string): boolean | undefined => {
    const part = own(schema, keyword)
    return typeof part === 'boolean' || isObject(part) ? accepts(part) : undefined
  }
  const type = own(schema, 'type')
  const least = own(schema, 'minProperties')
  const target = resolve(schemas, schema)
  const [any, one] = [schemaList(schema, 'anyOf'), schemaList(schema, 'oneOf')]
  const branch = at('if') === false ? at('else') : at('then')
  return (
    (type === undefined || type === 'object' || (isArray(type) && type.includes('object'))) &&
    !Object.hasOwn(schema, 'enum') &&
    !Object.hasOwn(schema, 'const') &&
    requiredOf(schema).length === 0 &&
    !(typeof least === 'number' && least > 0) &&
    (target === schema || accepts(target)) &&
    schemaList(schema, 'allOf').every(accepts) &&
    (any.length === 0 || any.some(accepts)) &&
    (one.length === 0 || one.filter(accepts).length === 1) &&
    at('not') !== true &&
    (!Object.hasOwn(schema, 'if') || branch !== false)
  )
}
