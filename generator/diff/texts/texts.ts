import type { Json, JsonObject } from '../../document/document.js'
import { isArray, own } from '../../document/json.js'
import { asObject, type Side } from '../change/side.js'
import type { Traits } from '../change/subject.js'
import { harmless, type Judged, type Judgement, judge, worse } from '../decide/judgement.js'
import { isAnnotationKeyword, resolve } from '../same/same.js'
import { coercedBy, saysNoType } from './coerced.js'
import {
  isContainer,
  isListOrScalar,
  limitedTo,
  type Reader,
  readerOf,
  scalarsOf,
  withoutNull,
} from './reader.js'
import { isRounded, number, read, written } from './scalar-text.js'
import { bounds, decimalsOf, type Range, rangesOf, wholeNumbers } from './whole-numbers.js'

/**
 * Judges for REST callers two schemas that convert a text to values of different types. REST writes parameters and form
 * fields as text whatever their types, so only the accepted texts count. Undefined if the types are equal except for
 * null, or if a value is written as several texts.
 */
export function judgeTexts(
  judgement: Judgement,
  { direction, holder, lists }: Traits,
  isRoot: boolean,
  [from, sender]: readonly [Side, Json],
  [to, receiver]: readonly [Side, Json],
): Judged | undefined {
  const [one, other] = [readerOf(from, sender), readerOf(to, receiver)]
  const isSameKind = withoutNull(one.types) === withoutNull(other.types)
  if (isSameKind && !becomesString(one.types, other.types)) return undefined
  const isPlain = Object.keys(asObject(receiver)).every((key) => key === 'type' || isAnnotationKeyword(key))
  const isText = other.types.join() === 'string' && isPlain
  // A header, or a body that is not JSON, accepts every text if it is read as plain text.
  const isBody = holder === 'body' && isRoot
  // A service writes lists and objects as JSON, whatever the media type.
  if (isBody && direction === 'response' && one.types.some(isContainer)) return undefined
  if (isText && (holder === 'header' || isBody)) return harmless
  const texts = new TextComparison(judgement, direction, one, other)
  const isNested = holder === 'parameter' && lists === 'nested nested'
  const isField = !isRoot && (isNested || (holder === 'body' && lists !== undefined))
  if ((holder === 'parameter' && isRoot) || isField) {
    const [was, is] = (isNested && isField ? 'repeated repeated' : lists)?.split(' ') ?? []
    const isList = withoutNull(other.types) === 'array'
    if (isList && isListOrScalar(one.types)) {
      const single = new TextComparison(judgement, direction, limitedTo(one, scalarsOf(one.types)), other)
      const several = judge(judgement.passes(direction, limitedTo(one, ['array']).schema, receiver))
      // A text with a delimiter was a list before.
      const judged = single.asList('repeated')
      return judged && worse(judged, several)
    }
    if (isList) return texts.asList(is)
    if (isListOrScalar(other.types) && !one.types.some(isContainer))
      return new TextComparison(judgement, direction, one, limitedTo(other, scalarsOf(other.types))).judged()
    const item = was === undefined || was === 'nested' ? undefined : itemOf(judgement, direction, one)
    if (item !== undefined && !other.types.some(isContainer))
      return ofList(new TextComparison(judgement, direction, item, other).judged())
    const refused = refusedParts(one, was, isField)
    if (refused !== undefined && saysNoType(other.side, other.schema))
      return ofParts(judgement, direction, one, refused)
    // The delimiters between the items are part of the text.
    if (withoutNull(one.types) === 'array' && was === 'joined' && other.types.join() === 'string')
      return isText
        ? harmless
        : { level: 'dangerous', evidence: { reason: 'it is not decided which texts are accepted' } }
  }
  return [...one.types, ...other.types].some(isContainer) ? undefined : texts.judged()
}

/** Whether decimals, which were numbers, are strings where only whole numbers are numbers. */
function becomesString(was: readonly string[], is: readonly string[]): boolean {
  return was.includes('number') && !is.includes('number') && is.includes('string')
}

/** Whether an empty text has no type of these. A list of such items reads it as an empty list. */
function excludesEmpty(types: readonly string[]): boolean {
  return !types.includes('string') && !types.includes('null')
}

/** The item of a list that may have one item and has no other keywords than the type and number of its items. */
function plainItemOf({ side, schema: list }: Reader): Reader | undefined {
  const schema = asObject(resolve(side, list))
  const [least, most] = [own(schema, 'minItems') ?? 0, own(schema, 'maxItems') ?? 1]
  const isPlain = Object.keys(schema).every((key) => ofLists.has(key) || isAnnotationKeyword(key))
  const isOne = typeof least === 'number' && least <= 1 && typeof most === 'number' && most >= 1
  const item = isPlain && isOne ? readerOf(side, own(schema, 'items') ?? true) : undefined
  return item?.types.some(isContainer) === true ? undefined : item
}

