import { childPointer } from '../../document/cursor.js'
import type { Json } from '../../document/document.js'
import { isArray, own } from '../../document/json.js'
import type { Change, DocumentPosition } from '../change/change.js'
import type { Met, Way } from '../change/place.js'
import { asObject, type Side } from '../change/side.js'
import { keywordsOf } from './calls/attribution.js'
import type { Showing } from './calls/shown-by.js'
import { schemaAt } from './instances/emptiness.js'
import type { Instances, Taking, Whole } from './instances/instances.js'
import { undone } from './instances/undone.js'

/** Decides whether one change alone causes a refusal. */
export class Alone {
  readonly #known = new WeakMap<Showing, Taking>()

  constructor(
    readonly instances: Instances,
    readonly old: Side,
    readonly fresh: Side,
  ) {}

  /**
   * The rejecting version with this change, and its partner if any, undone. If that is unknown, the rejecting version
   * with the value at the change's path unconstrained. Other changes may affect the same path.
   */
  taking(change: Change, showing: Showing): Taking {
    const known = this.#known.get(showing) ?? this.#taking(change, showing)
    this.#known.set(showing, known)
    return known
  }

  #taking(change: Change, { pair, way, partner }: Showing): Taking {
    const { rejecting } = wholesOf(change, pair)
    const undoneOf = (one: Met, at: Way): Taking =>
      this.#without(one, rejecting, at) ?? { whole: rejecting, butAt: [at] }
    if (partner === undefined) return undoneOf(change, way)
    const ends = [{ met: change, way }, partner] as const
    const [required, other] = isRequirement(change) ? ends : [ends[1], ends[0]]
    const { whole, butAt = [] } = undoneOf(required.met, required.way)
    return { whole, butAt: [...butAt, other.way] }
  }

  /** Whether the rejecting version accepts the value once the change is undone. */
  takes(change: Change, showing: Showing, value: Json): boolean {
    const { accepting } = wholesOf(change, showing.pair)
    const taking = this.taking(change, showing)
    return this.instances.find(accepting, [{ const: value }], undefined, 1, undefined, taking)?.length === 1
  }

  #without(change: Met, whole: Whole, way: Way): Taking | undefined {
    const keywords = keywordsOf(change)
    const name = isRequirement(change) ? way.at(-1) : undefined
    const [was, is] = [around(this.old, change.old, name), around(this.fresh, change.new, name)]
    if (keywords === undefined || was === undefined || is === undefined) return undefined
    const isRequest = change.direction !== 'response'
    const [{ pointer, schema }, known] = isRequest ? [is, was.schema] : [was, is.schema]
    const other = name === undefined ? known : unrequired(schema, known, name)
    if (other === undefined) return undefined
    const found = undone(whole.model, whole.schema, { pointer, schema, other, keywords })
    return found && { whole: { ...whole, ...found } }
  }
}

/** Whether a change is refused because a property is missing. */
export function isRequirement(change: Pick<Change, 'id'>): boolean {
  return keywordsOf(change)?.includes('required') === true
}

/** The schema at a position. For a required property, the object's schema. */
function around(
  side: Side,
  place: DocumentPosition | null | undefined,
  name: string | undefined,
): { readonly pointer: string; readonly schema: Json } | undefined {
  if (place === null || place === undefined) return undefined
  const end = name === undefined ? '' : childPointer('/properties', name)
  const isProperty = end !== '' && place.pointer.endsWith(end)
  const pointer = isProperty ? place.pointer.slice(0, -end.length) : place.pointer
  const schema = schemaAt(side, { ...place, pointer })
  return schema === undefined ? undefined : { pointer, schema }
}

/** The object's schema without a name that only this version requires. */
function unrequired(schema: Json, other: Json, name: string): Json | undefined {
  const [names, others] = [schema, other].map((one) => own(asObject(one), 'required'))
  const isMeant = isArray(names) && names.includes(name) && !(isArray(others) && others.includes(name))
  return isMeant ? { ...asObject(schema), required: names.filter((one) => one !== name) } : undefined
}

/** The schemas of the version that accepts the proof and of the one that rejects it. */
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
