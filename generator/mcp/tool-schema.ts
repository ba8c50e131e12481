import { Containment } from '../contains/containment.js'
import type { Verdict } from '../contains/verdict.js'
import { objectOf } from '../document/cursor.js'
import type { JsonObject } from '../document/document.js'
import { isObject, own } from '../document/json.js'
import type { Model, Operation } from '../model/model.js'
import type { Schema } from '../schema/schema.js'
import { PlainSchemas } from './plain-schema.js'

/** A schema that clients can read, and what it accepts besides. */
export interface ToolSchema {
  readonly schema: JsonObject
  /** `contained`: it accepts exactly what the operation does. Otherwise a value that it accepts too, or no answer. */
  readonly excess: Verdict
}

/** Larger schemas fill a model's context. */
const mostBytes = 16 * 1024

/** Makes the schemas of tools. Each is proved to accept all that the operation's own schema does. */
export class ToolSchemas {
  readonly #model: Model
  readonly #containment = new Containment({ dialect: '2020-12', arithmetic: 'decimals' })
  readonly #components: JsonObject

  constructor(model: Model) {
    this.#model = model
    this.#components = { schemas: objectOf(model.schemas) }
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
    if (tool.structured === 'whole') return this.#widened(result, new Set())
    const member = { type: 'object', properties: { result }, required: ['result'] }
    return this.#widened({ ...member, additionalProperties: false }, new Set())
  }

  /** The narrowest candidate that accepts all that the schema does. */
  #widened(schema: Schema, omitted: ReadonlySet<string>): ToolSchema {
    const whole = this.#subject(schema)
    for (const deepest of [8, 4, 2, 1, 0]) {
      const plain = new PlainSchemas(this.#model.schemas, deepest)
      for (const isClosed of [true, false]) {
        const made = plain.object(schema, isClosed, omitted)
        if (deepest > 0 && JSON.stringify(made).length > mostBytes) break
        const candidate = this.#subject(withOmitted(made, omitted))
        const decided = this.#containment.decide(whole, candidate)
        if (decided.verdict === 'contained')
          return { schema: made, excess: this.#containment.decide(candidate, whole) }
      }
    }
    return { schema: { type: 'object', properties: {} }, excess: unproved }
  }

  #subject(schema: Schema) {
    const document = { ...(isObject(schema) ? schema : { allOf: [schema] }), components: this.#components }
    return this.#containment.subject(document, '')
  }
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
