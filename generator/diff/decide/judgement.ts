import { Containment } from '../../contains/containment.js'
import type { Verdict } from '../../contains/verdict.js'
import type { Json, JsonObject } from '../../document/document.js'
import { Undecidable } from '../../patterns/budget.js'
import type { Evidence } from '../change/change.js'
import { type Level, levels } from '../change/level.js'
import { referenced, type Side } from '../change/side.js'
import type { Sameness } from '../same/same.js'
import { arePlainlyApart, type Differing } from './apart.js'
import { mostObjects, obstacle } from './obstacle.js'
import { Reading } from './reading.js'

export interface Judged {
  readonly level: Level
  readonly evidence: Evidence
}

/** From the sending version to the receiving one, or back. Both omit the same properties. */
export type Way = Direction | `${Direction} back`
type Direction = 'request' | 'response'

interface Readings {
  readonly from: Reading
  readonly to: Reading
}

/** The share of the work for a question that is unlikely to be answered. */
const share = 0.004

/** Larger schemas that differ in more objects are unlikely to be proven with that share. */
const differing = 50

/** Decides about schemas of two versions. */
export function containmentOfVersions(): Containment {
  // A count of steps, about half a second of work, is the usual limit. With a time limit alone, a busy machine would
  // decide less.
  return new Containment({
    dialect: '2020-12',
    arithmetic: 'decimals',
    budgetMs: 2000,
    // Schemas that lint refuses do not get here: they are obstacles.
    isChecked: true,
  })
}

/** Decides the levels of schema changes by containment. There is one for each comparison. */
export class Judgement {
  readonly #containment = containmentOfVersions()
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
      // Clients say nothing about properties that responses never had.
      response: { from: is, to: new Reading(old, answered, true) },
      'response back': { from: was, to: is },
    }
  }

  /**
   * Whether one version accepts everything that the other sends: old requests by the new schema, new responses by the
   * old one. Schemas may be constructed. Their references lead into their version's document. What is left out in the
   * direction is not sent, at any depth.
   */
  passes(way: Way, sender: Json, receiver: Json): Verdict {
    return this.#answer(way, sender, receiver, true)
  }

  /** Whether `passes` returns `contained`. Cheaper if it does not. */
  isContained(way: Way, sender: Json, receiver: Json): boolean {
    return this.#answer(way, sender, receiver, false).verdict === 'contained'
  }

  /** Whether two schemas describe the same values, as the sender sends and the receiver accepts them. */
  areOne(direction: Direction, sender: Json, receiver: Json): boolean {
    return (
      this.isContained(direction, sender, receiver) && this.isContained(`${direction} back`, receiver, sender)
    )
  }

  /** How a direction reads the schemas of the sender and the receiver. */
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

  /** Whether no value of the receiver matches both a changed branch (`from`) and another one. */
  areApart(direction: Direction, schemas: readonly Json[], from: ReadonlyMap<number, Differing>): boolean {
    const ways = this.#ways[direction]
    if (arePlainlyApart([ways.from.side, ways.to.side], schemas, from)) return true
    const [any, one] = [{ anyOf: schemas }, { oneOf: schemas }]
    return this.#asked({ ...ways, from: ways.to }, any, one, false).verdict === 'contained'
  }

  /** Whether a reference leads to the same schema in both versions. */
  readonly #isSame = (reference: string): boolean =>
    [this.old, this.new_].every((side) => referenced(side, reference) !== undefined) &&
    this.sameness.of({ $ref: reference }, { $ref: reference })

  #asked({ from, to }: Readings, sender: Json, receiver: Json, isWitnessWanted: boolean): Verdict {
    const numbers = new Map<number, string>()
    const reason =
      obstacle(from.side, sender, mostObjects, undefined, numbers) ??
      obstacle(to.side, receiver, mostObjects, undefined, numbers)
    numbers.clear()
    const isNear = ({ side }: Reading, schema: Json): boolean =>
      obstacle(side, schema, differing, this.#isSame, numbers) === undefined
    if (reason !== undefined && !(isNear(from, sender) && isNear(to, receiver)))
      return { verdict: 'unknown', reason }
    const [a, b] = [[from.root, from.of(sender)] as const, [to.root, to.of(receiver)] as const]
    return this.#decided(a, b, { reason, isWitnessWanted })
  }

  /** Whether one schema accepts everything that another does. Each is a document of its own. */
  decide(sender: JsonObject, receiver: JsonObject): Verdict {
    return this.#decided([sender, { ...sender }], [receiver, { ...receiver }])
  }

  /** Whether a schema that is a document of its own accepts a value. */
  accepts(schema: JsonObject, value: Json): boolean {
    const accepts = this.#containment.accepts(this.#containment.subject(schema, ''))
    return typeof accepts === 'function' && accepts(value)
  }

  /**
   * `reason`: why only a short proof is tried. A schema that is the same in both versions is one formula, which a proof
   * need not read.
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
      if (!isUndecidable(error)) throw error
      return { verdict: 'unknown', reason: error.message }
    }
  }
}

/** An invalid pattern is the document's fault. It only makes its schema undecidable. */
export function isUndecidable(error: unknown): error is Error {
  return error instanceof SyntaxError || error instanceof Undecidable
}

interface Manner {
  readonly reason?: string | undefined
  readonly isWitnessWanted?: boolean
}

/** The result of a proof. */
export const harmless: Judged = { level: 'compatible', evidence: {} }

export function isBad({ level }: Pick<Judged, 'level'>): boolean {
  return level === 'breaking' || level === 'dangerous'
}

/** The level that a verdict gives a change. */
export function judge(verdict: Verdict): Judged {
  if (verdict.verdict === 'contained') return harmless
  if (verdict.verdict === 'unknown') return { level: 'dangerous', evidence: { reason: verdict.reason } }
  return { level: 'breaking', evidence: { witness: verdict.witness } }
}

/** The worse of two. The first if they are equally bad. */
export function worse(one: Judged, other: Judged): Judged {
  return levels.indexOf(other.level) < levels.indexOf(one.level) ? other : one
}
