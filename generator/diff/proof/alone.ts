import { childPointer } from '../../document/cursor.js'
import type { Json } from '../../document/document.js'
import { isArray, own } from '../../document/json.js'
import type { Change, DocumentPosition } from '../change/change.js'
import { type Met, put, type Way } from '../change/place.js'
import { asObject, type Side } from '../change/side.js'
import { keywordsOf } from './calls/attribution.js'
import type { Showing } from './calls/shown-by.js'
import { schemaAt } from './instances/emptiness.js'
import type { Instances, Taking, Whole } from './instances/instances.js'
import { undone } from './instances/undone.js'

/** Decides whether a change causes a refusal, whatever other changes surround it. */
export class Alone {
  readonly #undone = new WeakMap<Showing, Taking>()
  readonly #made = new WeakMap<Showing, { readonly whole: Whole | undefined }>()

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
    const known = this.#undone.get(showing) ?? this.#taking(change, showing)
    this.#undone.set(showing, known)
    return known
  }

  /** The accepting version with this change and no other. Undefined if that is unknown, or if the change has a partner. */
  refusing(change: Change, showing: Showing): Whole | undefined {
    const known = this.#made.get(showing) ?? { whole: this.#refusing(change, showing) }
    this.#made.set(showing, known)
    return known.whole
  }

  /** Whether the change is needed for a value to be refused, or suffices. */
  causes(change: Change, showing: Showing, value: Json): boolean {
    if (showing.beside?.every((other) => !other.isOfAbsence && !hasPlace(value, other.way))) return true
    const { accepting } = wholesOf(change, showing.pair)
    const is = [{ const: value }]
    const isFound = (refusing?: Whole, taking?: Taking): boolean =>
      this.instances.find(accepting, is, refusing, 1, undefined, taking)?.length === 1
    if (isFound(undefined, this.taking(change, showing))) return true
    const alone = this.refusing(change, showing)
    return alone !== undefined && isFound(alone)
  }

  #taking(change: Change, { pair, way, partner }: Showing): Taking {
    const { rejecting } = wholesOf(change, pair)
    const undoneOf = (one: Met, at: Way): Taking => {
      const whole = this.#exchanged(one, rejecting, at, change.direction !== 'response')
      return whole === undefined ? { whole: rejecting, butAt: [at] } : { whole }
    }
    if (partner === undefined) return undoneOf(change, way)
    const ends = [{ met: change, way }, partner] as const
    const [required, other] = isRequirement(change) ? ends : [ends[1], ends[0]]
    const { whole, butAt = [] } = undoneOf(required.met, required.way)
    return { whole, butAt: [...butAt, other.way] }
  }

  #refusing(change: Change, { pair, way, partner }: Showing): Whole | undefined {
    const { accepting } = wholesOf(change, pair)
    return partner !== undefined
      ? undefined
      : this.#exchanged(change, accepting, way, change.direction === 'response')
  }

  /** A version with the other version's keywords of a change. */
  #exchanged(change: Met, whole: Whole, way: Way, isNew: boolean): Whole | undefined {
    const keywords = keywordsOf(change)
    const name = isRequirement(change) ? way.at(-1) : undefined
    const [was, is] = [around(this.old, change.old, name), around(this.fresh, change.new, name)]
    if (keywords === undefined || was === undefined || is === undefined) return undefined
    const [{ pointer, schema }, known] = isNew ? [is, was.schema] : [was, is.schema]
    const other = name === undefined ? known : required(schema, known, name)
    if (other === undefined) return undefined
    const found = undone(whole.model, whole.schema, {
      ...{ pointer, schema, other },
      keywords: [...new Set([...keywords, ...ofValues])],
    })
    return found && { ...whole, ...found }
  }
}

/** Whether a change is refused because a property is missing. */
export function isRequirement(change: Pick<Change, 'id'>): boolean {
  return keywordsOf(change)?.includes('required') === true
}

/** Whether a value may hold something at a path. */
function hasPlace(value: Json, way: Way): boolean {
  const end = way.findIndex((name) => name === '-' || name === '*')
  return put(value, end === -1 ? way : way.slice(0, end), null) !== undefined
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

/** Say together which values there are: one edit of them may be several changes. */
const ofValues: readonly string[] = ['type', 'enum', 'const']

/** The object's schema that requires a name if the other version does. */
function required(schema: Json, other: Json, name: string): Json | undefined {
  const [names = [], others = []] = [schema, other].map((one) => {
    const found = own(asObject(one), 'required')
    return isArray(found) ? found : []
  })
  if (names.includes(name) === others.includes(name)) return undefined
  const exchanged = names.includes(name) ? names.filter((one) => one !== name) : [...names, name]
  return { ...asObject(schema), required: exchanged }
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
