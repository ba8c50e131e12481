import type { Operation } from '../model/model.js'
import type { Schema } from '../schema/schema.js'
import { Passage } from './passage.js'
import type { Counterpart } from './plan/counterparts.js'
import { Fallbacks, fallbackKeyword, type Sent } from './plan/fallbacks.js'
import { schemaOf } from './plan/part-schemas.js'
import { keep, type PartName, type ReplacingPlan } from './plan/plan.js'
import { renamedParams } from './plan/renamed-params.js'
import { VersionReading } from './version-reading.js'

/** How one part of all operations passes once values are replaced for which the newer document declares a fallback. */
export class Replacement {
  /** From the sender with its values replaced. */
  readonly passage: Passage
  readonly #graphs: ReplacingPlan['replaced']

  /** Undefined if nothing is replaced. */
  static of(
    part: PartName,
    passage: Passage,
    found: ReadonlyMap<string, Counterpart>,
    operations: readonly Operation[],
  ): Replacement | undefined {
    const sent: Sent = new Map(
      operations.flatMap((before) => {
        const after = found.get(before.name)?.operation
        const [from, to] = part === 'params' ? [before, after] : [after, before]
        const [schema, other] = [from && schemaOf(from, part), to && schemaOf(to, part)]
        if (after === undefined || schema === undefined || other === undefined) return []
        const renamed = part === 'params' ? renamedParams(before, after) : new Map<string, string>()
        return [[before.name, { sent: schema, received: other, renamed }] as const]
      }),
    )
    if (sent.size === 0) return undefined
    const fallbacks = new Fallbacks(passage.from.model, passage.to.model, part !== 'params', sent)
    return fallbacks.isEmpty ? undefined : new Replacement(passage, fallbacks, [...sent.keys()])
  }

  private constructor(
    { direction, from, to }: Passage,
    readonly fallbacks: Fallbacks,
    names: readonly string[],
  ) {
    this.passage = new Passage(direction, new VersionReading(fallbacks.model, from.leftOut), to)
    this.#graphs = fallbacks.graphs(names.filter((name) => this.#isReplaced(name)))
  }

  /** The first step of an operation's converter, and what it makes. */
  for(name: string): { readonly plan?: ReplacingPlan; readonly problem?: string; readonly schema: Schema } {
    const below = this.fallbacks.below(name)
    const schema = this.fallbacks.of(name)
    if (below?.problem !== undefined)
      return { problem: `${fallbackKeyword} is not used: ${below.problem}`, schema }
    if (below === undefined) return { schema }
    const { values } = below
    return { plan: { kind: 'replacing', name, replaced: this.#graphs, values, rest: keep }, schema }
  }

  #isReplaced(name: string): boolean {
    const below = this.fallbacks.below(name)
    return below !== undefined && below.problem === undefined
  }
}
