import { isExact } from 'duet-runtime/validation'
import type { Json, JsonObject } from '../../document/document.js'
import { isArray, own } from '../../document/json.js'
import { asObject, type Side } from '../change/side.js'
import type { Traits } from '../change/subject.js'
import { harmless, type Judged, type Judgement, judge, worse } from '../decide/judgement.js'
import { isAnnotationKeyword, resolve } from '../same/same.js'
import { coercedBy, saysNoType } from './coerced.js'
import { isListOr, isOfParts, only, type Reader, readerOf, scalarsOf, withoutNull } from './reader.js'
import { bounds, decimalsOf, type Range, rangesOf, wholeNumbers } from './whole-numbers.js'

/**
 * What callers over REST notice of two schemas that make values of other types out of a text: REST writes parameters and the
 * fields of forms as text, whatever their types, so that what counts is which texts are taken. Undefined where the types are
 * the same but for null, or a value is written in more than one text.
 */
export function judgeTexts(
  judgement: Judgement,
  { direction, holder, lists }: Traits,
  isRoot: boolean,
  [from, sender]: readonly [Side, Json],
  [to, receiver]: readonly [Side, Json],
): Judged | undefined {
  const [one, other] = [readerOf(from, sender), readerOf(to, receiver)]
  if (withoutNull(one.types) === withoutNull(other.types)) return undefined
  const isPlain = Object.keys(asObject(receiver)).every((key) => key === 'type' || isAnnotationKeyword(key))
  const isText = other.types.join() === 'string' && isPlain
  // Who reads a header, or a body that is no JSON, as plain text reads every text.
  if (isText && (holder === 'header' || (holder === 'body' && isRoot))) return harmless
  const texts = new Texts(judgement, direction, one, other)
  const isNested = holder === 'parameter' && lists === 'nested nested'
  const isField = !isRoot && (isNested || (holder === 'body' && lists !== undefined))
  if ((holder === 'parameter' && isRoot) || isField) {
    const [was, is] = (isNested && isField ? 'repeated repeated' : lists)?.split(' ') ?? []
    const isList = withoutNull(other.types) === 'array'
    if (isList && isListOr(one.types)) {
      const single = new Texts(judgement, direction, only(one, scalarsOf(one.types)), other)
      const several = judge(judgement.passes(direction, only(one, ['array']).schema, receiver))
      // What has a delimiter was a list before.
      const judged = single.asList('repeated')
      return judged && worse(judged, several)
    }
    if (isList) return texts.asList(is)
    if (isListOr(other.types) && !one.types.some(isOfParts))
      return new Texts(judgement, direction, one, only(other, scalarsOf(other.types))).judged()
    const item = was === undefined || was === 'nested' ? undefined : itemOf(judgement, direction, one)
    if (item !== undefined && !other.types.some(isOfParts))
      return ofList(new Texts(judgement, direction, item, other).judged())
    const refused = partsRefused(one, was, isField)
    if (refused !== undefined && saysNoType(other.side, other.schema))
      return ofParts(judgement, direction, one, refused)
    // What joins the items of a list is a part of the text.
    if (withoutNull(one.types) === 'array' && was === 'joined' && other.types.join() === 'string')
      return isText
        ? harmless
        : { level: 'dangerous', evidence: { reason: 'which texts are taken is not decided' } }
  }
  return [...one.types, ...other.types].some(isOfParts) ? undefined : texts.judged()
}

/** Whether an empty text has none of these types. A list of such items reads it as an empty list. */
function isFull(types: readonly string[]): boolean {
  return !types.includes('string') && !types.includes('null')
}

/** The item of a list that may have one item and has no other keywords than the type and number of its items. */
function plainItemOf({ side, schema: list }: Reader): Reader | undefined {
  const schema = asObject(resolve(side, list))
  const [least, most] = [own(schema, 'minItems') ?? 0, own(schema, 'maxItems') ?? 1]
  const isPlain = Object.keys(schema).every((key) => ofLists.has(key) || isAnnotationKeyword(key))
  const isOne = typeof least === 'number' && least <= 1 && typeof most === 'number' && most >= 1
  const item = isPlain && isOne ? readerOf(side, own(schema, 'items') ?? true) : undefined
  return item?.types.some(isOfParts) === true ? undefined : item
}

/** The item of a list that always has exactly one. Undefined for other lists. */
function itemOf(judgement: Judgement, direction: 'request' | 'response', list: Reader): Reader | undefined {
  const schema = asObject(resolve(list.side, list.schema))
  const isOne = judgement.isContained(`${direction} back`, schema, {
    type: 'array',
    minItems: 1,
    maxItems: 1,
  })
  return isOne ? plainItemOf(list) : undefined
}

const ofLists: ReadonlySet<string> = new Set(['type', 'items', 'minItems', 'maxItems', 'uniqueItems'])

/**
 * Values that a reader of one text refuses, since they stand under several names or another one: lists of which each item has the
 * name, and objects whose members have names of their own.
 */
