import { Undecidable } from '../../contains/budget.js'
import { Containment, type Verdict } from '../../contains/containment.js'
import type { Json } from '../../load/document.js'
import type { Evidence, Level } from '../change.js'
import type { Side } from '../side.js'
import { obstacle } from './extent.js'

export interface Judged {
  readonly level: Level
  readonly evidence: Evidence
}

/** Schemas that lead to more than so many objects take a second each to compile for the confirmation of a witness. */
const extent = 400

/** Decides levels of schema changes by containment: one for a whole comparison. */
export class Judgement {
  readonly #containment = new Containment({ dialect: '2020-12', budgetMs: 250 })
  readonly #known = new WeakMap<object, Map<Json, Map<string, Verdict>>>()

  readonly #judged = new Map<string, Judged>()

  constructor(
    readonly old: Side,
    readonly new_: Side,
  ) {}

  /**
   * Whether what was sent is still understood: old requests by the new schema, new answers by the old.
   *
   * `fresh` is where the changed schema stands: in the document of the new version, or, where it is the old schema with
   * one keyword changed, in the old one's.
   */
  holds(direction: 'request' | 'response', old: Json, fresh: Json, freshSide: Side = this.new_): Verdict {
    const before = { side: this.old, schema: old }
    const after = { side: freshSide, schema: fresh }
    const [a, b] = direction === 'request' ? [before, after] : [after, before]
    const ask = (): Verdict => {
      for (const { side, schema } of [a, b]) {
        const reason = obstacle(side, schema, extent)
        if (reason !== undefined) return { verdict: 'unknown', reason }
      }
      const subject = ({ side, schema }: typeof a) => this.#containment.subject(side.document.root, schema)
      try {
        return this.#containment.decide(subject(a), subject(b))
      } catch (error) {
        // A pattern that is no regular expression is the document's fault, and makes this place undecidable alone.
        if (!(error instanceof SyntaxError || error instanceof Undecidable)) throw error
        return { verdict: 'unknown', reason: error.message }
      }
    }
    if (typeof old !== 'object' || old === null) return ask()
    const byNew = this.#known.get(old) ?? new Map<Json, Map<string, Verdict>>()
    this.#known.set(old, byNew)
    const byDirection = byNew.get(fresh) ?? new Map<string, Verdict>()
    byNew.set(fresh, byDirection)
    const verdict = byDirection.get(direction) ?? ask()
    byDirection.set(direction, verdict)
    return verdict
  }

  /** What is decided of one place and one change of it, asked once however many operations lead there. */
  once(key: string, decide: () => Judged): Judged {
    const judged = this.#judged.get(key) ?? decide()
    this.#judged.set(key, judged)
    return judged
  }

  /** The level that a verdict gives to a change. */
  judge(verdict: Verdict): Judged {
    if (verdict.verdict === 'contained') return { level: 'compatible', evidence: {} }
    if (verdict.verdict === 'unknown') return { level: 'dangerous', evidence: { reason: verdict.reason } }
    return { level: 'breaking', evidence: { witness: verdict.witness } }
  }
}
