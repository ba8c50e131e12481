import type { Protocol } from 'duet-runtime'
import type { Json, JsonObject } from '../../document/document.js'
import { isObject } from '../../document/json.js'
import { fingerprint } from '../../schema/canonical.js'
import type { Change, Comparison, Proof } from '../change/change.js'
import { put } from '../change/place.js'
import { protocols as allProtocols, namesOf, servedProtocols } from '../change/protocol.js'
import type { Side } from '../change/side.js'
import { conclusionOf } from '../change/verdict.js'
import { Alone } from './alone.js'
import { type Attempt, Attempts } from './attempts.js'
import { answer, answerUndeclared } from './calls/answers.js'
import { keywordsOf } from './calls/attribution.js'
import { call, type NewResponse, type Shown } from './calls/calls.js'
import type { Pair } from './calls/pair.js'
import type { Showing } from './calls/shown-by.js'
import { Candidates } from './candidates.js'
import { Emptiness } from './instances/emptiness.js'
import { Instances, type Whole } from './instances/instances.js'
import { minimised } from './instances/minimise.js'
import { limitOf } from './limit.js'
import { type Part, parted, raised } from './raise.js'
import { inTurn, unsearched } from './turns.js'
import { unproven, verified } from './verified.js'

export interface ProveOptions {
  /**
   * Milliseconds of CPU time for all proofs. What is not found in that time is omitted. Default: a number of tries and
   * search steps that takes a few seconds at most. The same documents then get the same proofs on every machine.
   */
  readonly timeMs?: number | undefined
}

/**
 * The comparison with a proof of each breaking or dangerous change that a request or response can show. A proof counts
 * because both versions were run on it: generated validators, the runtime's routers and binders. An undecided change
 * that a call shows to break becomes breaking, and verdict and bump follow.
 */
export async function prove(
  comparison: Comparison,
  old: Side,
  fresh: Side,
  { timeMs }: ProveOptions = {},
): Promise<Comparison> {
  const prover = new Prover(comparison, old, fresh, timeMs !== undefined)
  const limit = limitOf(prover, timeMs)
  const proofs = new Map<Change, readonly Part[]>()
  const waiting = new Set(comparison.changes)
  // A dangerous change that a call shows to break becomes breaking, so up to half of the search goes to changes whose
  // level depends on it.
  for (const [level, share] of [
    ['dangerous', 0.5],
    ['breaking', 1],
    ['dangerous', 1],
  ] as const)
    for (const { change, first } of inTurn(comparison.changes.filter((one) => one.level === level))) {
      if (!waiting.has(change)) continue
      const { protocols } = change
      const search = prover.searchFor(change)
      const over = search && limit(share)
      if (over === undefined) waiting.delete(change)
      if (search === undefined) proofs.set(change, [{ protocols, proof: notApplicable }])
      else if (over === undefined) proofs.set(change, await search())
      else proofs.set(change, [{ protocols, proof: unsearched(first, proofs.get(first), over) }])
    }
  const emptiness = new Emptiness(old, fresh, prover.instances)
  const changes = comparison.changes.flatMap((change) =>
    parted(change, proofs.get(change)).map((part) => emptiness.told(raised(part))),
  )
  const served = servedProtocols(old, fresh)
  return { ...comparison, ...conclusionOf(comparison.old.version, comparison.new.version, changes, served) }
}

const notApplicable: Proof = { status: 'not-applicable' }

class Prover {
  /** The number of values sent so far. */
  #sent = 0
  readonly instances: Instances
  readonly #attempts: Attempts
  readonly #alone: Alone
  /** The values that showed a change, by receiver and by the path of the change. */
  readonly #found = new Map<string, { readonly value: Json; readonly shown: Shown }>()
  readonly #candidates: Candidates

  /** The number of values searched for and sent so far. */
  get tries(): number {
    return this.#sent + this.#candidates.tries
  }

  /** The steps of searches for values so far. */
  get steps(): number {
    return this.instances.steps
  }

  constructor(
    comparison: Comparison,
    readonly old: Side,
    readonly fresh: Side,
    isPatient: boolean,
  ) {
    // A successful search usually needs a hundredth of its share.
    this.instances = new Instances(isPatient ? 0.25 : 0.06)
    this.#alone = new Alone(this.instances, old, fresh)
    this.#candidates = new Candidates(this.instances, this.#alone, old, fresh)
    this.#attempts = new Attempts(comparison, old, fresh)
  }