/** The item of a list that is always written with exactly one. Undefined for other lists. */
function itemOf(judgement: Judgement, direction: 'request' | 'response', list: Reader): Reader | undefined {
  const schema = asObject(resolve(list.side, list.schema))
  const item = plainItemOf(list)
  // An empty text is an item, unless no item is a text.
  const minItems = item !== undefined && excludesEmpty(item.types) ? 1 : 0
  const isOne = judgement.isContained(`${direction} back`, schema, { type: 'array', minItems, maxItems: 1 })
  return isOne ? item : undefined
}

const ofLists: ReadonlySet<string> = new Set(['type', 'items', 'minItems', 'maxItems', 'uniqueItems'])

/**
 * Values that a reader of one text refuses, because they are written under several names or another name: lists that
 * repeat the name for each item, and objects whose members have names of their own.
 */
function refusedParts({ types }: Reader, was: string | undefined, isField: boolean): JsonObject | undefined {
  if (was === 'repeated' && types.includes('array')) return { type: 'array', minItems: 2, items: nonNull }
  const isNamed = was !== 'joined' && !isField && types.includes('object')
  return isNamed ? { type: 'object', minProperties: 1, additionalProperties: nonNull } : undefined
}

/** Values that have a text. Null has none. */
const nonNull: JsonObject = { not: { type: 'null' } }

/** Judges the sender's values of one kind, all of which the receiver refuses. Undefined if there are none. */
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

/** Compares the texts of the sender's values with the texts that the receiver accepts. */
class TextComparison {
  constructor(
    readonly judgement: Judgement,
    readonly direction: 'request' | 'response',
    readonly from: Reader,
    readonly to: Reader,
  ) {}

