import { canonical } from '../../contains/value.js'
import type { Json } from '../../load/document.js'
import { isObject } from '../../load/json.js'
import type { Change, Comparison, Proof } from '../change.js'
import type { Side } from '../side.js'
import { concluded } from '../verdict.js'
import { answer, call, type Pair, type Shown } from './calls.js'
import { Instances, type Whole } from './instances.js'
import { minimised } from './minimise.js'
import { raised } from './raise.js'
import { carried, type Showing, showingOf } from './showing.js'
import { Version } from './version.js'

export interface ProveOptions {
  /**
   * Milliseconds of computing for all proofs; what is not found by then is left out. Default: a number of tries, and of steps
   * of searches, that takes a few seconds at most, so that the same documents get the same proofs on every machine.
   */
  readonly timeMs?: number | undefined
}

/**
 * The comparison with a proof of each breaking or dangerous change that a call or an answer can show. A proof counts
 * because both versions were run on it: generated validators, the runtime's routers and binders. What nothing decided and a
 * call shows to break is breaking, and verdicts and bump follow.
 */
export async function prove(
  comparison: Comparison,
  old: Side,
  fresh: Side,
  { timeMs }: ProveOptions = {},
): Promise<Comparison> {
  const prover = new Prover(comparison, old, fresh)
  const isOver = limitOf(prover, timeMs)
  const proofs = new Map<Change, Proof>()
  for (const level of ['breaking', 'dangerous'] as const)
    for (const change of comparison.changes) {
      if (change.level !== level) continue
      const search = prover.searchFor(change)
      if (search === undefined) proofs.set(change, notApplicable)
      else proofs.set(change, isOver() ? outOfTime : await search())
    }
  const changes = comparison.changes.flatMap((change) =>
    raised({ ...change, proof: proofs.get(change) ?? change.proof }),
  )
  return { ...comparison, ...concluded(comparison.old.version, comparison.new.version, changes) }
}

/** Tries of one run that has no time set. */
const mostTries = 1200

/** Steps of its searches for values, of which most need a few. */
const mostSteps = 120_000

/** More than tries and steps come to, but on a machine that is very slow. */
const longestMs = 10_000

/** By what the process has computed, not by the clock: a busy machine finds as much. */
function limitOf(prover: Prover, timeMs: number | undefined): () => boolean {
  const start = process.cpuUsage()
  return () => {
    if (timeMs === undefined && (prover.tries > mostTries || prover.steps > mostSteps)) return true
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000 > (timeMs ?? longestMs)
  }
}

const notApplicable: Proof = { status: 'not-applicable' }

const outOfTime = unproven('out of time; ask for more with --proof-time SECONDS')

class Prover {
  /** Values looked for and values sent, so far. */
  tries = 0
  readonly #instances = new Instances()
  readonly #versions: { readonly old: Version; readonly new: Version } | undefined
  readonly #olds: ReadonlyMap<string, string>
  readonly #oldsOfRest: ReadonlyMap<string, string>

  /** Of searches for values, so far. */
  get steps(): number {
    return this.#instances.steps
  }

  constructor({ pairs }: Comparison, old: Side, fresh: Side) {
    const olds = (isOfRest: boolean): Map<string, string> =>
      new Map(
        pairs.flatMap((pair) => ((pair.protocol === 'rest') === isOfRest ? [[pair.new, pair.old]] : [])),
      )
    this.#olds = olds(false)
    this.#oldsOfRest = olds(true)
    if (old.model !== undefined && fresh.model !== undefined)
      this.#versions = { old: new Version(old.model), new: new Version(fresh.model) }
  }

