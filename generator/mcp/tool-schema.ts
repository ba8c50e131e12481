import { Containment } from '../contains/containment.js'
import type { Verdict } from '../contains/verdict.js'
import { objectOf, picked } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isObject, own } from '../document/json.js'
import { isBinarySchema } from '../model/content/binary.js'
import type { Model, Operation } from '../model/model.js'
import { conditional, type OneWay, oneSided } from '../schema/one-way.js'
import { withPrototypeNames } from '../schema/prototype-name.js'
import { mapSubschemas, referenceOf, requiredOf, type Schema } from '../schema/schema.js'
import { isDecimal, PlainSchemas } from './plain-schema.js'

/** A schema that clients can read, and what it accepts besides. */
export interface ToolSchema {
  readonly schema: JsonObject
  /** `contained`: it accepts exactly what the operation does. Otherwise a value that it accepts too, or no answer. */
  readonly excess: () => Verdict
}

/** Larger schemas fill a model's context. */
const mostBytes = 16 * 1024
/** Each part has some bytes, so more parts are too many. Schemas that refer to each other would have millions. */
const mostParts = mostBytes / 4

/** Makes the schemas of tools. Each is proved to accept all that the operation's own schema does. */
export class ToolSchemas {
  readonly #model: Model
  readonly #containment = new Containment({ dialect: '2020-12', arithmetic: 'decimals', isChecked: true })
  /** The components as they are in each direction. */
  readonly #sides = new Map<OneWay, ReadonlyMap<string, Schema>>()

  constructor(model: Model) {
    this.#model = model
  }

  /** The arguments of an operation's tool. */
  input({ params, tool, datetimes }: Operation): ToolSchema {
    const fixed = tool?.fixed ?? {}
    const omitted = new Set([...Object.keys(fixed), ...(tool?.hidden ?? [])])
    const { schema, excess } = this.#widened(params, omitted)
    return { schema: (datetimes.params ?? datetimes.result) ? withZone(schema) : schema, excess }
  }

  /** The structured content of its results. Undefined: there is none. */
  output({ result, tool }: Operation): ToolSchema | undefined {
    if (tool?.structured === undefined) return undefined
    if (tool.structured === 'whole') return this.#widened(result, new Set(), true)
    const member = { type: 'object', properties: { result }, required: ['result'] }
    return this.#widened({ ...member, additionalProperties: false }, new Set(), true)
  }

  /** The narrowest candidate that accepts all that the schema does. */
  #widened(stated: Schema, omitted: ReadonlySet<string>, isResult = false): ToolSchema {
    const mark = isResult ? 'writeOnly' : 'readOnly'
    const schema = asSent(this.#model.schemas, stated, mark)
    const schemas = this.#side(mark)
    const whole = this.#subject(schema, schemas)
    for (const deepest of [8, 4, 2, 1, 0]) {
      const most = deepest > 0 ? mostParts : undefined
      for (const isClosed of [true, false]) {
        const plain = new PlainSchemas(schemas, deepest, most, isResult)
        const made = plain.object(schema, isClosed, omitted)
        if (plain.isTooLarge || (deepest > 0 && JSON.stringify(made).length > mostBytes)) break
        const candidate = this.#subject(withOmitted(made, omitted), schemas)
        if (this.#containment.isContained(whole, candidate))
          return { schema: made, excess: () => this.#excess(made, schema, omitted, schemas) }
      }
    }
    return { schema: { type: 'object', properties: {} }, excess: () => unproved }
  }

  #side(mark: OneWay): ReadonlyMap<string, Schema> {
    const { schemas } = this.#model
    const known = this.#sides.get(mark) ?? mapped(schemas, (schema) => asSent(schemas, schema, mark))
    this.#sides.set(mark, known)
    return known
  }

  /** A call of agents, which has none of the omitted members, that the operation refuses. Multiples of decimals are stated in words. */
  #excess(
    made: JsonObject,
    schema: Schema,
    omitted: ReadonlySet<string>,
    schemas: ReadonlyMap<string, Schema>,
  ): Verdict {
    const asked = isObject(schema) ? requiredOf(schema).filter((name) => !omitted.has(name)) : []
    const isLess = omitted.size > 0 && isObject(schema)
    const target = isLess ? { ...schema, required: asked } : schema
    const stated = this.#subject(withoutDecimals(target), mapped(schemas, withoutDecimals))
    return this.#containment.decide(this.#subject(made, schemas), stated)
  }

