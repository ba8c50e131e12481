import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { keywordNamed } from '../document/vocabulary.js'
import { isBinarySchema } from '../model/content/binary.js'
import type { Schema } from '../schema/schema.js'
import { flatten } from './flatten.js'
import { heightsOf } from './height.js'
import { wordAt } from './named-text.js'
import { sampleNumber } from './number.js'
import { around, root, type ValuePosition } from './place.js'
import { Random } from './random.js'
import { type SampleMaker, sampleArray, sampleObject } from './structure.js'
import { sampleText } from './text.js'

/** The direction of the values: params have no readOnly properties, results no writeOnly ones. */
export type Side = 'params' | 'result'

export interface SampleOptions {
  /** The same seed gives the same value. */
  readonly seed: string
  /** How often a value was refused, by the JSON pointer of its position (`#/items/0`). */
  readonly refused: ReadonlyMap<string, number>
  /** Omits everything optional. */
  readonly lean?: boolean
  /** Omits optional members, as a first call would. Lists have one item. */
  readonly brief?: boolean
  /**
   * What has no value in the document is its name in capitals, which a reader replaces. Receives the JSON pointers of
   * these words (RFC 6901).
   */
  readonly open?: Set<string>
  /** Number of values after which none is generated. Default: 20,000. */
  readonly most?: number
}

/** Generates values of schemas. Results are likely to be valid, and must be validated. */
export class Sampler {
  readonly #height: (schema: Schema) => number
  /** Schemas whose flattened form does not depend on the position. */
  readonly #flat = new WeakMap<JsonObject, Schema>()

  constructor(
    readonly schemas: ReadonlyMap<string, Schema>,
    readonly side: Side,
  ) {
    this.#height = heightsOf(schemas)
  }

  sample(schema: Schema, options: SampleOptions): Json {
    return new Sampling(this.schemas, this.side, this.#height, this.#flat, options).value(schema, root)
  }
}

/** The state of generating one value. */
class Sampling implements SampleMaker {
  #count = 0
  /** Whether the last schema was chosen from several alternatives. */
  #isOneOfSeveral = false
  /** Positions whose examples are excluded, because a part of them was refused. */
  readonly #spoilt: ReadonlySet<string>

  constructor(
    readonly schemas: ReadonlyMap<string, Schema>,
    readonly side: Side,
    readonly height: (schema: Schema) => number,
    readonly known: WeakMap<JsonObject, Schema>,
    readonly options: SampleOptions,
  ) {
    this.#spoilt = new Set([...options.refused.keys()].flatMap(around))
  }

  value(schema: Schema, place: ValuePosition): Json {
    this.#count += 1
    if (this.isExhausted) return null
    const flat = this.flat(schema, place)
    if (flat === true && this.isNamed) return this.#word(place)
    if (!isObject(flat) || place.depth > deepest) return null
    if (isBinarySchema(flat)) return base64
    return this.#stated(flat, place, this.#isOneOfSeveral) ?? this.#made(flat, place)
  }

  flat(schema: Schema, place: ValuePosition): Schema {
    this.#isOneOfSeveral = false
    if (!isObject(schema)) return schema
    const known = this.known.get(schema)
    if (known !== undefined) return known
    const level = this.level(place)
    let isChosen = false
    const flat = flatten(schema, {
      schemas: this.schemas,
      choose: (alternatives) => {
        isChosen = true
        return this.#choose(alternatives, level, place)
      },
    })
    if (!isChosen) this.known.set(schema, flat)
    return flat
  }

  random(place: ValuePosition): Random {
    return new Random(`${this.options.seed}\n${place.pointer}\n${this.level(place)}`)
  }

  level(place: ValuePosition): number {
    return this.options.refused.get(place.pointer) ?? 0
  }

  isLean(place: ValuePosition): boolean {
    return this.options.lean === true || place.depth > fullDepth || this.#count > mostValues.wanted
  }

  get isBrief(): boolean {
    return this.options.brief === true
  }

  get isNamed(): boolean {
    return this.options.open !== undefined
  }

  get isExhausted(): boolean {
    return this.#count > (this.options.most ?? mostValues.needed)
  }

