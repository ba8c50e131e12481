import type { Verdict } from '../contains/verdict.js'
import { containmentOfVersions, isUndecidable } from '../diff/decide/judgement.js'
import type { Json, JsonObject } from '../document/document.js'
import { isObject } from '../document/json.js'
import { isComponent, type Schema, schemaMap, subschemas } from '../schema/schema.js'
import { Simulation } from './simulation.js'
import { Equality, type VersionReading } from './version-reading.js'
import { fixedValues, onlyValue, type View, viewOf } from './view.js'

/** Values of one version on their way to the other: params to the next one, results back. */
export class Passage {
  readonly #equality: Equality
  readonly #simulation: Simulation
  readonly #containment = containmentOfVersions()
  readonly #known = new Map<Schema, Map<Schema, Verdict>>()

  constructor(
    readonly direction: 'params' | 'result',
    readonly from: VersionReading,
    readonly to: VersionReading,
  ) {
    this.#equality = new Equality(from, to)
    this.#simulation = new Simulation(from.resolve, to.resolve, (one, other) => this.areSame(one, other))
  }

  /** The version that a value comes from. */
  get sender(): string {
    return this.from.model.version
  }

  get receiver(): string {
    return this.to.model.version
  }

  areSame(sent: Schema, received: Schema): boolean {
    return this.#equality.of(sent, received)
  }

  /** Whether every value passes unchanged. */
  asIs(from: Schema, to: Schema): Verdict {
    if (this.areSame(from, to)) return { verdict: 'contained' }
    // Many operations refer to one component.
    const [sent, received] = [targetOf(this.from, from), targetOf(this.to, to)]
    const byReceiver = this.#known.get(sent) ?? new Map<Schema, Verdict>()
    this.#known.set(sent, byReceiver)
    const known = byReceiver.get(received) ?? this.#decided(sent, received)
    byReceiver.set(received, known)
    return known
  }

  #decided(sent: Schema, received: Schema): Verdict {
    if (this.#simulation.holds(sent, received)) return { verdict: 'contained' }
    try {
      return this.#containment.decide(
        this.#containment.subject(this.from.document, sent),
        this.#containment.subject(this.to.document, received),
      )
    } catch (error) {
      if (!isUndecidable(error)) throw error
      return { verdict: 'unknown', reason: error.message }
    }
  }

  viewOfSent(schema: Schema): View | undefined {
    return viewOf(schema, this.from.resolve)
  }

  viewOfReceived(schema: Schema): View | undefined {
    return viewOf(schema, this.to.resolve)
  }

  /** The types of a schema's values, whichever version it is of. Undefined: any. */
  typesOf(schema: Schema): ReadonlySet<string> | undefined {
    const [one, other] = [viewOf(schema, this.from.resolve)?.types, viewOf(schema, this.to.resolve)?.types]
    return [...(one ?? [])].join() === [...(other ?? [])].join() ? one : undefined
  }

  partOfSent(schema: Schema): JsonObject {
    return partOf(this.from, schema)
  }

  partOfReceived(schema: Schema): JsonObject {
    return partOf(this.to, schema)
  }

  /** Whether two schemas have the same text. Either may be of either version. */
  isSame(one: Schema, other: Schema): boolean {
    return JSON.stringify(one) === JSON.stringify(other)
  }

  /** The only value of a member by the receiver's document. */
  statedFor(schema: Schema): Json | undefined {
    return onlyValue(schema, this.to.resolve)
  }

  /** Names of members that the receiver's validators fill in, and the sender's do not. */
  addedDefaults(sent: Schema, received: Schema): readonly string[] {
    if (this.areSame(sent, received)) return []
    const known = defaultedIn(this.from, sent)
    return [...defaultedIn(this.to, received)].filter((name) => !known.has(name))
  }

  /** The member that tells the branches of both unions apart. */
  tagOf(ours: readonly Schema[], theirs: readonly Schema[]): string | undefined {
    const [first] = ours
    const names = first === undefined ? [] : (this.viewOfSent(first)?.required ?? [])
    return [...names].find((name) => areApart(ours, name, this.from) && areApart(theirs, name, this.to))
  }
}

/** Names of members with a default, in a schema and in what it refers to. */
function defaultedIn({ resolve }: VersionReading, schema: Schema): ReadonlySet<string> {
  const names = new Set<string>()
  const seen = new Set<Schema>()
  const waiting: Schema[] = [schema]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (!isObject(at) || seen.has(at)) continue
    seen.add(at)
    for (const [name, property] of schemaMap(at, 'properties'))
      if (isObject(property) && Object.hasOwn(property, 'default')) names.add(name)
    const target = resolve(at)
    if (target !== undefined) waiting.push(target)
    waiting.push(...subschemas(at).map((part) => part.schema))
  }
  return names
}

/** Whether each branch fixes values of a member that no other branch has. */
function areApart(branches: readonly Schema[], name: string, { resolve }: VersionReading): boolean {
  const values = branches.map((branch) => fixedValues(branch, name, resolve))
  if (values.some((fixed) => fixed === undefined || fixed.length === 0)) return false
  const all = values.flatMap((fixed) => (fixed ?? []).map((value) => JSON.stringify(value)))
  return new Set(all).size === all.length
}

/** The component that a schema only refers to. */
function targetOf({ resolve }: VersionReading, schema: Schema): Schema {
  return isComponent(schema) && isObject(schema) ? (resolve(schema) ?? schema) : schema
}

/** The schema itself, or what its references lead to. */
function partOf({ resolve }: VersionReading, schema: Schema): JsonObject {
  let at = schema
  for (let steps = 0; isObject(at) && steps < 8; steps++) {
    const target = resolve(at)
    if (target === undefined) return at
    at = target
  }
  return isObject(at) ? at : {}
}
