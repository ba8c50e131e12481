import type { Json } from '../../document/document.js'
import { isArray, own } from '../../document/json.js'
import type { Change } from '../change/change.js'
import type { Way } from '../change/place.js'
import { asObject, type Side } from '../change/side.js'
import { keywordsOf } from './calls/attribution.js'
import type { Showing } from './calls/shown-by.js'
import { schemaAt } from './instances/emptiness.js'
import type { Instances, Taking, Whole } from './instances/instances.js'
import { undone } from './instances/undone.js'

/** Decides whether one change alone causes a refusal. */
export class Alone {
  readonly #known = new Map<Change, Map<Whole['schema'], Taking>>()

  constructor(
    readonly instances: Instances,
    readonly old: Side,
    readonly fresh: Side,
  ) {}

  /**
   * The rejecting version with this change undone. If that is unknown, the rejecting version with the value at the path of the
   * change left open, which other changes may share.
   */
  taking(change: Change, { pair, way }: Showing): Taking {
    const { rejecting } = wholesOf(change, pair)
    const known = this.#known.get(change) ?? new Map<Whole['schema'], Taking>()
    this.#known.set(change, known)
    const found = known.get(rejecting.schema) ?? this.#without(change, rejecting, way)
    known.set(rejecting.schema, found ?? { whole: rejecting, butAt: way })
    return found ?? { whole: rejecting, butAt: way }
  }

  /** Whether the rejecting version accepts the value once the change is undone. */
  takes(change: Change, showing: Showing, value: Json): boolean {
    const { accepting } = wholesOf(change, showing.pair)
    const taking = this.taking(change, showing)
    return this.instances.find(accepting, [{ const: value }], undefined, 1, undefined, taking)?.length === 1
  }

  #without(change: Change, whole: Whole, way: Way): Taking | undefined {
    const keywords = keywordsOf(change)
    const [was, is] = [schemaAt(this.old, change.old), schemaAt(this.fresh, change.new)]
    if (keywords === undefined || was === undefined || is === undefined) return undefined
    const isRequest = change.direction !== 'response'
    const [place, schema, known] = isRequest ? [change.new, is, was] : [change.old, was, is]
    const other = keywords.includes('required') ? unrequired(schema, known, way.at(-1) ?? '') : known
    if (other === undefined) return undefined
    const undoing = { pointer: place?.pointer ?? '', schema, other, keywords }
    const found = undone(whole.model, whole.schema, undoing)
    return found && { whole: { ...whole, ...found } }
  }
}

/** The object without one of the names that it requires; undefined where the change does not stand at the object. */
function unrequired(schema: Json, other: Json, name: string): Json | undefined {
  const [names, others] = [schema, other].map((one) => own(asObject(one), 'required'))
  const isMeant = isArray(names) && names.includes(name) && !(isArray(others) && others.includes(name))
  return isMeant ? { ...asObject(schema), required: names.filter((one) => one !== name) } : undefined
}

/** The schemas of the version that accepts a proof, and of the version that rejects it. */
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