function partsRefused({ types }: Reader, was: string | undefined, isField: boolean): JsonObject | undefined {
  if (was === 'repeated' && types.includes('array')) return { type: 'array', minItems: 2, items: carried }
  const isNamed = was !== 'joined' && !isField && types.includes('object')
  return isNamed ? { type: 'object', minProperties: 1, additionalProperties: carried } : undefined
}

/** What a text can stand for: there is none of null. */
const carried: JsonObject = { not: { type: 'null' } }

/** What some of the sender's values break. Undefined where it has none of them. */
function ofParts(
  judgement: Judgement,
  direction: 'request' | 'response',
  { schema }: Reader,
  parts: JsonObject,
): Judged | undefined {
  const judged = judge(judgement.passes(direction, { allOf: [schema, parts] }, { not: {} }))
  return judged.level === 'compatible' ? undefined : judged
}

/** Turns a verdict on the single item into a verdict on the list. */
function ofList({ level, evidence }: Judged): Judged {
  const { witness } = evidence
  return { level, evidence: witness === undefined ? evidence : { ...evidence, witness: [witness] } }
}

/** The texts of one schema's values against those of which another makes its own. */
class Texts {
  constructor(
    readonly judgement: Judgement,
    readonly direction: 'request' | 'response',
    readonly from: Reader,
    readonly to: Reader,
  ) {}

  judged(): Judged {
    const values = listed(asObject(resolve(this.from.side, this.from.schema)))
    if (values !== undefined) return this.#all(values.map((value) => () => this.#one(written(value))))
    return this.#all([
      ...scalars(this.from).map((text) => () => this.#one(text)),
      () => this.#numbers(),
      () => this.#strings(),
    ])
  }

  /** A text that nothing parts is a list of one: one without delimiters, or any where the name is repeated for each item. */
  asList(style: string | undefined): Judged | undefined {
    const { types, schema } = this.from
    const { items, prefix } = coercedBy(this.to.side, this.to.schema)
    const isText = types.join() === 'string' && (items?.types ?? types).join() === 'string' && !prefix
    const item = plainItemOf(this.to)
    const isOfItems = item !== undefined && !types.some(isOfParts) && (isFull(types) || !isFull(item.types))
    const isWhole = types.every((type) => unparted.has(type)) || style === 'repeated' || this.#isUndivided()
    if (isOfItems && isWhole) return new Texts(this.judgement, this.direction, this.from, item).judged()
    if (isText && style === 'joined' && this.#isTaken({ type: 'array', items: { type: 'string' } }))
      return divided
    if (isOfItems && isText && style === 'joined') {
      const whole = only(this.from, ['string'])
      const single = { ...whole, schema: { allOf: [whole.schema, undelimited] } }
      return worse(divided, new Texts(this.judgement, this.direction, single, item).judged())
    }
    if (!types.every((type) => unparted.has(type)) && !(isText && style === 'repeated')) return undefined
    return this.#isTaken({ type: 'array', items: schema, minItems: 1, maxItems: 1 }) ? harmless : undefined
  }

  /** The worst of some answers; what breaks is enough. */
  #all(questions: readonly (() => Judged)[]): Judged {
    let worst = harmless
    for (const question of questions) {
      worst = worse(worst, question())
      if (worst.level === 'breaking') break
    }
    return worst
  }

  /** One text that the sender may write. */
  #one(given: string): Judged {
    const value = read(given, this.from.types)
    // A number is written in one way of many.
    const isTaken = (text: string): boolean =>
      !isRounded(text, this.to.types) && this.#isTaken({ const: read(text, this.to.types) })
    if (!this.#isGiven(given) || isTaken(given) || isTaken(written(value))) return harmless
    return { level: 'breaking', evidence: { witness: value } }
  }

  #numbers(): Judged {
    const { from, to } = this
    const [wide, isRead] = [from.types.includes('number'), to.types.includes('number')]
    if (!wide && !from.types.includes('integer')) return harmless
    const asNumbers = (type: string): Judged | undefined =>
      this.#isTaken({ allOf: [from.schema, { type }] }) ? harmless : undefined
    // Numbers that both read as such are no matter of texts.
    if (isRead || to.types.includes('integer')) {
      const kept = asNumbers(wide && isRead ? 'number' : 'integer')
      if (kept !== undefined && (isRead || !wide)) return kept
    }
    const whole = rangesOf(from).map((range) => ({ type: 'string', pattern: wholeNumbers(range) }))
    const { pattern, samples } = decimalsOf(from) ?? { pattern: number, samples: [] }
    return this.#all([
      ...samples.map((text) => () => (wide ? this.#one(text) : harmless)),
      ...[...whole, ...(wide ? [{ type: 'string', pattern }] : [])].map(
        (text) => () => this.#texts(text, true),
      ),
    ])
  }

  #strings(): Judged {
    const { from } = this
    return from.types.includes('string')
      ? this.#texts({ allOf: [from.schema, { type: 'string' }] })
      : harmless
  }

  /**
   * Some texts, which may be a few more than the sender writes, against a few less than the receiver takes. `areExact`: whether
   * all are numbers that a double holds.
   */
  #texts(sent: JsonObject, areExact = false): Judged {
    const taken = this.#taken(areExact)
    const verdict = this.judgement.passes(this.direction, sent, taken.length === 0 ? false : { anyOf: taken })
    if (verdict.verdict === 'contained') return harmless
    const witness =
      verdict.verdict === 'not-contained' && typeof verdict.witness === 'string' ? verdict.witness : undefined
    const tried = [...(witness === undefined ? [] : [witness]), ...(areExact ? [] : rounded)]
    const shown = this.#all(tried.map((text) => () => this.#one(text)))
    if (shown.level === 'breaking') return shown
    const reason = verdict.verdict === 'unknown' ? verdict.reason : 'which texts are taken is not decided'
    return { level: 'dangerous', evidence: { reason } }
  }

  /** Schemas of texts of which the receiver makes a value that it takes. */
  #taken(areExact: boolean): Json[] {
    const { to } = this
    const { types, schema } = to
    const single = ['', ...scalars(to)].filter((text) => this.#isTaken({ const: read(text, types) }))
    const found: Json[] = single.map((text) => ({ const: text }))
    const isNumeric = types.includes('number') || types.includes('integer')
    const all = types.includes('number') ? 'number' : 'integer'
    const takesAll = isNumeric && this.#isTaken({ type: all })
    const exact = all === 'number' ? number : wholeNumbers(open)
    // What a double would round is refused, or read as text.
    const short = all === 'number' ? shortNumber : shortInteger
    if (takesAll) found.push({ pattern: areExact ? exact : short })
    else if (isNumeric)
      for (const range of rangesOf(to))
        if (this.#isTaken({ type: 'integer', ...bounds(range) })) found.push({ pattern: wholeNumbers(range) })
    if (!types.includes('string')) return found
    const others: Json[] = []
    if (types.includes('boolean')) others.push({ not: { enum: ['true', 'false'] } })
    // What is a whole number may be written as none; where each is taken, so is it as a text.
    if (isNumeric && !takesAll) others.push({ not: { pattern: number } })
    return [...found, { allOf: [schema, ...others] }]
  }

  /** Whether a schema of the sender's document has nothing but what the receiver takes. */
  #isTaken(schema: Json): boolean {
    return this.judgement.isContained(this.direction, schema, this.to.schema)
  }

  /** Whether no text of the sender has a delimiter. */
  #isUndivided(): boolean {
    const { types, side, schema } = this.from
    const { format } = asObject(resolve(side, schema))
    if (types.join() !== 'string') return false
    return (
      format === 'date' ||
      format === 'uuid' ||
      this.judgement.isContained(this.direction, schema, undelimited)
    )
  }

  /** Whether the sender has a value that is written so. */
  #isGiven(text: string): boolean {
    const value = { const: read(text, this.from.types) }
    return this.judgement.isContained(`${this.direction} back`, value, this.from.schema)
  }
}

