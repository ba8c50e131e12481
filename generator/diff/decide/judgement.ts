import { Containment, type Verdict } from '../../contains/containment.js'
import { Judge } from '../../contains/judge.js'
import type { Json, JsonObject } from '../../document/document.js'
import { Undecidable } from '../../patterns/budget.js'
import { type Evidence, type Level, levels } from '../change/change.js'
import { referenced, type Side } from '../change/side.js'
import type { Sameness } from '../same/same.js'
import { arePlainlyApart, type Differing } from './apart.js'
import { extent, obstacle } from './extent.js'
import { Reading } from './reading.js'

export interface Judged {
  readonly level: Level
  readonly evidence: Evidence
}

/** From the version that sends to the one that takes, and back again: what is left out is the same both ways. */
export type Way = Direction | `${Direction} back`
type Direction = 'request' | 'response'

interface Readings {
  readonly from: Reading
  readonly to: Reading
}

/** Of the work on one question, where it is unlikely to lead anywhere. */
const share = 0.004

/** Large schemas that differ in more objects than so many are unlikely to be proven by so little work. */
const differing = 50

/** Decides levels of schema changes by containment: one for a whole comparison. */
export class Judgement {
  // Steps run out within half a second of computing: by the clock alone a busy machine would decide less.
  readonly #containment = new Containment({
    dialect: '2020-12',
    arithmetic: 'decimals',
    budgetMs: 2000,
    // What lint finds wrong with a schema is an obstacle before it comes here.
    judge: new Judge('2020-12', 'decimals', true),
  })
  readonly #known = new WeakMap<object, Map<Json, Map<string, Verdict>>>()

  readonly #ways: { readonly [way in Way]: Readings }

  constructor(
    readonly old: Side,
    readonly new_: Side,
    readonly sameness: Sameness,
  ) {
    const [asked, answered] = ['readOnly', 'writeOnly'] as const
    const request = { from: new Reading(old, asked, false), to: new Reading(new_, asked, false) }
    const [was, is] = [new Reading(old, answered, false), new Reading(new_, answered, false)]
    this.#ways = {
      request,
      'request back': { from: request.to, to: request.from },
      // Who reads answers says nothing of what they never held.
      response: { from: is, to: new Reading(old, answered, true) },
      'response back': { from: was, to: is },
    }
  }

  /**
   * Whether all that one version sends is taken by the other: old requests by the new schema, new answers by the old one.
   * Schemas may be made up; their references lead into the document of their version. What is left out in the direction is
   * not sent, wherever it stands.
   */
  passes(way: Way, sender: Json, receiver: Json): Verdict {
    return this.#answer(way, sender, receiver, true)
  }

  /** Whether `passes` says `contained`, for less where it does not. */
  isContained(way: Way, sender: Json, receiver: Json): boolean {
    return this.#answer(way, sender, receiver, false).verdict === 'contained'
  }

  /** Whether what one version sends by a schema is just what the other takes by one. */
  areOne(direction: Direction, sender: Json, receiver: Json): boolean {
    return (
      this.isContained(direction, sender, receiver) && this.isContained(`${direction} back`, receiver, sender)
    )
  }

  /** How a direction has the schemas of the version that sends, and of the one that takes. */
  readings(direction: Direction): Readings {
    return this.#ways[direction]
  }

  #answer(way: Way, sender: Json, receiver: Json, isWitnessWanted: boolean): Verdict {
    const ask = (): Verdict => this.#asked(this.#ways[way], sender, receiver, isWitnessWanted)
    if (typeof sender !== 'object' || sender === null) return ask()
    const byReceiver = this.#known.get(sender) ?? new Map<Json, Map<string, Verdict>>()
    this.#known.set(sender, byReceiver)
    const known = byReceiver.get(receiver) ?? new Map<string, Verdict>()
    byReceiver.set(receiver, known)
    const unconfirmed = `${way} unconfirmed`
    const before = known.get(way) ?? (isWitnessWanted ? undefined : known.get(unconfirmed))
    const verdict = before ?? ask()
    known.set(isWitnessWanted || verdict.verdict === 'contained' ? way : unconfirmed, verdict)
    return verdict
  }

  /** Whether the version that takes values has none that one of some schemas, `from`, takes together with another. */
  areApart(direction: Direction, schemas: readonly Json[], from: ReadonlyMap<number, Differing>): boolean {
    const ways = this.#ways[direction]
    if (arePlainlyApart([ways.from.side, ways.to.side], schemas, from)) return true
    const [any, one] = [{ anyOf: schemas }, { oneOf: schemas }]
    return this.#asked({ ...ways, from: ways.to }, any, one, false).verdict === 'contained'
  }

  /** Whether a reference leads to the same in both versions. */
  readonly #isSame = (reference: string): boolean =>
    [this.old, this.new_].every((side) => referenced(side, reference) !== undefined) &&
    this.sameness.of({ $ref: reference }, { $ref: reference })

  #asked({ from, to }: Readings, sender: Json, receiver: Json, isWitnessWanted: boolean): Verdict {
    const reason = obstacle(from.side, sender, extent) ?? obstacle(to.side, receiver, extent)
    const isNear = ({ side }: Reading, schema: Json): boolean =>
      obstacle(side, schema, differing, this.#isSame) === undefined
    if (reason !== undefined && !(isNear(from, sender) && isNear(to, receiver)))
      return { verdict: 'unknown', reason }
    const [a, b] = [[from.root, from.of(sender)] as const, [to.root, to.of(receiver)] as const]
    return this.#decided(a, b, { reason, isWitnessWanted })
  }

  /** Whether all that one schema takes is taken by another; each is a document of its own. */
  decide(sender: JsonObject, receiver: JsonObject): Verdict {
    return this.#decided([sender, { ...sender }], [receiver, { ...receiver }])
  }

  /** Whether a schema, which is a document of its own, takes a value. */
  accepts(schema: JsonObject, value: Json): boolean {
    const accepts = this.#containment.accepts(this.#containment.subject(schema, ''))
    return typeof accepts === 'function' && accepts(value)
  }

  /**
   * `reason`: why only a short proof is looked for. What is the same in both versions is one formula, which a proof need not
   * read.
   */
  #decided(
    [from, sender]: readonly [Json, Json],
    [to, receiver]: readonly [Json, Json],
    { reason, isWitnessWanted = true }: Manner = {},
  ): Verdict {
    try {
      const a = this.#containment.subject(from, sender)
      const b = this.#containment.subject(to, receiver)
      if (reason === undefined && isWitnessWanted) return this.#containment.decide(a, b)
      const isProven =
        reason === undefined ? this.#containment.isContained(a, b) : this.#containment.isProven(a, b, share)
      return isProven
        ? { verdict: 'contained' }
        : { verdict: 'unknown', reason: reason ?? 'nothing is proven' }
    } catch (error) {
      // A pattern that is no regular expression is the document's fault, and makes this place undecidable alone.
      if (!(error instanceof SyntaxError || error instanceof Undecidable)) throw error
      return { verdict: 'unknown', reason: error.message }
    }
  }
}

interface Manner {
  readonly reason?: string | undefined
  readonly isWitnessWanted?: boolean
}

/** What a proof gives. */
export const harmless: Judged = { level: 'compatible', evidence: {} }

export function isBad({ level }: Pick<Judged, 'level'>): boolean {
  return level === 'breaking' || level === 'dangerous'
}

/** The level that a verdict gives to a change. */
export function judge(verdict: Verdict): Judged {
  if (verdict.verdict === 'contained') return harmless
  if (verdict.verdict === 'unknown') return { level: 'dangerous', evidence: { reason: verdict.reason } }
  return { level: 'breaking', evidence: { witness: verdict.witness } }
}

/** The worse of two, the first where they are as bad. */
export function worse(one: Judged, other: Judged): Judged {
  return levels.indexOf(other.level) < levels.indexOf(one.level) ? other : one
}