  judged(): Judged {
    const values = listed(asObject(resolve(this.from.side, this.from.schema)))
    if (values !== undefined) return this.#worst(values.map((value) => () => this.#judgeText(written(value))))
    return this.#worst([
      ...scalars(this.from).map((text) => () => this.#judgeText(text)),
      () => this.#judgeNumbers(),
      () => this.#judgeStrings(),
    ])
  }

  /**
   * A text that nothing splits is a list of one item: a text without delimiters, or any text if the name is repeated
   * for each item.
   */
  asList(style: string | undefined): Judged | undefined {
    const { types, schema } = this.from
    const { items, prefix } = coercedBy(this.to.side, this.to.schema)
    const isText = types.join() === 'string' && (items?.types ?? types).join() === 'string' && !prefix
    const item = plainItemOf(this.to)
    const isOfItems =
      item !== undefined && !types.some(isContainer) && (excludesEmpty(types) || !excludesEmpty(item.types))
    const isWhole =
      types.every((type) => scalarTypes.has(type)) || style === 'repeated' || this.#isUndivided()
    if (isOfItems && isWhole)
      return new TextComparison(this.judgement, this.direction, this.from, item).judged()
    if (isText && style === 'joined' && this.#accepts({ type: 'array', items: { type: 'string' } }))
      return splitText
    if (isOfItems && isText && style === 'joined') {
      const whole = limitedTo(this.from, ['string'])
      const single = { ...whole, schema: { allOf: [whole.schema, undelimited] } }
      return worse(splitText, new TextComparison(this.judgement, this.direction, single, item).judged())
    }
    if (!types.every((type) => scalarTypes.has(type)) && !(isText && style === 'repeated')) return undefined
    return this.#accepts({ type: 'array', items: schema, minItems: 1, maxItems: 1 }) ? harmless : undefined
  }

  /** The worst of some verdicts. The first break ends the search. */
  #worst(questions: readonly (() => Judged)[]): Judged {
    let worst = harmless
    for (const question of questions) {
      worst = worse(worst, question())
      if (worst.level === 'breaking') break
    }
    return worst
  }

  /** Judges one text that the sender may write. */
  #judgeText(text: string): Judged {
    const value = read(text, this.from.types)
    // One number has several texts.
    const isAccepted = (text: string): boolean =>
      !isRounded(text, this.to.types) && this.#accepts({ const: read(text, this.to.types) })
    if (!this.#isSent(text) || isAccepted(text) || isAccepted(written(value))) return harmless
    return { level: 'breaking', evidence: { witness: value } }
  }

  #judgeNumbers(): Judged {
    const { from, to } = this
    const [wide, isRead] = [from.types.includes('number') && !this.#areWhole(), to.types.includes('number')]
    if (!from.types.includes('number') && !from.types.includes('integer')) return harmless
    const asNumbers = (type: string): Judged | undefined =>
      this.#accepts({ allOf: [from.schema, { type }] }) ? harmless : undefined
    // Numbers that both sides read as numbers do not depend on their texts.
    if (isRead || to.types.includes('integer')) {
      const kept = asNumbers(wide && isRead ? 'number' : 'integer')
      if (kept !== undefined && (isRead || !wide)) return kept
    }
    const whole = rangesOf(from).map((range) => ({ type: 'string', pattern: wholeNumbers(range) }))
    const { pattern, samples } = decimalsOf(from) ?? { pattern: number, samples: [] }
    return this.#worst([
      ...(wide ? [...samples, ...this.#fractions()] : []).map((text) => () => this.#judgeText(text)),
      ...[...whole, ...(wide ? [{ type: 'string', pattern }] : [])].map(
        (text) => () => this.#judgeTexts(text, true),
      ),
    ])
  }

  /** A number of the sender that is not whole. */
  #fractions(): string[] {
    const fraction = { type: 'number', not: { type: 'integer' } }
    const found = this.judgement.passes(this.direction, { allOf: [this.from.schema, fraction] }, false)
    return found.verdict === 'not-contained' ? [written(found.witness)] : []
  }

  /** Whether all numbers of the sender are whole: callers write them as digits. */
  #areWhole(): boolean {
    const whole = { anyOf: [{ type: 'integer' }, { not: { type: 'number' } }] }
    return this.judgement.isContained(this.direction, this.from.schema, whole)
  }

  #judgeStrings(): Judged {
    const { from } = this
    return from.types.includes('string')
      ? this.#judgeTexts({ allOf: [from.schema, { type: 'string' }] })
      : harmless
  }

  /**
   * Judges texts. They may be a few more than the sender writes, and are compared with a few less than the receiver
   * accepts. `areExact`: all are numbers that a double holds exactly.
   */
  #judgeTexts(sent: JsonObject, areExact = false): Judged {
    const accepted = this.#accepted(areExact)
    const verdict = this.judgement.passes(
      this.direction,
      sent,
      accepted.length === 0 ? false : { anyOf: accepted },
    )
    if (verdict.verdict === 'contained') return harmless
    const witness =
      verdict.verdict === 'not-contained' && typeof verdict.witness === 'string' ? verdict.witness : undefined
    const tried = [...(witness === undefined ? [] : [witness]), ...(areExact ? [] : rounded)]
    const shown = this.#worst(tried.map((text) => () => this.#judgeText(text)))
    if (shown.level === 'breaking') return shown
    const reason =
      verdict.verdict === 'unknown' ? verdict.reason : 'it is not decided which texts are accepted'
    return { level: 'dangerous', evidence: { reason } }
  }

  /** Schemas of texts that the receiver reads as values it accepts. */
  #accepted(areExact: boolean): Json[] {
    const { to } = this
    const { types, schema } = to
    const single = ['', ...scalars(to)].filter((text) => this.#accepts({ const: read(text, types) }))
    const found: Json[] = single.map((text) => ({ const: text }))
    const isNumeric = types.includes('number') || types.includes('integer')
    const all = types.includes('number') ? 'number' : 'integer'
    const acceptsAll = isNumeric && this.#accepts({ type: all })
    const exact = all === 'number' ? number : wholeNumbers(open)
    // A number that a double would round is refused, or read as a string.
    const short = all === 'number' ? shortNumber : shortInteger
    if (acceptsAll) found.push({ pattern: areExact ? exact : short })
    else if (isNumeric)
      for (const range of rangesOf(to))
        if (this.#accepts({ type: 'integer', ...bounds(range) })) found.push({ pattern: wholeNumbers(range) })
    if (!types.includes('string')) return found
    const others: Json[] = []
    if (types.includes('boolean')) others.push({ not: { enum: ['true', 'false'] } })
    // A text such as `1.0` may be read as a whole number. Exclude such texts unless all numbers are accepted.
    if (isNumeric && !acceptsAll) others.push({ not: { pattern: number } })
    return [...found, { allOf: [schema, ...others] }]
  }

  /** Whether the receiver accepts all values of a schema of the sender's document. */
  #accepts(schema: Json): boolean {
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

  /** Whether the sender has a value with this text. */
  #isSent(text: string): boolean {
    const value = { const: read(text, this.from.types) }
    return this.judgement.isContained(`${this.direction} back`, value, this.from.schema)
  }
}

/** Texts without the delimiters of any style. */
const undelimited: JsonObject = { pattern: '^[^,|;.\\s]*$' }

export const splitText: Judged = {
  level: 'dangerous',
  evidence: { reason: 'a text with a delimiter is read as several items' },
}

const scalarTypes: ReadonlySet<string> = new Set(['integer', 'number', 'boolean'])

/** Texts that represent one value each, for the types of a schema. */
function scalars({ types }: Reader): string[] {
  const empty = types.includes('null') && !types.includes('string') ? [''] : []
  return types.includes('boolean') ? ['true', 'false', ...empty] : empty
}

/** Numbers of up to 15 digits, which a double holds exactly. */
const shortInteger = '^-?(0|[1-9][0-9]{0,14})$'
const shortNumber = String.raw`^-?(0|[1-9][0-9]{0,6})(\.[0-9]{1,8})?$`
const open: Range = { from: undefined, to: undefined }

/** The values of a schema that lists them, if each is written as one text. */
function listed(schema: JsonObject): readonly Json[] | undefined {
  const [constant, list] = [own(schema, 'const'), own(schema, 'enum')]
  const values = constant !== undefined ? [constant] : isArray(list) ? list : undefined
  return values?.every((value) => typeof value !== 'object' || value === null) === true ? values : undefined
}

/** Digits that a double would round. */
const rounded = ['9007199254740993']
