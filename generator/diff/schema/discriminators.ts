import { objectOf } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isObject, own } from '../../document/json.js'
import { choices, strictestFirst } from '../../document/vocabulary.js'
import type { Discrimination } from '../../schema/discriminator.js'
import { asObject } from '../change/side.js'
import type { SchemaAction } from '../change/table/schema-actions.js'
import { harmless, isBad, type Judged, worse } from '../decide/judgement.js'
import { discriminated, withTag } from '../decide/plain-schema.js'
import { crossedValues, discriminationBy } from '../same/discrimination.js'
import type { Sameness } from '../same/same.js'
import { listOf, namesOf, pick } from '../same/within.js'
import { matchBranches } from './branches.js'
import { inheritedMeanings } from './inherited.js'
import { type KeywordChange, simple } from './keywords.js'
import type { Difference, SchemaWalk } from './schema-walk.js'

/** Changes in how the discriminator's value selects a branch. */
export function discriminatorChanges(walk: SchemaWalk, a: JsonObject, b: JsonObject): Difference[] {
  if (!Object.hasOwn(a, 'discriminator') && !Object.hasOwn(b, 'discriminator')) return []
  const [before, after] = [discriminationBy(walk.old, a), discriminationBy(walk.new_, b)]
  const written = writtenChanges(a, b, walk.sameness)
  const crossed = crossedValues(walk.new_, b)
  if (before === undefined && after === undefined) return namesOnly(walk, written)
  if (before === undefined || after === undefined || before.property !== after.property) {
    const whole = wholeButBranches(walk, [a, before], [b, after])
    const judged = crossed.size > 0 ? worse(whole, ofCrossed) : whole
    const one = asOneChange(written)
    if (one !== undefined) return [{ ...one, judged }]
    return judged.level === 'compatible' ? [] : [{ ...change('mapping-changed'), judged }]
  }
  const comparison = new BranchComparison(walk, before, after)
  const judged = written.map((change) => {
    const { value } = change
    const judged = value === undefined ? comparison.rest() : comparison.value(value)
    return { ...change, judged: crossed.has(value ?? null) ? worse(judged, ofCrossed) : judged }
  })
  const known = new Set(written.map(({ value }) => value))
  const others = judged.filter(({ value }) => value === undefined || !comparison.isOfBranch(value))
  return [...inOne(others), ...comparison.unwritten().filter(({ value }) => !known.has(value))]
}

const ofCrossed: Judged = {
  level: 'dangerous',
  evidence: { reason: 'the mapping names another branch than the one that has the value' },
}

/** If no discriminator selects branches, only the names of children may have changed. */
function namesOnly(walk: SchemaWalk, written: readonly Written[]): Difference[] {
  const meanings = inheritedMeanings(walk)
  if (meanings === undefined) return [...written]
  const judged = written.map((change): Difference => {
    const { value } = change
    const judged = value === undefined ? meanings.whole() : meanings.value(value)
    return { ...change, judged, inherited: 'written' }
  })
  const known = new Set(written.map(({ value }) => value))
  return [...judged, ...meanings.unwritten().filter(({ value }) => !known.has(value))]
}

/** One change for all values that other branches take: swapped branches are one edit. */
function inOne(changes: readonly Difference[]): readonly Difference[] {
  const isMoved = ({ action }: Difference): boolean => action === 'discriminator-mapping-changed'
  const moved = changes.filter(isMoved)
  if (moved.length < 2) return changes
  const judged = moved.map((one) => one.judged ?? harmless).reduce(worse)
  return [
    ...changes.filter((one) => !isMoved(one)),
    { ...change('mapping-changed'), ...sidesOf(moved), judged },
  ]
}

type Written = KeywordChange & {
  /** The discriminator's value, if one mapping entry differs. */
  readonly value?: Json
}

const renamed = 'discriminator-property-name-changed'
const mapped = [
  'discriminator-mapping-added',
  'discriminator-mapping-deleted',
  'discriminator-mapping-changed',
] as const
const mappedByDefault = [
  'discriminator-default-mapping-added',
  'discriminator-default-mapping-removed',
  'discriminator-default-mapping-changed',
] as const

