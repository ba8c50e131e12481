import { Containment } from '../../../contains/containment.js'
import type { Json, JsonObject } from '../../../document/document.js'
import { own } from '../../../document/json.js'
import type { Model } from '../../../model/model.js'
import { Undecidable } from '../../../patterns/budget.js'
import { fingerprint } from '../../../schema/canonical.js'
import type { OneWay } from '../../../schema/one-way.js'
import { referenceOf, type Schema } from '../../../schema/schema.js'
import type { Way } from '../../change/place.js'
import { asObject } from '../../change/side.js'
import { plainSchema } from '../../decide/plain-schema.js'
import { relaxed } from './relaxed.js'
import type { Undone } from './undone.js'

/** A schema of a version, and the mark of properties that are not sent in its direction. */
export interface Whole {
  readonly model: Model
  readonly schema: Schema
  readonly leftOut: OneWay
  /** A component that replaces the model's. */
  readonly component?: Undone['component']
}

type Component = NonNullable<Whole['component']>

/** The version that must accept the value. `butAt`: paths where it may reject it. */
export interface Taking {
  readonly whole: Whole
  readonly butAt?: readonly Way[]
}

/** Finds whole params and results that show a change. */
export class Instances {
  // The budget's steps run out before its time, so that a busy machine finds the same.
  readonly #containment = new Containment({
    dialect: '2020-12',
    arithmetic: 'decimals',
    budgetMs: 8000,
    isChecked: true,
  })
  readonly #documents = new Map<Model, Map<OneWay, JsonObject>>()
  readonly #schemas = new Map<Schema, Json>()
  /** By the replaced component. */
  readonly #others = new Map<Schema, JsonObject>()
  /** The steps of all searches so far. */
  steps = 0

  /** `share`: the part of a containment check's steps that one search may use. */
  constructor(readonly share: number) {}

  /**
   * The least values that `accepting` accepts, that meet the conditions, and that `rejecting`, if given, rejects.
   * Undefined if it is unknown whether there are any.
   */
  find(
    accepting: Whole,
    conditions: readonly Json[],
    rejecting: Whole | undefined,
    count: number,
    share = this.share,
    taking?: Taking,
  ): Json[] | undefined {
    const { formulas, readers, solver, budget } = this.#containment.engine(share)
    try {
      const formula = (document: JsonObject, schema: Json) =>
        readers.ajv.refer(this.#containment.subject(document, schema).site)
      const goal = [
        formula(this.#document(accepting), this.#schema(accepting)),
        ...conditions.map((schema) => formula(nothing, schema)),
        ...(taking === undefined ? [] : [formula(this.#document(taking.whole), this.#relaxed(taking))]),
        ...(rejecting === undefined
          ? []
          : [formulas.not(formula(this.#document(rejecting), this.#schema(rejecting)))]),
      ]
      const found = solver.models(goal, count).values
      return [...new Map(found.map((value) => [fingerprint(value), value])).values()]
    } catch (error) {
      // A change stays unproven if it is undecidable or nested too deeply.
      if (error instanceof Undecidable || error instanceof RangeError || error instanceof SyntaxError)
        return undefined
      throw error
    } finally {
      this.steps += budget.spent
    }
  }

  #relaxed({ whole, butAt = [] }: Taking): Json {
    if (butAt.length === 0) return this.#schema(whole)
    const { components } = this.#document(whole)
    const schemas = asObject(asObject(components).schemas)
    const resolve = (reference: string): Json | undefined =>
      own(schemas, referenceOf({ $ref: reference }) ?? reference)
    return butAt.reduce<Json>((schema, way) => relaxed(schema, way, resolve), this.#schema(whole))
  }

  #schema({ model, schema, leftOut, component }: Whole): Json {
    if (component !== undefined) return plainSchema(withComponent(model, component), schema, leftOut)
    const known = this.#schemas.get(schema)
    if (known !== undefined) return known
    const plain = plainSchema(model.schemas, schema, leftOut)
    this.#schemas.set(schema, plain)
    return plain
  }

  #document({ model, leftOut, component }: Whole): JsonObject {
    return component === undefined
      ? this.#documentOf(model, leftOut)
      : this.#documentWith(model, leftOut, component)
  }

  #documentWith(model: Model, leftOut: OneWay, component: Component): JsonObject {
    const { name, schema } = component
    const known = this.#others.get(schema)
    if (known !== undefined) return known
    const { schemas } = asObject(this.#documentOf(model, leftOut).components)
    const all = withComponent(model, component)
    // A discriminator may depend on the content of a branch.
    const read = [[name, schema] as const, ...[...all].filter(([, one]) => hasDiscriminator(one))]
    const plain = read.map(([key, one]) => [key, plainSchema(all, one, leftOut)] as const)
    const document = { components: { schemas: { ...asObject(schemas), ...Object.fromEntries(plain) } } }
    this.#others.set(schema, document)
    return document
  }

  #documentOf(model: Model, leftOut: OneWay): JsonObject {
    const known = this.#documents.get(model) ?? new Map<OneWay, JsonObject>()
    this.#documents.set(model, known)
    const document = known.get(leftOut) ?? documentOf(model, leftOut)
    known.set(leftOut, document)
    return document
  }
}

function withComponent({ schemas }: Model, { name, schema }: Component): ReadonlyMap<string, Schema> {
  return new Map([...schemas, [name, schema]])
}

function hasDiscriminator(schema: Json): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const known = discriminating.get(schema)
  if (known !== undefined) return known
  const found =
    own(asObject(schema), 'discriminator') !== undefined || Object.values(schema).some(hasDiscriminator)
  discriminating.set(schema, found)
  return found
}

const discriminating = new WeakMap<object, boolean>()

/** The document for schemas without references. */
const nothing: JsonObject = {}

function documentOf({ schemas }: Model, leftOut: OneWay): JsonObject {
  const plain = Array.from(
    schemas,
    ([name, schema]) => [name, plainSchema(schemas, schema, leftOut)] as const,
  )
  return { components: { schemas: Object.fromEntries(plain) } }
}
