import { objectOf } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject } from '../../document/json.js'
import { holdingOf, valueKeywords } from '../../document/vocabulary.js'
import {
  conditional,
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
 * The schemas of a document as one direction has them: what is left out in it is no property any more that could be
 * required, and has the schema `unsent`. In requests, no property with a default is required either: validators fill it in.
 * Whatever says nothing of that stays the same object.
 */
export class Reading {
  readonly #schemas: ReadonlyMap<string, Schema>
  readonly #read = new WeakMap<object, Json>()
  /** Schemas below `not` and the like, where nothing is filled in. */
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

  /** What references lead into: the document, or as much of it as holds all that is referred to. */
  get root(): Json {
    return this.of(this.#contents.root)
  }

  /** A schema of the document, or one that is made up of such. One that was read before stays as it is. */
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
    // Nothing certain can be said of such a schema, whatever is left out.
    if (this.side.flaws.of.has(schema)) return schema
    const known = this.#hides ? withoutLeftOut(this.#schemas, schema, this.leftOut) : schema
    const isFilled = this.#fills && !isStrict
    const sent = asObject(isFilled ? withoutDefaulted(this.#schemas, known) : known, schema)
    return this.#members(sent, (key, member) => {
      if (valueKeywords.has(key)) return member
      if (!isMap(key) || !isObject(member)) return this.#of(member, isStrict || conditional.has(key))
      const isHidden = key === 'properties' && this.#hides ? this.#hidden(schema) : none
      return this.#members(member, (name, part) =>
        isHidden.has(name) ? this.unsent : this.#of(part, isStrict),
      )
    })
  }

  #hidden(schema: JsonObject): ReadonlySet<string> {
    const properties = schemaMap(schema, 'properties')
    return new Set(
      properties.flatMap(([name, part]) => (isLeftOut(this.#schemas, part, this.leftOut) ? [name] : [])),
    )
  }

  /** The object with other members; itself where they are the same. */
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

/** Whether members have names of the document's choice, which are no keywords. */
function isMap(key: string): boolean {
  return holdingOf(key) === 'schema-map' || maps.has(key)
}

const maps: ReadonlySet<string> = new Set(['schemas', 'responses'])

function asObject(schema: Schema, other: JsonObject): JsonObject {
  return isObject(schema) ? schema : other
}
