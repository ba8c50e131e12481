import type { Json } from '../../document/document.js'
import { isObject } from '../../document/json.js'
import { fingerprint } from '../../schema/canonical.js'
import type { Change } from '../change/change.js'
import { holding } from '../change/place.js'
import { among, whereTexts } from '../change/protocol.js'
import type { Side } from '../change/side.js'
import { type Alone, wholesOf } from './alone.js'
import type { Showing } from './calls/shown-by.js'
import { carried } from './carried.js'
import { schemaAt } from './instances/emptiness.js'
import type { Instances, Whole } from './instances/instances.js'

/** Searches for values to send. */
export class Candidates {
  /** The number of searches so far. */
  tries = 0
  /** Whether the search for the current change has given up on values that a version excludes. */
  #isFar = false
  /** Whether the last value showed only another change. */
  #isOfAnother = false

  constructor(
    readonly instances: Instances,
    readonly alone: Alone,
    readonly old: Side,
    readonly fresh: Side,
  ) {}

  /** Begins the search for another change. */
  start(): void {
    this.#isFar = false
  }

  /** Says that the last value showed only another change. */
  refuse(): void {
    this.#isOfAnother = true
  }

  /** Values that may show a change, the likeliest first. */
  *of(change: Change, showing: Showing): Iterable<Json> {
    let isAsked = false
    this.#isOfAnother = false
    for (const value of this.#likely(change, showing)) {
      yield value
      if (isAsked || !this.#isOfAnother) continue
      isAsked = true
      yield* this.#causedBy(change, showing)
    }
    if (showing.isAlone && !isAsked && !this.#isFar) yield* this.#causedBy(change, showing)
  }

  *#likely(change: Change, showing: Showing): Iterable<Json> {
    const { pair, way, conditions, isAnyCall } = showing
    const { before } = pair
    // A documented example tells people more than a value that its schemas happen to accept.
    if (showing.exact !== undefined) yield showing.exact
    if (isAnyCall) for (const { params } of before.examples) if (isObject(params)) yield params
    const isRequest = change.direction !== 'response'
    const { accepting, rejecting } = wholesOf(change, pair)
    const local =
      change.evidence?.reason === undefined ? undefined : this.#apart(change, accepting, rejecting)
    const exact = local?.map((value) => holding(way, { const: value })) ?? []
    const seen = new Set<string>()
    const written = isRequest && among(change.protocols, whereTexts) ? carried(before, way) : []
    const extras = [...written.map((one) => [one]), []]
    // A value that the other version accepts except for this change shows nothing else.
    if (isAnyCall !== true && way.length > 0)
      for (const condition of [...exact, ...conditions]) {
        this.tries += 1
        const [extra = []] = extras
        const taking = { whole: rejecting, butAt: [way] }
        const found = this.instances.find(accepting, [condition, ...extra], undefined, 1, undefined, taking)
        if (found?.[0] === undefined) continue
        seen.add(fingerprint(found[0]))
        yield found[0]
        break
      }
    for (const excluded of [undefined, rejecting])
      for (const condition of [...exact, ...conditions])
        for (const extra of extras) {
          if (excluded !== undefined && this.#isFar) return
          this.tries += 1
          const found = this.instances.find(accepting, [condition, ...extra], excluded, 1)
          for (const value of found ?? []) {
            const text = fingerprint(value)
            if (seen.has(text)) continue
            seen.add(text)
            yield value
          }
          // What a whole schema excludes may be hard to find. Then it is so for every condition and every operation.
          if (excluded !== undefined && found === undefined) this.#isFar = true
        }
    yield* this.#refusedAt(change, showing)
  }

  /** Values for whose refusal a change is needed, or suffices. */
  *#causedBy(change: Change, showing: Showing): Iterable<Json> {
    const { accepting, rejecting } = wholesOf(change, showing.pair)
    const taking = this.alone.taking(change, showing)
    const refusing = this.alone.refusing(change, showing)
    for (const [excluded, taken] of [
      [taking.butAt === undefined ? rejecting : undefined, taking],
      ...(refusing === undefined ? [] : [[refusing] as const]),
    ] as const)
      for (const condition of showing.conditions) {
        this.tries += 1
        const found = this.instances.find(accepting, [condition], excluded, 1, undefined, taken)
        if (found?.[0] === undefined) continue
        yield found[0]
        break
      }
  }

  /** Values that are refused only at the path of a change. A recursive schema may refuse them elsewhere as well. */
  *#refusedAt(change: Change, { pair, way, conditions, isAnyCall }: Showing): Iterable<Json> {
    if (isAnyCall === true || way.length === 0 || this.#isFar) return
    const { accepting, rejecting } = wholesOf(change, pair)
    const taking = { whole: rejecting, butAt: [way] }
    for (const condition of conditions) {
      this.tries += 1
      yield* this.instances.find(accepting, [condition], rejecting, 1, undefined, taking) ?? []
    }
  }

  /**
   * Values that distinguish the versions' schemas at a change, whatever surrounds it. Undefined if it has no schemas.
   */
  #apart({ old, new: fresh, direction }: Change, accepting: Whole, rejecting: Whole): Json[] | undefined {
    const [before, after] = [schemaAt(this.old, old), schemaAt(this.fresh, fresh)]
    if (before === undefined || after === undefined) return undefined
    const [taken, refused] = direction === 'response' ? [after, before] : [before, after]
    return this.instances.find({ ...accepting, schema: taken }, [], { ...rejecting, schema: refused }, 1)
  }
}