/** Changes in the text of the two discriminators. */
function writtenChanges(a: JsonObject, b: JsonObject, sameness: Sameness): Written[] {
  const [whole] = simple(a, b, 'discriminator', ['discriminator-added', 'discriminator-removed', renamed])
  if (whole === undefined) return []
  if (!isObject(whole.old) || !isObject(whole.new)) return [{ ...whole, unseen: true }]
  const name = simple(whole.old, whole.new, 'propertyName', [renamed, renamed, renamed])
  const isOne = (one: Json = null, other: Json = null): boolean => sameness.ofTargets(one, other)
  const fallback = isOne(own(whole.old, 'defaultMapping'), own(whole.new, 'defaultMapping'))
    ? []
    : simple(whole.old, whole.new, 'defaultMapping', mappedByDefault)
  const [old, fresh] = [asObject(own(whole.old, 'mapping')), asObject(own(whole.new, 'mapping'))]
  const entries = namesOf(old, fresh)
    .filter((key) => !isOne(own(old, key), own(fresh, key)))
    .flatMap((key) =>
      simple(old, fresh, key, mapped).map((change) => ({
        ...change,
        value: key,
        old: change.old === undefined ? undefined : [key, change.old],
        new: change.new === undefined ? undefined : [key, change.new],
      })),
    )
  return [...name, ...fallback, ...entries].map((found) => ({
    ...found,
    keywords: ['discriminator'],
    unseen: true as const,
  }))
}

/** One change for all, if mapping entries cannot be judged separately: the new property, or the mapping as a whole. */
function asOneChange(written: readonly Written[]): Written | undefined {
  const [first, ...others] = written
  if (first === undefined || others.length === 0 || first.value === undefined) return first
  return { ...change('mapping-changed'), ...sidesOf(written) }
}

/** The mapping entries of all changes, as one value for each side. */
function sidesOf(changes: readonly Difference[]): { readonly old: Json; readonly new: Json } {
  const entries = (side: 'old' | 'new'): Json[] => changes.flatMap((one) => one[side] ?? [])
  return { old: entries('old'), new: entries('new') }
}

function change(how: DiscriminatorEvent): KeywordChange {
  return { action: `discriminator-${how}`, keywords: ['discriminator'], unseen: true }
}

type DiscriminatorEvent = SchemaAction extends infer Action
  ? Action extends `discriminator-${infer End}`
    ? End
    : never
  : never

/**
 * Judges both schemas as validators read them. What only branches break that one version does not have, their own lines
 * say.
 */
function wholeButBranches(
  walk: SchemaWalk,
  [a, before]: readonly [JsonObject, Discrimination | undefined],
  [b, after]: readonly [JsonObject, Discrimination | undefined],
): Judged {
  const judged = whole(walk, before, after)
  if (!isBad(judged)) return judged
  const [olds, news] = [a, b].map((schema) => choices.flatMap((keyword) => listOf(schema, keyword)))
  const { removed, added } = matchBranches(walk, olds ?? [], news ?? [])
  const sender = asObject(walk.sender)
  const sent = choices.flatMap((keyword) => listOf(sender, keyword))
  const others = (walk.isRequest ? removed : added).flatMap((index) => sent[index] ?? [])
  if (others.length === 0 || others.length === sent.length) return judged
  const [from, to] = walk.isRequest ? [before, after] : [after, before]
  const shared = { allOf: [withTag(asSent(sender, from), from), { not: { anyOf: others } }] }
  return isBad(walk.passes(shared, asSent(receiverOf(walk), to))) ? judged : harmless
}

function asSent(schema: JsonObject, discrimination: Discrimination | undefined): JsonObject {
  return discrimination === undefined ? schema : discriminated(schema, discrimination)
}

