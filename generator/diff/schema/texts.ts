import type { Json, JsonObject } from '../../load/document.js'
import { isArray, own } from '../../load/json.js'
import type { Judgement } from '../decide/judgement.js'
import { asObject } from '../side.js'
import { annotations } from './same.js'
import type { Traits } from './subject.js'
import { typesOf } from './types.js'

/**
 * Whether every text that stands for a value of the sender's schema is one that the receiver reads as a value of its own:
 * REST writes parameters and the fields of forms as text, whatever their types. False where that is not plain.
 */
export function textsPass(
  judgement: Judgement,
  traits: Traits,
  isRoot: boolean,
  sender: JsonObject,
  receiver: JsonObject,
): boolean {
  const { direction, holder } = traits
  const passes = (value: Json): boolean =>
    judgement.passes(direction, value, receiver).verdict === 'contained'
  const [from, to] = [typesOf(sender), typesOf(receiver)]
  const isPlain = Object.keys(receiver).every((key) => key === 'type' || annotations.has(key))
  // Who reads a header, or a body that is no JSON, as plain text reads every text.
  if (to.join() === 'string' && isPlain && (holder === 'header' || (holder === 'body' && isRoot))) return true
  const values = listed(sender)
  if (values !== undefined && to.length > 0) {
    const scalars = values.every((value) => typeof value !== 'object' || value === null)
    return scalars && values.every((value) => passes({ const: read(written(value), to) }))
  }
  if (to.join() === 'array' && isRoot && holder === 'parameter') {
    // A text without commas is a list of one.
    const isBare = from.length > 0 && from.every((type) => unparted.has(type))
    return isBare && passes({ type: 'array', items: sender, minItems: 1, maxItems: 1 })
  }
  if (to.join() !== 'string' && !(isPlain && to.join() === 'null,string')) return false
  const texts = from.map((type) => textsOf(type, sender))
  return texts.length > 0 && texts.every((text) => text !== undefined && passes(text))
}

const unparted: ReadonlySet<string> = new Set(['integer', 'number', 'boolean'])

/** The texts of all values of one type; undefined where they are written in more than one way. */
function textsOf(type: string, schema: JsonObject): Json | undefined {
  if (type === 'string') return { ...schema, type }
  if (type === 'boolean') return { type: 'string', enum: ['true', 'false'] }
  if (type === 'null') return { type: 'string', const: '' }
  const number = String.raw`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`
  return type === 'integer' || type === 'number' ? { type: 'string', pattern: number } : undefined
}

/** The only values of a schema that lists them. */
function listed(schema: JsonObject): readonly Json[] | undefined {
  const [constant, list] = [own(schema, 'const'), own(schema, 'enum')]
  if (constant !== undefined) return [constant]
  return isArray(list) ? list : undefined
}

function written(value: Json): string {
  return value === null ? '' : String(value)
}

/** What a text is read as where some types are allowed, the narrowest first; as text where it is of none of them. */
function read(text: string, types: readonly string[]): Json {
  if (types.includes('null') && text === '') return null
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)
  const value = isNumber ? Number(text) : Number.NaN
  if (types.includes('number') && Number.isFinite(value)) return value
  if (types.includes('integer') && Number.isInteger(value)) return value
  return text
}

/** Whether the types of two schemas differ in more than null. */
export function haveOtherTypes(a: Json, b: Json): boolean {
  const [one, other] = [a, b].map((schema) => typesOf(asObject(schema)).filter((type) => type !== 'null'))
  return (
    one !== undefined && other !== undefined && one.length > 0 && other.length > 0 && `${one}` !== `${other}`
  )
}