  /** Returns a search for the proof of a change. Undefined if there can be no proof. */
  searchFor(change: Change): (() => Promise<readonly Part[]>) | undefined {
    if (!this.#attempts.has(change)) return undefined
    return async () => this.#said(change, this.#attempts.of(change) ?? [])
  }

  async #said(change: Change, attempts: readonly Attempt[] | string): Promise<readonly Part[]> {
    if (typeof attempts !== 'string') return this.#parts(change, attempts)
    return [{ protocols: change.protocols, proof: unproven(attempts) }]
  }

  /** One proof, and another for the protocols that the first does not show. */
  async #parts(change: Change, attempts: readonly Attempt[]): Promise<readonly Part[]> {
    const { protocols } = change
    const proof = await this.#best(change, attempts)
    const missing = protocols.filter(
      (protocol) => proof.status === 'verified' && proof[protocol] === undefined,
    )
    // A message is the same whichever protocol its receiver uses for calls.
    const isMessage = change.evidence?.sent?.method !== undefined
    if (missing.length === 0 || isMessage) return [{ protocols, proof }]
    const shown = protocols.filter((protocol) => !missing.includes(protocol))
    const left = { ...change, protocols: missing }
    const possible = this.#attempts.of(left)
    const other =
      typeof possible !== 'object'
        ? unproven(`shown over ${namesOf(shown)} alone`)
        : await this.#best(left, possible)
    return [
      { protocols: shown, proof },
      { protocols: missing, proof: other },
    ]
  }

  /**
   * The first proof that shows a change over all of its protocols. Otherwise the first of those that cover the most.
   */
  async #best(change: Change, attempts: readonly Attempt[]): Promise<Proof> {
    let best: Proof | undefined
    this.#candidates.start()
    for (const { change: tried, showing } of attempts) {
      const found = await this.#proofOf(tried, showing)
      const isElsewhere = tried.operation !== null && tried.operation !== change.operation
      const proof =
        found.status === 'verified' && isElsewhere ? { ...found, operation: tried.operation } : found
      if (best === undefined || shownOver(proof) > shownOver(best)) best = proof
      if (shownOver(best) === change.protocols.length) break
    }
    return best ?? notApplicable
  }

  async #proofOf(change: Change, showing: Showing): Promise<Proof> {
    try {
      return await this.#search(change, showing)
    } catch (error) {
      return unproven(`the call fails: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  async #search(change: Change, showing: Showing): Promise<Proof> {
    const test = async (value: Json): Promise<Shown> => {
      this.#sent += 1
      if (isOfDefault(change, showing, value)) return { rejects: '', violations: 0, reasons: [notAlone] }
      const shown = await show(change, showing, value, (taker) => this.#newAnswer(showing.pair, taker))
      const isDue =
        count(shown) === 0 || showing.isAlone !== true || this.#alone.causes(change, showing, value)
      if (!isDue) this.#candidates.refuse()
      return isDue ? shown : { rejects: '', violations: 0, reasons: [notAlone] }
    }
    const alike = this.#alike(change, showing)
    if (alike !== undefined) {
      const shown = await test(alike.value)
      if (count(shown) === change.protocols.length && shown.violations <= alike.violations)
        return verified(change, alike.value, shown)
    }
    let best: { readonly value: Json; readonly shown: Shown } | undefined
    let reasons: readonly string[] = []
    let isReadOtherwise = false
    let isOfWitness = false
    for (const value of this.#candidates.of(change, showing)) {
      const shown = await test(value)
      // The most informative reason: that of a value that arrives as another one, else that of the witness.
      const isExact: boolean = !isReadOtherwise && !isOfWitness && holdsWitness(change, showing, value)
      isOfWitness ||= isExact
      if (reasons.length === 0 || isExact || (shown.isReadOtherwise && !isReadOtherwise))
        reasons = shown.reasons
      isReadOtherwise ||= shown.isReadOtherwise === true
      if (count(shown) > (best === undefined ? 0 : count(best.shown))) best = { value, shown }
      if (best !== undefined && count(best.shown) === change.protocols.length) break
    }
    if (best === undefined) {
      const { remark } = showing
      const stated = reasons.length > 0 && remark !== undefined ? [...reasons, remark] : reasons
      return unproven(stated.join('; ') || this.#nothingFound(change, showing))
    }
    const wanted = best.shown
    const holds = async (less: Json): Promise<boolean> => {
      if (!(await isLikely(change, showing, less))) return false
      const shown = await test(less)
      return count(shown) >= count(wanted) && shown.violations <= wanted.violations
    }
    const value = await minimised(best.value, holds, showing.isAnyCall)
    const shown = await test(value)
    this.#found.set(placeOf(change, showing), { value, shown })
    return verified(change, value, shown)
  }

  /** The least value that showed another change at the same path, with this change's witness in it. */
  #alike(
    { evidence = {}, ...change }: Change,
    showing: Showing,
  ): { value: Json; violations: number } | undefined {
    const { witness, at } = evidence
    const known = this.#found.get(placeOf(change, showing))
    const isScalar = witness !== undefined && (witness === null || typeof witness !== 'object')
    if (known === undefined || !isScalar || at !== undefined) return undefined
    const value = put(known.value, showing.way, witness)
    // A body that the service does not read is not part of its params.
    const isWhole = value !== undefined && (change.direction === 'response' || isObject(value))
    return isWhole ? { value, violations: known.shown.violations } : undefined
  }

  #nothingFound({ direction }: Change, { pair }: Showing): string {
    const { old, new: fresh, before, after } = pair
    const isRequest = direction !== 'response'
    const [what, version] = isRequest ? ['call', 'old'] : ['result', 'new']
    const accepting: Whole = isRequest
      ? { model: old.model, schema: before.params, leftOut: 'readOnly' }
      : { model: fresh.model, schema: after.result, leftOut: 'writeOnly' }
    return this.instances.find(accepting, [], undefined, 1)?.length === 0
      ? `no valid ${what} of the ${version} version was found`
      : `no whole ${what} of the ${version} version was found that holds the witness`
  }

  /** If another operation takes a call, that breaks only with a response that the old version never gives. */
  #newAnswer({ old, new: fresh, before }: Pair, name: string): Json | undefined {
    const taker = fresh.operation(name)
    if (taker === undefined) return undefined
    const given: Whole = { model: fresh.model, schema: taker.result, leftOut: 'writeOnly' }
    const known: Whole = { model: old.model, schema: before.result, leftOut: 'writeOnly' }
    return this.instances.find(given, [], known, 1)?.[0]
  }
}

const notAlone = 'what is refused is refused for another change of the schema around as well'

function placeOf({ direction }: Pick<Change, 'direction'>, { pair, way }: Showing): string {
  return JSON.stringify([direction, pair.before.name, way])
}

function show(
  { direction, protocols }: Change,
  showing: Showing,
  value: Json,
  newAnswer: NewResponse,
): Promise<Shown> {
  const { pair, cause, sent, streaming, arrival, undeclared, type } = showing
  if (undeclared !== undefined) return answerUndeclared(pair, value, undeclared, type)
  if (direction === 'response') return answer(pair, value, protocols, cause, sent, streaming)
  if (!isObject(value)) throw new TypeError('params are an object')
  return call(pair, value, protocols, cause, arrival, newAnswer)
}

/** Whether a value has the witness of a change at its path. */
function holdsWitness({ evidence: { witness } = {} }: Change, { way }: Showing, value: Json): boolean {
  const found = witness === undefined ? undefined : put(value, way, witness)
  return found !== undefined && fingerprint(found) === fingerprint(value)
}

/** Whether a request sends no value at the changed schema, so that the new version refuses a default. */
function isOfDefault(change: Change, { way }: Showing, value: Json): boolean {
  if (change.direction === 'response' || keywordsOf(change)?.includes('required') !== false) return false
  return !way.some((name) => name === '-' || name === '*') && put(value, way, null) === undefined
}

/** Whether validators disagree on a response. Only then it is sent. */
async function isLikely({ direction }: Change, { pair, undeclared }: Showing, value: Json): Promise<boolean> {
  const { old, new: fresh, before, after } = pair
  if (direction !== 'response' || undeclared !== undefined) return true
  return (await fresh.service()).takes(after, value) && !(await old.service()).takes(before, value)
}

function shownOver(proof: Proof): number {
  return proof.status === 'verified' ? count(proof) : 0
}

function count(shown: { readonly [protocol in Protocol]?: JsonObject }): number {
  return allProtocols.filter((protocol) => shown[protocol] !== undefined).length
}
