import { canonical } from '../../contains/value.js'
import type { Json } from '../../load/document.js'
import { isObject } from '../../load/json.js'
import type { Change, Comparison, Proof } from '../change.js'
import type { Side } from '../side.js'
import { answer, call, causedAt, type Pair, type Shown } from './calls.js'
import { carried, conditionsOf, isAboutAbsence, placeAmong } from './conditions.js'
import { Instances, type Whole } from './instances.js'
import { minimised } from './minimise.js'
import type { Way } from './place.js'
import { Version } from './version.js'

export interface ProveOptions {
  /** Milliseconds for all proofs; those that are not found by then are missing. Default: 1500. */
  readonly timeMs?: number
}

/**
 * The comparison with a proof of each breaking or dangerous change that a call or an answer can show. A proof counts
 * because both versions were run on it: generated validators, the runtime's routers and binders.
 */
export async function prove(
  comparison: Comparison,
  old: Side,
  fresh: Side,
  { timeMs = 1500 }: ProveOptions = {},
): Promise<Comparison> {
  const prover = new Prover(comparison, old, fresh)
  const proofs = new Map<Change, Proof>()
  const deadline = performance.now() + timeMs
  for (const level of ['breaking', 'dangerous'] as const)
    for (const change of comparison.changes) {
      if (change.level !== level || !isShown(change)) continue
      const isLate = performance.now() > deadline
      proofs.set(change, isLate ? outOfTime : await prover.prove(change))
    }
  const changes = comparison.changes.map((change) => ({ ...change, proof: proofs.get(change) ?? change.proof }))
  return { ...comparison, changes }
}

const outOfTime = unproven('out of time; ask for more with --proof-time SECONDS')

/** Whether a value can show a change: containment decided it, or something is missing that has to be there. */
function isShown({ id, operation, direction, evidence }: Change): boolean {
  if (operation === null || direction === null) return false
  return evidence !== undefined || isAboutAbsence(id) || /^request-.*removed$/.test(id)
}

class Prover {
  readonly #instances = new Instances()
  readonly #versions: { readonly old: Version; readonly new: Version } | undefined
  readonly #olds: ReadonlyMap<string, string>

  constructor({ pairs }: Comparison, old: Side, fresh: Side) {
    this.#olds = new Map(pairs.map((pair) => [pair.new, pair.old]))
    if (old.model !== undefined && fresh.model !== undefined)
      this.#versions = { old: new Version(old.model), new: new Version(fresh.model) }
  }

  async prove(change: Change): Promise<Proof> {
    if (this.#versions === undefined) return unproven('a document has errors, so that nothing is generated from it')
    const pair = this.#pairOf(change)
    if (pair === undefined) return unproven('no call of either version leads there')
    try {
      return await this.#search(change, pair)
    } catch (error) {
      return unproven(`the call fails: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  #pairOf({ operation }: Change): Pair | undefined {
    const versions = this.#versions
    const before = versions?.old.operation(this.#olds.get(operation ?? '') ?? '')
    const after = versions?.new.operation(operation ?? '')
    if (versions === undefined || before === undefined || after === undefined) return undefined
    return { ...versions, before, after }
  }

  async #search(change: Change, pair: Pair): Promise<Proof> {
    const way = placeAmong(change, pair.before)
    const test = (value: Json): Promise<Shown> => this.#show(change, pair, way, value)
    let best: { readonly value: Json; readonly shown: Shown } | undefined
    let reason: string | undefined
    for (const value of this.#candidates(change, pair, way)) {
      const shown = await test(value)
      reason ??= shown.reasons[0]
      if (count(shown) > (best === undefined ? 0 : count(best.shown))) best = { value, shown }
      if (best !== undefined && count(best.shown) === change.protocols.length) break
    }
    if (best === undefined) return unproven(reason ?? nothingFound(change))
    const wanted = count(best.shown)
    const value = await minimised(best.value, async (less) => count(await test(less)) >= wanted)
    return verified(change, value, await test(value))
  }

  #show(change: Change, pair: Pair, way: Way, value: Json): Promise<Shown> {
    if (change.direction === 'response') return answer(pair, value, change.protocols, way)
    if (!isObject(value)) throw new TypeError('params are an object')
    return call(pair, value, change.protocols, causedAt(way))
  }

  *#candidates(change: Change, { old, new: fresh, before, after }: Pair, way: Way): Iterable<Json> {
    const isRequest = change.direction === 'request'
    const leftOut = isRequest ? 'readOnly' : 'writeOnly'
    const one: Whole = { model: old.model, schema: isRequest ? before.params : before.result, leftOut }
    const other: Whole = { model: fresh.model, schema: isRequest ? after.params : after.result, leftOut }
    const [accepting, rejecting] = isRequest ? [one, other] : [other, one]
    const seen = new Set<string>()
    const extras = isRequest && change.protocols.includes('rest') ? [[carried(before)], []] : [[]]
    for (const condition of conditionsOf(change, way, before))
      for (const extra of extras)
        for (const excluded of condition === true ? [rejecting] : [undefined, rejecting])
          for (const value of this.#instances.find(accepting, [condition, ...extra], excluded, 1)) {
            const text = canonical(value)
            if (seen.has(text)) continue
            seen.add(text)
            yield value
          }
  }
}

function count({ rest, jsonrpc }: Shown): number {
  return (rest === undefined ? 0 : 1) + (jsonrpc === undefined ? 0 : 1)
}

function verified({ direction }: Change, value: Json, { rest, jsonrpc, rejects }: Shown): Proof {
  const isRequest = direction === 'request'
  return {
    status: 'verified',
    value,
    ...(rest !== undefined && { rest }),
    ...(jsonrpc !== undefined && { jsonrpc }),
    old: isRequest ? 'accepts' : rejects,
    new: isRequest ? rejects : 'accepts',
  }
}

function nothingFound({ direction }: Change): string {
  return direction === 'request'
    ? 'no whole call of the old version was found that holds the witness'
    : 'no whole answer of the new version was found that holds the witness'
}

function unproven(reason: string): Proof {
  return { status: 'unproven', reason }
}