/** Judges both schemas as validators read them. */
function whole(walk: SchemaWalk, ...both: (Discrimination | undefined)[]): Judged {
  const [from, to] = walk.isRequest ? both : both.reverse()
  const [sender, branches] = [asObject(walk.sender), receiverOf(walk)]
  return walk.passes(withTag(asSent(sender, from), from), asSent(branches, to))
}

/**
 * Judges a branch that only one version has, where a discriminator selects branches. The discriminator reports the
 * values that another branch takes over.
 */
export function judgeChosen(
  walk: SchemaWalk,
  both: readonly [Discrimination, Discrimination],
  branch: Json,
  isSent: boolean,
): Judged {
  const [from, to] = walk.isRequest ? both : [both[1], both[0]]
  const discrimination = isSent ? from : to
  const index = discrimination.branches.findIndex(({ schema }) => schema === branch)
  const isOfRest = index !== -1 && [discrimination.absent, discrimination.other].includes(index)
  if (!isSent) return isOfRest ? whole(walk, ...both) : harmless
  const selecting: readonly (JsonObject | undefined)[] = [
    { enum: from.branches[index]?.values ?? [] },
    ...(from.other === index ? [{ not: { enum: valuesOf(from) } }] : []),
    ...(from.absent === index ? [undefined] : []),
  ]
  // A branch that the discriminator does not select is null.
  const sent = index === -1 ? [branch] : selecting.map((values) => sentBy(from, index, values))
  return walk.passes(besides(walk, from, { anyOf: sent }), discriminated(receiverOf(walk), to))
}

/** Compares the branch that the sender's discriminator selects with the one that the receiver's selects. */
class BranchComparison {
  readonly #from: Discrimination
  readonly #to: Discrimination
  readonly #pairs: ReadonlySet<string>
  readonly #removed: ReadonlySet<number>
  readonly #added: ReadonlySet<number>

