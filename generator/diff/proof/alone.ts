import type { Json } from '../../load/document.js'
import type { Change } from '../change.js'
import type { Side } from '../side.js'
import { keywordsOf } from './attribution.js'
import { schemaAt } from './emptiness.js'
import type { Instances, Taking, Whole } from './instances.js'
import type { Showing } from './showing.js'
import { undone } from './undone.js'

/** Tells whether a value is refused for one change, where others stand around it. */
export class Alone {
  readonly #known = new Map<Change, Map<Whole['schema'], Taking>>()

  constructor(
    readonly instances: Instances,
    readonly old: Side,
    readonly fresh: Side,
  ) {}

  /**
   * What the version that rejects would take without the change. Where that is not known, what it takes but for the place of the
   * change, where another change may stand, too.
   */
  taking(change: Change, { pair, way }: Showing): Taking {
    const { rejecting } = wholesOf(change, pair)
    const known = this.#known.get(change) ?? new Map<Whole['schema'], Taking>()
    this.#known.set(change, known)
    const found = known.get(rejecting.schema) ?? this.#without(change, rejecting)
    known.set(rejecting.schema, found ?? { whole: rejecting, butAt: way })
    return found ?? { whole: rejecting, butAt: way }
  }

  /** Whether the version that rejects a value would take it without the change. */
  takes(change: Change, showing: Showing, value: Json): boolean {
    const { accepting } = wholesOf(change, showing.pair)
    const taking = this.taking(change, showing)
    return this.instances.find(accepting, [{ const: value }], undefined, 1, undefined, taking)?.length === 1
  }

  #without(change: Change, whole: Whole): Taking | undefined {
    const keywords = keywordsOf(change)
    const [was, is] = [schemaAt(this.old, change.old), schemaAt(this.fresh, change.new)]
    if (keywords === undefined || was === undefined || is === undefined) return undefined
    const isRequest = change.direction !== 'response'
    const [place, schema, other] = isRequest ? [change.new, is, was] : [change.old, was, is]
    const undoing = { pointer: place?.pointer ?? '', schema, other, keywords }
    const found = undone(whole.model, whole.schema, undoing)
    return found && { whole: { ...whole, ...found } }
  }
}

/** The whole of the version that accepts what shows a change, and of the one that rejects it. */
export function wholesOf(
  { direction }: Change,
  { old, new: fresh, before, after }: Showing['pair'],
): { readonly accepting: Whole; readonly rejecting: Whole } {
  const isRequest = direction !== 'response'
  const leftOut = isRequest ? 'readOnly' : 'writeOnly'
  const one: Whole = { model: old.model, schema: isRequest ? before.params : before.result, leftOut }
  const other: Whole = { model: fresh.model, schema: isRequest ? after.params : after.result, leftOut }
  return isRequest ? { accepting: one, rejecting: other } : { accepting: other, rejecting: one }
}
