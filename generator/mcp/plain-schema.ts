import { objectOf } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isObject, type MutableObject, own, setOwn } from '../document/json.js'
import { membersOf } from '../schema/alternative-members.js'
import { allowedTypes } from '../schema/coercion.js'
import { isKnownFormat } from '../schema/format.js'
import { referenceOf, replaced, type Schema } from '../schema/schema.js'
import { visibleText } from './visible-text.js'

/**
 * What every client reads alike. A schema without its other keywords accepts more values, never fewer; so do
 * `anyOf` for `oneOf`, and any items for a tuple.
 */
const kept: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'title', 'description', 'default', 'examples', 'deprecated'],
  ...['format', 'pattern', 'minLength', 'maxLength', 'contentEncoding', 'contentMediaType'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['items', 'minItems', 'maxItems', 'uniqueItems'],
  ...['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames'],
  ...['minProperties', 'maxProperties', 'anyOf', 'allOf'],
])

/** Schemas for clients of MCP, which know neither references nor a choice at the top. */
export class PlainSchemas {
  readonly #schemas: ReadonlyMap<string, Schema>
  /** How many references may follow each other. */
  readonly #deepest: number
  /** How many schemas may still be written. */
  #left: number
  readonly #isResult: boolean

  /**
   * @param isResult whether they describe results, not arguments. Clients that check results write a line to the log for each
   *   format that they do not know. Agents who write arguments may learn from it.
   */
  constructor(
    schemas: ReadonlyMap<string, Schema>,
    deepest: number,
    most = Number.POSITIVE_INFINITY,
    isResult = false,
  ) {
    this.#schemas = schemas
    this.#deepest = deepest
    this.#left = most
    this.#isResult = isResult
  }

  /** Whether the schemas so far are incomplete, since they have more parts than allowed. */
  get isTooLarge(): boolean {
    return this.#left < 0
  }

  /**
   * The schema of an object with the members that any branch describes.
   *
   * @param isClosed whether it refuses other members
   * @param omitted members that it does not have
   */
  object(schema: Schema, isClosed: boolean, omitted: ReadonlySet<string>): JsonObject {
    const members = [...membersOf(this.#schemas, schema)].filter(([name]) => !omitted.has(name))
    const required = members.flatMap(([name, member]) => (member.required ? name : []))
    return {
      type: 'object',
      properties: objectOf(members.map(([name, member]) => [name, this.value(member.schema)])),
      ...(required.length > 0 && { required }),
      ...(isClosed && { additionalProperties: false }),
    }
  }

  /** @param around the components that contain the schema */
  value(schema: Schema, around: readonly string[] = []): JsonObject {
    this.#left -= 1
    if (this.#left < 0) return {}
    if (!isObject(schema)) return schema ? {} : { not: {} }
    const name = referenceOf(schema)
    const others = this.#own(schema, around)
    if (name === undefined) return others
    const target = this.#schemas.get(name)
    const isEndless = target === undefined || around.includes(name) || around.length >= this.#deepest
    const inlined = isEndless ? this.#wide(schema) : this.value(target, [...around, name])
    if (Object.keys(others).every((keyword) => describing.has(keyword))) return { ...inlined, ...others }
    return { allOf: [inlined, others] }
  }

  #own(schema: JsonObject, around: readonly string[]): JsonObject {
    const result: MutableObject = {}
    const isTuple = own(schema, 'prefixItems') !== undefined
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === 'items' && isTuple) continue
      if (keyword === 'format' && own(schema, 'x-timezone') === true) continue
      if (keyword === 'format' && this.#isResult && !isKnownFormat(value)) continue
      if (keyword === 'multipleOf' && isDecimal(value)) continue
      const as = keyword === 'oneOf' ? (own(schema, 'anyOf') === undefined ? 'anyOf' : undefined) : keyword
      if (as === undefined || !kept.has(as)) continue
      if ((as === 'title' || as === 'description') && typeof value === 'string') {
        setOwn(result, as, visibleText(value))
        continue
      }
      setOwn(
        result,
        as,
        replaced(as, value, (part) => this.#part(part, around)),
      )
    }
    if (!this.#isResult && isDecimal(own(schema, 'multipleOf')))
      setOwn(result, 'description', multipleText(own(result, 'description'), schema))
    // Some clients refuse arrays without it.
    if (own(result, 'type') === 'array' && own(result, 'items') === undefined) setOwn(result, 'items', {})
    return result
  }

  /** `additionalProperties: false` stays. Other clients' schemas of members are objects. */
  #part(part: Json, around: readonly string[]): Schema {
    if (part === false) return false
    return this.value(isObject(part) ? part : true, around)
  }

  /** Any value of its types. */
  #wide(schema: JsonObject): JsonObject {
    const types = allowedTypes(this.#schemas, schema)
    if (types === undefined || types.size === 0) return {}
    const [only, ...others] = types
    return { type: others.length === 0 ? (only ?? 'object') : [...types] }
  }
}

/** Clients divide as doubles do, in which 1.13 is no multiple of 0.01. They would refuse valid values. */
export function isDecimal(multiple: unknown): boolean {
  return typeof multiple === 'number' && !Number.isInteger(multiple)
}

/** Agents still learn what a value must be a multiple of. */
function multipleText(description: Json | undefined, { multipleOf }: JsonObject): string {
  const text = `Must be a multiple of ${multipleOf}.`
  return typeof description === 'string' && description !== '' ? `${description}\n${text}` : text
}

const describing: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples', 'deprecated'])
