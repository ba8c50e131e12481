import { Containment } from '../../../contains/containment.js'
import { canonical } from '../../../contains/values/value.js'
import type { Json, JsonObject } from '../../../document/document.js'
import { own } from '../../../document/json.js'
import type { Model } from '../../../model/model.js'
import { Undecidable } from '../../../patterns/budget.js'
import type { OneWay } from '../../../schema/one-way.js'
import type { Schema } from '../../../schema/schema.js'
import type { Way } from '../../change/place.js'
import { asObject } from '../../change/side.js'
import { plainSchema } from '../../decide/plain-schema.js'
import { relaxed } from './relaxed.js'
import type { Undone } from './undone.js'

/** A schema of a version, and the direction in which its values go. */
export interface Whole {
  readonly model: Model
  readonly schema: Schema
  readonly leftOut: OneWay
  /** A component that replaces the model's. */
  readonly component?: Undone['component']
}

type Component = NonNullable<Whole['component']>

/** The version accepts the value. `butAt`: it may reject what is at that path. */
export interface Taking {
  readonly whole: Whole
  readonly butAt?: Way
}

/** Finds whole params and results that show a change. */
export class Instances {
  // The budget's steps run out before its time does, so that a busy machine finds the same.
  readonly #containment = new Containment({
    dialect: '2020-12',
    arithmetic: 'decimals',
    budgetMs: 8000,
  })
  readonly #documents = new Map<Model, Map<OneWay, JsonObject>>()
  readonly #schemas = new Map<Schema, Json>()
  /** By the replaced component. */
  readonly #others = new Map<Schema, JsonObject>()
  /** Steps of all searches so far. */
  steps = 0

  /** `share`: of the steps that the containment of two schemas may take, those of one search. */
  constructor(readonly share: number) {}

  /**
   * The least values of `accepting` that meet the conditions and, where it is given, that `rejecting` excludes; undefined
   * where it cannot be told whether there is one.
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
      return [...new Map(found.map((value) => [canonical(value), value])).values()]
    } catch (error) {
      // What cannot be decided, or is nested too deeply, leaves the change unproven.
      if (error instanceof Undecidable || error instanceof RangeError || error instanceof SyntaxError)
        return undefined
      throw error
    } finally {
      this.steps += budget.spent
    }
  }

  #relaxed({ whole, butAt }: Taking): Json {
    if (butAt === undefined) return this.#schema(whole)
    const { components } = this.#document(whole)
    const schemas = asObject(asObject(components).schemas)
    return relaxed(this.#schema(whole), butAt, (reference) =>
      own(
        schemas,
        reference
          .replace(/^#\/components\/schemas\//, '')
          .replaceAll('~1', '/')
          .replaceAll('~0', '~'),
      ),
    )
  }

  #schema({ model, schema, leftOut }: Whole): Json {
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

  #documentWith(model: Model, leftOut: OneWay, { name, schema }: Component): JsonObject {
    const known = this.#others.get(schema)
    if (known !== undefined) return known
    const { schemas } = asObject(this.#documentOf(model, leftOut).components)
    const plain = plainSchema(model.schemas, schema, leftOut)
    const document = { components: { schemas: { ...asObject(schemas), [name]: plain } } }
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

/** The document of schemas without references. */
const nothing: JsonObject = {}

function documentOf({ schemas }: Model, leftOut: OneWay): JsonObject {
  const plain = Array.from(
    schemas,
    ([name, schema]) => [name, plainSchema(schemas, schema, leftOut)] as const,
  )
  return { components: { schemas: Object.fromEntries(plain) } }
}