  constructor(
    readonly walk: SchemaWalk,
    readonly before: Discrimination,
    readonly after: Discrimination,
  ) {
    const [from, to] = walk.isRequest ? [before, after] : [after, before]
    this.#from = from
    this.#to = to
    const [olds, news] = [schemasOf(before), schemasOf(after)]
    const { pairs, removed, added } = matchBranches(walk, olds, news)
    this.#removed = new Set(removed)
    this.#added = new Set(added)
    this.#pairs = new Set(
      pairs.map(([one, other]) => (walk.isRequest ? `${one} ${other}` : `${other} ${one}`)),
    )
  }

  /** Judges objects with one value of the discriminator. */
  value(value: Json): Judged {
    return this.#judged(routeOf(this.#from, value), routeOf(this.#to, value), { enum: [value] })
  }

  /** Whether a value leads to a branch that only one version has. The line of the branch then says all. */
  isOfBranch(value: Json): boolean {
    const [one, other] = [indexOf(this.before, value), indexOf(this.after, value)]
    if (one !== undefined && other !== undefined) return false
    const [index, only, side] =
      one === undefined ? [other, this.#added, this.after] : [one, this.#removed, this.before]
    if (index === undefined || !only.has(index)) return false
    const { walk } = this
    const isSent = (one !== undefined) === walk.isRequest
    const branch = schemasOf(side)[index] ?? true
    const judged = judgeChosen(walk, [this.before, this.after], branch, isSent)
    return !isBad(this.value(value)) || isBad(judged)
  }

  /** Judges objects whose value has no branch, and objects without the property. */
  rest(): Judged {
    const [from, to] = [this.#from, this.#to]
    const values = [...valuesOf(from), ...valuesOf(to)]
    const others = this.#judged(from.other, to.other, { not: { enum: values } })
    const named = valuesOf(to).filter((value) => indexOf(from, value) === undefined)
    const taken = named.map((value) => this.value(value))
    return [...taken, this.#judged(from.absent, to.absent, undefined)].reduce(worse, others)
  }

  /** Values that select another branch although their mapping did not change. Schema names imply such values. */
  unwritten(): Written[] {
    const { isRequest } = this.walk
    const values = new Map(
      [...valuesOf(this.#from), ...valuesOf(this.#to)].map((value) => [JSON.stringify(value), value]),
    )
    return [...values.values()].flatMap((value): (Written & Difference)[] => {
      const [from, to] = [indexOf(this.#from, value), indexOf(this.#to, value)]
      if (from !== undefined && to !== undefined && this.#areOne(from, to)) return []
      // The branches report the values that they refuse themselves.
      if (!(from !== undefined ? this.#isAcceptedBySome(value, from) : this.#isKnownToSome(value, to)))
        return []
      const [one, other] = isRequest ? [from, to] : [to, from]
      const how = one === undefined ? 'added' : other === undefined ? 'deleted' : 'changed'
      return [
        { ...change(`mapping-${how}`), value, ...shownAs(value, one, other), judged: this.value(value) },
      ]
    })
  }

  #isAcceptedBySome(value: Json, from: number): boolean {
    const sent = sentBy(this.#from, from, { enum: [value] })
    return this.walk.passes(sent, { anyOf: schemasOf(this.#to) }).level === 'compatible'
  }

  #isKnownToSome(value: Json, to: number | undefined): boolean {
    if (to === undefined) return false
    const { judgement, traits } = this.walk
    const sent = sentBy(this.#to, to, { enum: [value] })
    const { verdict } = judgement.passes(`${traits.direction} back`, sent, { anyOf: schemasOf(this.#from) })
    return verdict === 'contained'
  }

  #areOne(from: number, to: number): boolean {
    if (this.#pairs.has(`${from} ${to}`)) return true
    const [sent, taken] = [schemasOf(this.#from)[from], schemasOf(this.#to)[to]]
    if (sent === undefined || taken === undefined) return false
    const { isRequest, sameness } = this.walk
    return isRequest ? sameness.of(sent, taken) : sameness.of(taken, sent)
  }

  /** `values`: the schema of the property. Undefined for objects without it. */
  #judged(from: number | undefined, to: number | undefined, values: JsonObject | undefined): Judged {
    if (from === undefined || (to !== undefined && this.#areOne(from, to))) return harmless
    const sent = besides(this.walk, this.#from, sentBy(this.#from, from, values))
    const taken = to === undefined ? { not: {} } : { allOf: [schemasOf(this.#to)[to] ?? true] }
    return this.walk.passes(sent, taken)
  }
}

/** The receiver's branches. */
function receiverOf(walk: SchemaWalk): JsonObject {
  return pick(asObject(walk.receiver), strictestFirst)
}

/** The sender's schema with other branches. */
function besides(walk: SchemaWalk, { keyword }: Discrimination, branches: JsonObject): JsonObject {
  const { [keyword]: _, allOf, ...rest } = asObject(walk.sender)
  return { ...rest, allOf: [...(Array.isArray(allOf) ? allOf : []), branches] }
}

function sentBy(discrimination: Discrimination, index: number, values: JsonObject | undefined): JsonObject {
  const { property } = discrimination
  const required = { required: [property] }
  return {
    allOf: [schemasOf(discrimination)[index] ?? true],
    type: 'object',
    ...(values === undefined
      ? { not: required }
      : { ...required, properties: objectOf([[property, values]]) }),
  }
}

function shownAs(
  value: Json,
  one: number | undefined,
  other: number | undefined,
): Pick<Written, 'old' | 'new'> {
  return { ...(one !== undefined && { old: value }), ...(other !== undefined && { new: value }) }
}

function schemasOf({ branches }: Discrimination): readonly Json[] {
  return branches.map(({ schema }) => schema)
}

function valuesOf({ branches }: Discrimination): readonly Json[] {
  return branches.flatMap(({ values }) => values)
}

/** The branch of a discriminator value. Values are scalars. */
function indexOf({ branches }: Discrimination, value: Json): number | undefined {
  const index = branches.findIndex(({ values }) => values.includes(value))
  return index === -1 ? undefined : index
}

function routeOf(discrimination: Discrimination, value: Json): number | undefined {
  return indexOf(discrimination, value) ?? discrimination.other
}
