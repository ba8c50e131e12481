import type { Json } from '../../../document/document.js'
import { parsePointer, valueAt } from '../../../document/pointer.js'
import { isSchema, type Schema } from '../../../schema/schema.js'
import type { Change, Comparison, DocumentPosition } from '../../change/change.js'
import type { Side } from '../../change/side.js'
import { Judgement } from '../../decide/judgement.js'
import { Sameness } from '../../same/same.js'
import { isInhabited } from './inhabited.js'
import { Instances } from './instances.js'

/** The schema at a position. Undefined if there is no schema. */
export function schemaAt({ document }: Side, place: DocumentPosition | null): Schema | undefined {
  const found = place === null ? undefined : valueAt(document.root, parsePointer(place.pointer) ?? [])
  return found !== undefined && isSchema(found) ? found : undefined
}

/** A share of the search's steps. For nearly every schema, a few steps find a value. */
const fewSteps = 0.01

/** The comparison with a remark at each change of a schema that can hold no value, for changes that need no proof. */
export function withEmptiness(comparison: Comparison, old: Side, fresh: Side): Comparison {
  const emptiness = new Emptiness(old, fresh, new Instances(0.06))
  return { ...comparison, changes: comparison.changes.map((change) => emptiness.told(change)) }
}

/** Finds schemas that can hold no value. Their changes show in no request and no response. */
export class Emptiness {
  readonly #known = new Map<Json, boolean>()
  /** Created on demand, because few schemas are suspicious. */
  #judgement: Judgement | undefined

  constructor(
    readonly old: Side,
    readonly fresh: Side,
    readonly instances: Instances,
  ) {}

  /** Adds to the message of a change that a schema can hold no value. */
  told(change: Change): Change {
    if (change.direction === null || change.level === 'info') return change
    const empty = (['old', 'new'] as const).filter((version) => this.#isEmpty(version, change[version]))
    if (empty.length === 0) return change
    const which =
      empty.length === 2 ? 'neither schema can hold a value' : `the ${empty[0]} schema can hold no value`
    return { ...change, message: `${change.message}; ${which}` }
  }

  #isEmpty(version: 'old' | 'new', place: DocumentPosition | null): boolean {
    const side = version === 'old' ? this.old : this.fresh
    // The parts of an `allOf` and its sibling keywords are one schema.
    const schema = schemaAt(
      side,
      place && { ...place, pointer: place.pointer.replace(/(\/allOf\/\d+)+$/, '') },
    )
    if (schema === undefined || side.model === undefined) return false
    if (isInhabited(side.model.schemas, schema)) return false
    const known = this.#known.get(schema)
    if (known !== undefined) return known
    const found = this.instances.find(
      { model: side.model, schema, leftOut: 'readOnly' },
      [],
      undefined,
      1,
      fewSteps,
    )
    const isEmpty = found?.length === 0 && this.#takesNothing(version, schema)
    this.#known.set(schema, isEmpty)
    return isEmpty
  }

  #takesNothing(version: 'old' | 'new', schema: Json): boolean {
    this.#judgement ??= new Judgement(this.old, this.fresh, new Sameness(this.old, this.fresh))
    const way = version === 'old' ? 'request' : 'response'
    return this.#judgement.passes(way, schema, false).verdict === 'contained'
  }
}