/** Texts without what any style divides texts by. */
const undelimited: JsonObject = { pattern: '^[^,|;.\\s]*$' }

const divided: Judged = {
  level: 'dangerous',
  evidence: { reason: 'a text with a delimiter is read as several items' },
}

const unparted: ReadonlySet<string> = new Set(['integer', 'number', 'boolean'])

/** Texts that stand for one value each, by the types that a schema has. */
function scalars({ types }: Reader): string[] {
  const empty = types.includes('null') && !types.includes('string') ? [''] : []
  return types.includes('boolean') ? ['true', 'false', ...empty] : empty
}

/** Every number by the grammar of JSON. */
const number = String.raw`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`
/** Numbers of up to 15 digits, which a double holds exactly. */
const shortInteger = '^-?(0|[1-9][0-9]{0,14})$'
const shortNumber = String.raw`^-?(0|[1-9][0-9]{0,6})(\.[0-9]{1,8})?$`
const open: Range = { from: undefined, to: undefined }

/** The only values of a schema that lists them, where each is written as one text. */
function listed(schema: JsonObject): readonly Json[] | undefined {
  const [constant, list] = [own(schema, 'const'), own(schema, 'enum')]
  const values = constant !== undefined ? [constant] : isArray(list) ? list : undefined
  return values?.every((value) => typeof value !== 'object' || value === null) === true ? values : undefined
}

function written(value: Json): string {
  return value === null ? '' : String(value)
}

/** Digits that a double would round. */
const rounded = ['9007199254740993']

/** Whether a text is refused as a number that a double would round. */
function isRounded(text: string, types: readonly string[]): boolean {
  if (types.includes('string') || !new RegExp(number).test(text) || isExact(text)) return false
  return types.includes('number') || (types.includes('integer') && Number.isInteger(Number(text)))
}

/** What a text is read as where some types are allowed, the narrowest first; as text where it is of none of them. */
function read(text: string, types: readonly string[]): Json {
  if (text === '') return types.includes('null') && !types.includes('string') ? null : text
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  const isNumber = new RegExp(number).test(text) && (isExact(text) || !types.includes('string'))
  const value = isNumber ? Number(text) : Number.NaN
  if (types.includes('number') && Number.isFinite(value)) return value
  if (types.includes('integer') && Number.isInteger(value)) return value
  return text
}
