import type { OperationValidators, Validator } from 'duet-runtime'
import type { Json } from '../document/document.js'
import { clone, isObject } from '../document/json.js'
import type { Model, Operation } from '../model/model.js'
import { isSchema, mapSubschemas, referenceOf, type Schema, schemaMap } from '../schema/schema.js'
import { LazyValidators } from '../validators/lazy-validators.js'
import type { Attack } from './adaptation.js'
import { type CaseOptions, casesOf } from './cases.js'
import { schemaOf } from './plan/part-schemas.js'
import { applied, type PartName } from './plan/plan.js'

/** Tries converters on values, with the validators that both versions are generated with. */
export class Attacker {
  readonly #older: LazyValidators
  readonly #next: LazyValidators

  constructor(
    readonly older: Model,
    readonly next: Model,
    readonly options: CaseOptions,
  ) {
    this.#older = new LazyValidators(older)
    this.#next = new LazyValidators(next)
  }

  readonly attack: Attack = (part, plan, before, after) => {
    const receiver = this.#receiver(part, before, after)
    const find = (cases: readonly Json[]): Json | undefined =>
      cases.find((value) => !receiver(clone(applied(plan, clone(value)))))
    const deciding = this.cases(part, before, after, decidingCases)
    const refuted = find(deciding)
    if (refuted !== undefined) return { kind: 'refuted', value: refuted }
    const { count, seed } = this.options
    if (seed === decidingCases.seed && count <= decidingCases.count)
      return { kind: 'held', cases: deciding.length }
    const more = this.cases(part, before, after)
    const failing = find(more)
    if (failing !== undefined) return { kind: 'failed', value: failing }
    return { kind: 'held', cases: Math.max(deciding.length, more.length) }
  }

  /** Why the receiver refuses a value. Undefined if it accepts it. */
  refusal(part: PartName, before: Operation, after: Operation, made: Json): string | undefined {
    const receiver = this.#receiver(part, before, after)
    if (receiver(clone(made))) return undefined
    const [first] = receiver.errors ?? []
    const version = part === 'params' ? this.next.version : this.older.version
    return `${version} refuses ${first?.instancePath ?? ''} ${first?.message ?? ''}`
      .replaceAll('  ', ' ')
      .trim()
  }

  /** Values of the sender: params of the older version, results and pieces of the next one. */
  cases(part: PartName, before: Operation, after: Operation, options = this.options): readonly Json[] {
    const [model, other] = part === 'params' ? [this.older, this.next] : [this.next, this.older]
    const [operation, known] = part === 'params' ? [before, after] : [after, before]
    const validator = validatorOf(this.#validatorsOf(model, operation), part)
    const schema = schemaOf(operation, part)
    if (validator === undefined || schema === undefined) return []
    const named = namesIn(other, schemaOf(known, part) ?? true)
    const { count, seed } = options
    const side = part === 'params' ? 'params' : 'result'
    return casesOf(
      { model, side, schema, validator, named },
      { count, seed: `${seed} ${operation.name} ${part}` },
    )
  }

  /** A value as the receiver's validator leaves it, which accepts it: with defaults. */
  received(part: PartName, after: Operation, value: Json): Json {
    const whole = clone(value)
    validatorOf(this.#validatorsOf(this.next, after), part)?.(whole)
    return whole
  }

  /** A value as the sender's validator leaves it: with defaults. Undefined if it refuses the value. */
  accepted(part: PartName, before: Operation, after: Operation, value: Json): Json | undefined {
    const [model, operation] = part === 'params' ? [this.older, before] : [this.next, after]
    const whole = clone(value)
    return validatorOf(this.#validatorsOf(model, operation), part)?.(whole) === true ? whole : undefined
  }

  #receiver(part: PartName, before: Operation, after: Operation): Validator {
    const validators =
      part === 'params' ? this.#validatorsOf(this.next, after) : this.#validatorsOf(this.older, before)
    return validatorOf(validators, part) ?? everything
  }

  #validatorsOf(model: Model, operation: Operation): OperationValidators {
    return (model === this.older ? this.#older : this.#next).of(operation)
  }
}

/** They alone decide the kind of a part, so that it depends only on the documents. */
const decidingCases: CaseOptions = { count: 100, seed: '1' }

const everything: Validator = () => true

function validatorOf(validators: OperationValidators, part: PartName): Validator | undefined {
  // Converters of error bodies are for operations with one.
  return part === 'error' ? Object.values(validators.errors ?? {})[0] : validators[part]
}

/** Names of members in a schema and in what it refers to. */
function namesIn({ schemas }: Model, schema: Schema): readonly string[] {
  const names = new Set<string>()
  const seen = new Set<Schema>()
  const waiting: Schema[] = [schema]
  for (let at = waiting.pop(); at !== undefined && names.size < 200; at = waiting.pop()) {
    if (!isObject(at) || seen.has(at)) continue
    seen.add(at)
    for (const [name] of schemaMap(at, 'properties')) names.add(name)
    const target = referenceOf(at)
    const component = target === undefined ? undefined : schemas.get(target)
    if (component !== undefined) waiting.push(component)
    mapSubschemas(at, (part) => {
      if (isSchema(part)) waiting.push(part)
      return true
    })
  }
  return [...names]
}