  #subject(schema: Schema, schemas: ReadonlyMap<string, Schema>) {
    const components = componentsOf(schemas, schema)
    const named = objectOf(
      Object.entries(components).map(([name, each]) => [name, withPrototypeNames(each as Schema)]),
    )
    // Within a larger document it is compiled only to confirm a witness, which takes most of the time.
    const document = { schema: withPrototypeNames(schema), components: { schemas: named } }
    return this.#containment.subject(document, '/schema')
  }
}

/** A schema for one direction, with files as agents send and receive them: as base64 texts. */
function asSent(schemas: ReadonlyMap<string, Schema>, schema: Schema, mark: OneWay): Schema {
  return withTexts(oneSided(schemas, schema, mark))
}

function withTexts(schema: Schema): Schema {
  if (!isObject(schema)) return schema
  const mapped = mapSubschemas(schema, (part) => (isObject(part) ? withTexts(part) : part !== false))
  return isBinarySchema(schema) ? { ...mapped, type: 'string', contentEncoding: 'base64' } : mapped
}

function mapped(
  schemas: ReadonlyMap<string, Schema>,
  change: (schema: Schema) => Schema,
): ReadonlyMap<string, Schema> {
  return new Map(Array.from(schemas, ([name, schema]) => [name, change(schema)]))
}

/** A schema that accepts as much as the tool's where it states multiples of decimals. */
function withoutDecimals(schema: Schema): Schema {
  if (!isObject(schema)) return schema
  const kept = picked(schema, (keyword) => keyword !== 'multipleOf' || !isDecimal(own(schema, keyword)))
  // A wider part of these would make the whole narrower.
  const isFixed = (keyword: string): boolean => keyword === 'oneOf' || conditional.has(keyword)
  return mapSubschemas(kept, (part, keyword) =>
    isObject(part) ? (isFixed(keyword) ? part : withoutDecimals(part)) : part !== false,
  )
}

/** The components that a schema leads to. A question with all of a document would take most of its time for the others. */
function componentsOf(schemas: ReadonlyMap<string, Schema>, schema: Schema): JsonObject {
  const found = new Map<string, Schema>()
  const waiting: Json[] = [schema]
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (typeof part !== 'object' || part === null) continue
    const name = isObject(part) ? referenceOf(part) : undefined
    const target = name === undefined || found.has(name) ? undefined : schemas.get(name)
    if (name !== undefined && target !== undefined) {
      found.set(name, target)
      waiting.push(target)
    }
    waiting.push(...Object.values(part))
  }
  return objectOf(found)
}

/** Omitted members are allowed: the server adds or omits them. */
function withOmitted(schema: JsonObject, omitted: ReadonlySet<string>): JsonObject {
  const properties = own(schema, 'properties')
  const added = [...omitted].map((name): [string, true] => [name, true])
  return { ...schema, properties: { ...(isObject(properties) ? properties : {}), ...objectOf(added) } }
}

/** Every call may have `__tz` (seed section 1). Only those with datetimes need it. */
function withZone(schema: JsonObject): JsonObject {
  const properties = own(schema, 'properties')
  return { ...schema, properties: { ...(isObject(properties) ? properties : {}), __tz: zone } }
}

const zone: JsonObject = {
  type: 'string',
  description: 'IANA time zone of datetimes, such as Europe/Berlin.',
}

const unproved: Verdict = { verdict: 'unknown', reason: 'no narrower schema is proved to accept every call' }
