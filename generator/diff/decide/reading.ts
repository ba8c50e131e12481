import { objectOf } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject } from '../../document/json.js'
import { holdingOf, valueKeywords } from '../../document/vocabulary.js'
import {
  conditional,
  eitherWay,
  isLeftOut,
  type OneWay,
  withoutDefaulted,
  withoutLeftOut,
} from '../../schema/one-way.js'
import { type Schema, schemaMap } from '../../schema/schema.js'
import type { Side } from '../change/side.js'
import { schemasOf } from '../same/discrimination.js'
import { type Contents, contentsOf } from './contents.js'

/**
 * Reads the schemas of a document for one direction. Properties that are left out have the schema `unsent` and are not
 * required. In requests, properties with a default are not required either, because validators fill them in. A schema
 * without such properties stays the same object.
 */
export class Reading {
  readonly #schemas: ReadonlyMap<string, Schema>
  readonly #read = new WeakMap<object, Json>()
  /** Schemas below `not` and the like, where validators fill in nothing. */
  readonly #strict = new WeakMap<object, Json>()
  readonly #contents: Contents
  /** Whether any property is left out. */
  readonly #hides: boolean
  /** Whether any property is filled in. */
  readonly #fills: boolean

  constructor(
    readonly side: Side,
    readonly leftOut: OneWay,
    readonly unsent: boolean,
  ) {
    this.#schemas = schemasOf(side)
    this.#contents = contentsOf(side.document.root)
    const { marks } = this.#contents
    this.#hides = marks.has(leftOut)
    this.#fills = leftOut === 'readOnly' && marks.has('default')
  }

  /** The part of the document that references lead into. */
  get root(): Json {
    return this.of(this.#contents.root)
  }

  /**
   * Reads a schema of the document, or one that is constructed from such schemas. A schema that was read before stays
   * as it is.
   */
  of(schema: Json): Json {
    return this.#hides || this.#fills ? this.#of(schema) : schema
  }

  #of(value: Json, isStrict = false): Json {
    if (typeof value !== 'object' || value === null) return value
    const memo = isStrict ? this.#strict : this.#read
    const known = memo.get(value)
    if (known !== undefined) return known
    const read = isArray(value) ? this.#list(value, isStrict) : this.#object(value as JsonObject, isStrict)
    memo.set(value, read)
    return read
  }

  #list(values: readonly Json[], isStrict: boolean): Json {
    const read = values.map((value) => this.#of(value, isStrict))
    return read.some((value, index) => value !== values[index]) ? read : values
  }

  #object(schema: JsonObject, isStrict: boolean): JsonObject {
    // Nothing certain follows from such a schema, whatever is left out.
    if (this.side.flaws.of.has(schema)) return schema
    const known = this.#hides ? withoutLeftOut(this.#schemas, schema, this.leftOut) : schema
    const isFilled = this.#fills && !isStrict
    const sent = asObject(isFilled ? withoutDefaulted(this.#schemas, known) : known, schema)
    const read = this.#members(sent, (key, member) => {
      if (valueKeywords.has(key)) return member
      if (!isMap(key) || !isObject(member)) return this.#of(member, isStrict || conditional.has(key))
      const isHidden = key === 'properties' && this.#hides ? this.#hidden(schema) : none
      return this.#members(member, (name, part) =>
        isHidden.has(name) ? this.unsent : this.#of(part, isStrict),
      )
    })
    return isFilled ? eitherWay(this.#schemas, schema, read, (branch) => this.#of(branch, true)) : read
  }

  #hidden(schema: JsonObject): ReadonlySet<string> {
    const properties = schemaMap(schema, 'properties')
    return new Set(
      properties.flatMap(([name, part]) => (isLeftOut(this.#schemas, part, this.leftOut) ? [name] : [])),
    )
  }

  /** The object with its members read, or the same object if they do not change. */
  #members(object: JsonObject, read: (key: string, member: Json) => Json): JsonObject {
    const changed = new Map<string, Json>()
    for (const key of Object.keys(object)) {
      const member = object[key] ?? null
      if (typeof member !== 'object' || member === null) continue
      const other = read(key, member)
      if (other !== member) changed.set(key, other)
    }
    return changed.size === 0 ? object : { ...object, ...objectOf(changed) }
  }
}

const none: ReadonlySet<string> = new Set()

/** Whether members are named by the document, not by keywords. */
function isMap(key: string): boolean {
  return holdingOf(key) === 'schema-map' || maps.has(key)
}

const maps: ReadonlySet<string> = new Set(['schemas', 'responses'])

function asObject(schema: Schema, other: JsonObject): JsonObject {
  return isObject(schema) ? schema : other
}
