import { plainSchema } from '../diff/decide/plain-schema.js'
import { Shared } from '../diff/decide/shared.js'
import type { Whole } from '../diff/decide/whole-schema.js'
import { objectOf, picked } from '../document/cursor.js'
import type { JsonObject } from '../document/document.js'
import { isObject } from '../document/json.js'
import type { Model } from '../model/model.js'
import type { OneWay } from '../schema/one-way.js'
import { isAnnotation, isSchema, mapSubschemas, referenceOf, type Schema } from '../schema/schema.js'
import { comparedNotes } from './notes.js'
import type { Resolve } from './view.js'

/** The schemas of one version in one direction, as its validators read them, without words. */
export class VersionReading {
  /** The components, which references lead into. */
  readonly document: JsonObject
  readonly components: ReadonlyMap<string, Schema>
  readonly #read = new Map<Schema, Schema>()

  constructor(
    readonly model: Model,
    readonly leftOut: OneWay,
  ) {
    this.components = new Map(Array.from(model.schemas, ([name, schema]) => [name, this.of(schema)]))
    this.document = { components: { schemas: objectOf(this.components) } }
  }

  of(schema: Schema): Schema {
    const known = this.#read.get(schema)
    if (known !== undefined) return known
    const read = bare(plainSchema(this.model.schemas, schema, this.leftOut))
    this.#read.set(schema, read)
    return read
  }

  readonly resolve: Resolve = (schema) => {
    const name = referenceOf(schema)
    return name === undefined ? undefined : this.components.get(name)
  }
}

/** Finds schemas that are equal in two readings, with everything they refer to. */
export class Equality {
  readonly #shared = new Shared()
  readonly #wholes: readonly [Whole, Whole]
  readonly #same: ReadonlySet<string>

  constructor(sender: VersionReading, receiver: VersionReading) {
    const [one, other] = [sender, receiver].map(({ components }): Whole => ({ schema: true, components }))
    if (one === undefined || other === undefined) throw new RangeError('Not two readings')
    this.#wholes = [one, other]
    this.#same = this.#shared.between(one, other)
  }

  of(sent: Schema, received: Schema): boolean {
    const [one, other] = this.#wholes
    return this.#shared.areOne({ ...one, schema: sent }, { ...other, schema: received }, this.#same)
  }
}

/** A schema without what only describes it, and with notes that code relies on. */
function bare(schema: Schema): Schema {
  if (!isObject(schema)) return schema
  const kept = picked(
    schema,
    (keyword) => !isAnnotation(keyword) || meaningful.has(keyword) || comparedNotes.has(keyword),
  )
  return mapSubschemas(kept, (part) => (isSchema(part) ? bare(part) : true))
}

/** Containment reads a comment of a reading itself. */
const meaningful: ReadonlySet<string> = new Set(['$comment'])