  #choose(alternatives: readonly Schema[], level: number, place: ValuePosition): Schema | undefined {
    const possible = alternatives.filter((each) => Number.isFinite(this.height(each)))
    if (place.depth > fullDepth || this.#count > mostValues.wanted) {
      const sorted = [...possible].sort((a, b) => this.height(a) - this.height(b))
      return sorted[level % Math.max(1, sorted.length)]
    }
    const telling = possible.filter((each) => !isObject(each) || own(each, 'type') !== 'null')
    const choices = level > 1 || telling.length === 0 ? possible : telling
    this.#isOneOfSeveral ||= choices.length > 1
    // A first call has a text rather than a list of parts.
    const text = this.isBrief && level === 0 ? choices.find(isAnyText) : undefined
    if (text !== undefined) return text
    const start = new Random(`${this.options.seed}\n${place.pointer}`).integer(0, choices.length - 1)
    return choices[(start + level) % Math.max(1, choices.length)]
  }

  #word({ pointer }: ValuePosition): string {
    this.options.open?.add(pointer.slice(1))
    return wordAt(pointer)
  }

  /**
   * A value from the schema itself.
   *
   * @param isOneOfSeveral whether the schema is one of several alternatives, which a reader would choose
   */
  #stated(schema: JsonObject, place: ValuePosition, isOneOfSeveral: boolean): Json | undefined {
    const isOpen = (values: number) => this.isNamed && (isOneOfSeveral || values > 1)
    if (Object.hasOwn(schema, 'const')) return isOpen(1) ? this.#word(place) : own(schema, 'const')
    const examples = own(schema, 'examples')
    const written = [own(schema, 'example'), ...(isArray(examples) ? examples : []), scalarDefault(schema)]
    const shown = this.#spoilt.has(place.pointer) ? [] : written
    const values = own(schema, 'enum')
    if (isArray(values) && values.length > 0) {
      const telling = values.filter((value) => value !== null)
      const known = shown.find((value) => value !== undefined && value !== null && telling.includes(value))
      if (known !== undefined) return known
      if (isOpen(telling.length)) return this.#word(place)
      return this.random(place).pick(telling.length > 0 ? telling : values)
    }
    return shown.find((value) => value !== undefined && value !== null)
  }

  #made(schema: JsonObject, place: ValuePosition): Json {
    const level = this.level(place)
    const type = this.#type(schema, level, place)
    if (type === 'null') return null
    if (type === 'array' || type === 'object') {
      const made = (type === 'array' ? sampleArray : sampleObject)(this, schema, place)
      const isFree = Object.keys(made).length === 0 && own(schema, 'properties') === undefined
      return isFree && this.isNamed && place.depth > 0 ? this.#word(place) : made
    }
    if (this.isNamed) return this.#word(place)
    switch (type) {
      case 'boolean':
        return this.random(place).integer(0, 1) === 1
      case 'integer':
        return sampleNumber(schema, true, this.random(place)) ?? 0
      case 'number':
        return sampleNumber(schema, false, this.random(place)) ?? 0
      default:
        return sampleText(schema, level, this.random(place))
    }
  }

  #type(schema: JsonObject, level: number, place: ValuePosition): Json {
    const types = [own(schema, 'type') ?? impliedType(schema) ?? (this.isNamed ? 'string' : 'object')].flat()
    const isSparse = level > 1 || (place.depth > fullDepth && !this.isNamed)
    if (types.includes('null') && isSparse) return 'null'
    const telling = types.filter((type) => type !== 'null')
    return telling[level % Math.max(1, telling.length)] ?? 'null'
  }
}

/** The bytes of `mock` in base64, as in JSON. */
const base64 = 'bW9jaw=='

/** Down to this depth, values include everything optional. */
const fullDepth = 4

/** At this depth, generating gives up. */
const deepest = 64

/** Number of values after which only required ones are generated, and after which none are. */
const mostValues = { wanted: 300, needed: 20_000 }

function isAnyText(schema: Schema): boolean {
  return isObject(schema) && own(schema, 'type') === 'string' && own(schema, 'enum') === undefined
}

/** The type of the instances that a schema without `type` says something of. */
function impliedType(schema: JsonObject): string | undefined {
  const types = new Set(Object.keys(schema).map((name) => keywordNamed(name)?.of))
  return (['object', 'array', 'string', 'number'] as const).find((type) => types.has(type))
}

/** An empty list or object as a default means that the value is omitted, so it is no useful sample. */
function scalarDefault(schema: JsonObject): Json | undefined {
  const value = own(schema, 'default')
  return typeof value === 'object' ? undefined : value
}