  /** How to find the proof of a change; undefined where there can be none. */
  searchFor(change: Change): (() => Promise<Proof>) | undefined {
    const isShown = change.evidence !== undefined
    if (this.#versions === undefined)
      return isShown
        ? async () => unproven('a document has errors, so that nothing is generated from it')
        : undefined
    const pair = this.#pairOf(change)
    if (pair === undefined)
      return isShown
        ? async () => unproven('no call leads there: the service sends it of its own accord')
        : undefined
    const showing = showingOf(change, pair)
    if (typeof showing === 'string') return async () => unproven(showing)
    return showing && (() => this.#proofOf(change, showing))
  }

  async #proofOf(change: Change, showing: Showing): Promise<Proof> {
    try {
      return await this.#search(change, showing)
    } catch (error) {
      return unproven(`the call fails: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  #pairOf({ operation, protocols }: Change): Pair | undefined {
    const versions = this.#versions
    const name = operation ?? ''
    const parted = protocols.includes('jsonrpc') ? undefined : this.#oldsOfRest.get(name)
    const before = versions?.old.operation(parted ?? this.#olds.get(name) ?? '')
    const after = versions?.new.operation(operation ?? '')
    if (versions === undefined || before === undefined || after === undefined) return undefined
    return { ...versions, before, after }
  }

  async #search(change: Change, showing: Showing): Promise<Proof> {
    const test = (value: Json): Promise<Shown> => {
      this.tries += 1
      return show(change, showing, value)
    }
    let best: { readonly value: Json; readonly shown: Shown } | undefined
    let reasons: readonly string[] = []
    for (const value of this.#candidates(change, showing)) {
      const shown = await test(value)
      if (reasons.length === 0) reasons = shown.reasons
      if (count(shown) > (best === undefined ? 0 : count(best.shown))) best = { value, shown }
      if (best !== undefined && count(best.shown) === change.protocols.length) break
    }
    if (best === undefined) {
      const { remark } = showing
      const told = reasons.length > 0 && remark !== undefined ? [...reasons, remark] : reasons
      return unproven(told.join('; ') || nothingFound(change))
    }
    const wanted = count(best.shown)
    const value = await minimised(
      best.value,
      async (less) => isLikely(change, showing, less) && count(await test(less)) >= wanted,
    )
    return verified(change, value, await test(value))
  }

  *#candidates(change: Change, { pair, conditions }: Showing): Iterable<Json> {
    const { old, new: fresh, before, after } = pair
    const isRequest = change.direction !== 'response'
    const leftOut = isRequest ? 'readOnly' : 'writeOnly'
    const one: Whole = { model: old.model, schema: isRequest ? before.params : before.result, leftOut }
    const other: Whole = { model: fresh.model, schema: isRequest ? after.params : after.result, leftOut }
    const [accepting, rejecting] = isRequest ? [one, other] : [other, one]
    const seen = new Set<string>()
    const extras =
      isRequest && change.protocols.includes('rest') ? [...carried(before).map((one) => [one]), []] : [[]]
    for (const condition of conditions)
      for (const extra of extras)
        for (const excluded of [undefined, rejecting]) {
          this.tries += 1
          for (const value of this.#instances.find(accepting, [condition, ...extra], excluded, 1)) {
            const text = canonical(value)
            if (seen.has(text)) continue
            seen.add(text)
            yield value
          }
        }
  }
}

function show({ direction, protocols }: Change, { pair, way, cause }: Showing, value: Json): Promise<Shown> {
  if (direction === 'response') return answer(pair, value, protocols, way)
  if (!isObject(value)) throw new TypeError('params are an object')
  return call(pair, value, protocols, cause)
}

/** What the validators alone say of an answer, which is sent only where they disagree. */
function isLikely({ direction }: Change, { pair }: Showing, value: Json): boolean {
  const { old, new: fresh, before, after } = pair
  return direction !== 'response' || (fresh.takes(after, value) && !old.takes(before, value))
}

function count({ rest, jsonrpc }: Shown): number {
  return (rest === undefined ? 0 : 1) + (jsonrpc === undefined ? 0 : 1)
}

function verified({ direction }: Change, value: Json, shown: Shown): Proof {
  const { rest, jsonrpc, credentials, rejects } = shown
  const isRequest = direction !== 'response'
  return {
    status: 'verified',
    value,
    ...(rest !== undefined && { rest }),
    ...(jsonrpc !== undefined && { jsonrpc }),
    ...(credentials !== undefined && { credentials }),
    old: isRequest ? 'accepts' : rejects,
    new: isRequest ? rejects : 'accepts',
  }
}

function nothingFound({ direction }: Change): string {
  return direction !== 'response'
    ? 'no whole call of the old version was found that holds the witness'
    : 'no whole answer of the new version was found that holds the witness'
}

function unproven(reason: string): Proof {
  return { status: 'unproven', reason }
}
