import type { Verdict } from '../../contains/verdict.js'
import { objectOf, omitted } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { inPlaceKeywords } from '../../document/vocabulary.js'
import type { Model, Operation } from '../../model/model.js'
import type { OneWay } from '../../schema/one-way.js'
import {
  isSchema,
  mapSubschemas,
  referenceOf,
  requiredOf,
  type Schema,
  schemaList,
  schemaMap,
} from '../../schema/schema.js'
import { asObject } from '../change/side.js'
import { described } from './described.js'
import { Filling, NotKnown } from './filled.js'
import { isUndecidable, type Judgement } from './judgement.js'
import { mostObjects } from './obstacle.js'
import { plainSchema } from './plain-schema.js'
import { Shared } from './shared.js'
import type { Whole } from './whole-schema.js'

export interface Sent {
  readonly model: Model
  readonly operation: Operation
}

/** The mark of what is not sent in a direction, and the schema for it. */
interface Reading {
  readonly leftOut: OneWay
  readonly unsent: boolean
}

interface Filled extends Pick<Filling, 'isDeclared' | 'usual' | 'partial'> {
  readonly filled: Schema
  readonly lenient: Schema
  readonly as: (usual: Json) => Schema
}

/** Decides for whole params and whole results what was decided for parts of their schemas before. */
export class Wholes {
  readonly #plain = new Map<Model, Map<string, Map<string, Schema>>>()

  readonly #params = new Map<Operation, Schema>()

  readonly #shared = new Shared()

  constructor(readonly judgement: Judgement) {}

  /**
   * Whether one version accepts what the other sends, by the same conventions as for parts: callers send no read-only
   * properties in requests, write-only ones in responses, or properties that the sender's schema does not describe.
   */
  passes(direction: 'request' | 'response', before: Sent, after: Sent): Verdict {
    const [from, to] = direction === 'request' ? [before, after] : [after, before]
    const leftOut = direction === 'request' ? 'readOnly' : 'writeOnly'
    // Clients say nothing about properties that responses never had.
    const [sent, known] = [
      { leftOut, unsent: false },
      { leftOut, unsent: direction === 'response' },
    ] as const
    const [sender, receiver] = [this.#whole(direction, from, sent), this.#whole(direction, to, known)]
    if (sender === undefined || receiver === undefined)
      return { verdict: 'unknown', reason: `the schemas lead to more than ${mostObjects} others` }
    // The solver treats shared components as one formula, which costs nothing while they stay unchanged.
    const same = this.#shared.between(sender, receiver)
    if (this.#shared.areOne(sender, receiver, same)) return { verdict: 'contained' }
    const taken = alone(receiver)
    const first = this.judgement.decide(described(sender, same), taken)
    if (first.verdict !== 'not-contained') return first
    const found = same.size === 0 ? first : this.judgement.decide(described(sender, new Set()), taken)
    // The convention may remove a value from one branch and so let it match another.
    if (found.verdict === 'not-contained' && !this.judgement.accepts(alone(sender), found.witness))
      return { verdict: 'unknown', reason: 'no value was found that is sent' }
    return found
  }

  /**
   * The same without the convention on properties that responses never had, for those that every new response with
   * their object has: clients of the old version refuse them all.
   */
  reveals(before: Sent, after: Sent): Verdict {
    const strict = { leftOut: 'writeOnly', unsent: false } as const
    const [sender, receiver] = [
      this.#whole('response', after, strict),
      this.#whole('response', before, strict),
    ]
    const names = receiver === undefined ? new Set<string>() : refusedNames(receiver)
    if (sender === undefined || receiver === undefined || names.size === 0) return { verdict: 'contained' }
    const [given, taken] = [alone(sender), alone(receiver)]
    let found: Verdict = { verdict: 'contained' }
    // First the responses without what they may leave out, so that nothing else is found.
    for (const one of [withoutOptional(sender, names), sender]) {
      found = this.judgement.decide(described(one, new Set()), taken)
      if (found.verdict !== 'not-contained') continue
      const witness = without(found.witness, names, (value) => this.judgement.accepts(given, value))
      if (this.judgement.accepts(given, witness) && !this.judgement.accepts(taken, witness))
        return { ...found, witness }
    }
    const isDoubtful = found.verdict === 'not-contained'
    return isDoubtful ? { verdict: 'unknown', reason: 'the property may be left out' } : found
  }

  /**
   * Whether the new version accepts params of the old one that it would accept if it neither filled in the default of a
   * property nor required the property, or if it filled in the old version's. `way`: the path of the property.
   * Undefined if no schema there has a default for it.
   */
  fills(before: Sent, after: Sent, way: readonly string[]): Verdict | undefined {
    try {
      const [was, is] = [this.#filled(before, way), this.#filled(after, way)]
      if (!was.isDeclared && !is.isDeclared) return undefined
      const others = was.usual === undefined || is.usual !== undefined ? [] : [is.as(was.usual)]
      const lenient = [is.lenient, ...others].filter((schema) => schema !== is.filled)
      // Most defaults make no difference, however large the schemas are.
      if (lenient.length === 0) return { verdict: 'contained' }
      const [sender, receiver] = [this.#known(before), this.#known(after)]
      const sent = described({ ...sender, schema: was.filled }, new Set())
      const taken = renamed({ ...receiver, schema: { anyOf: lenient } })
      const components = { ...asObject(sent.components), ...asObject(taken.components) }
      const both = { allOf: [omitted(sent, 'components'), omitted(taken, 'components')], components }
      const found = this.judgement.decide(both, alone({ ...receiver, schema: is.filled }))
      if (found.verdict === 'contained' && is.partial !== undefined)
        return { verdict: 'unknown', reason: is.partial }
      const given = alone({ ...sender, schema: was.filled })
      const isSent = found.verdict !== 'not-contained' || this.judgement.accepts(given, found.witness)
      return isSent ? found : { verdict: 'unknown', reason: 'no value was found that is sent' }
    } catch (error) {
      if (!(error instanceof NotKnown || isUndecidable(error))) throw error
      return { verdict: 'unknown', reason: error.message }
    }
  }

  /**
   * The params as read by validators that fill in the default of a property, as if the property were optional, and as
   * if it had another default.
   */
  #filled(one: Sent, way: readonly string[]): Filled {
    const { model, operation } = one
    const components = { get: (name: string) => this.#component(model, name, asked) }
    const whole = (schema: Schema): JsonObject => alone({ ...this.#known(one), schema })
    const values = {
      accepts: (schema: Schema, value: Json) => this.judgement.accepts(whole(schema), value),
      of: (schema: Schema) => {
        const found = this.judgement.decide(whole(schema), { not: {} })
        return found.verdict === 'not-contained' ? found.witness : undefined
      },
    }
    const filling = new Filling(components, way, values)
    const known = this.#params.get(operation)
    const schema = known ?? plainSchema(model.schemas, operation.params, asked.leftOut, asked.unsent)
    this.#params.set(operation, schema)
    const filled = filling.of(schema)
    return {
      filled,
      lenient: new Filling(components, way).of(schema),
      as: (usual) => new Filling(components, way, values, usual).of(schema),
      isDeclared: filling.isDeclared,
      usual: filling.usual,
      partial: filling.partial,
    }
  }

  /** The whole params. Throws `NotKnown` if they are too large to decide. */
  #known(one: Sent): Whole {
    const whole = this.#whole('request', one, asked)
    if (whole === undefined) throw new NotKnown(`the schemas lead to more than ${mostObjects} others`)
    return whole
  }

  #whole(direction: 'request' | 'response', { model, operation }: Sent, reading: Reading): Whole | undefined {
    const whole = direction === 'request' ? operation.params : operation.result
    const schema = plainSchema(model.schemas, whole, reading.leftOut, reading.unsent)
    const components = new Map<string, Schema>()
    const seen = new Set<Json>()
    const waiting: Json[] = [schema]
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (isArray(at)) waiting.push(...at)
      if (!isObject(at) || seen.has(at)) continue
      seen.add(at)
      if (seen.size > mostObjects) return undefined
      const name = referenceOf(at)
      const target = name === undefined ? undefined : this.#component(model, name, reading)
      if (name !== undefined && target !== undefined && !components.has(name)) {
        components.set(name, target)
        waiting.push(target)
      }
      waiting.push(...Object.values(at))
    }
    return { schema, components }
  }

  #component(model: Model, name: string, { leftOut, unsent }: Reading): Schema | undefined {
    const key = `${leftOut} ${unsent}`
    const readings = this.#plain.get(model) ?? new Map<string, Map<string, Schema>>()
    this.#plain.set(model, readings)
    const known = readings.get(key) ?? new Map<string, Schema>()
    readings.set(key, known)
    const schema = model.schemas.get(name)
    if (schema === undefined) return undefined
    const plain = known.get(name) ?? plainSchema(model.schemas, schema, leftOut, unsent)
    known.set(name, plain)
    return plain
  }
}

const asked: Reading = { leftOut: 'readOnly', unsent: false }

/** The properties that some schema of the whole refuses by name. */
function refusedNames({ schema, components }: Whole): ReadonlySet<string> {
  const names = new Set<string>()
  const waiting: Schema[] = [schema, ...components.values()]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (!isObject(at)) continue
    for (const [name, property] of schemaMap(at, 'properties')) if (property === false) names.add(name)
    mapSubschemas(at, (part) => {
      if (!isSchema(part)) return true
      waiting.push(part)
      return part
    })
  }
  return names
}

/** The whole with each property of these names forbidden, unless a schema of the same value requires it. */
function withoutOptional({ schema, components }: Whole, names: ReadonlySet<string>): Whole {
  const rewritten = (at: Schema, around: ReadonlySet<string>): Schema => {
    if (!isObject(at)) return at
    const required = new Set([
      ...around,
      ...[at, ...schemaList(at, 'allOf')].flatMap((part) => requiredOf(asObject(part))),
    ])
    return mapSubschemas(at, (part, keyword, key) => {
      if (keyword === 'properties' && names.has(String(key)) && !required.has(String(key))) return false
      return isSchema(part) ? rewritten(part, inPlaceKeywords.has(keyword) ? required : new Set()) : true
    })
  }
  const parts = Array.from(components, ([name, part]) => [name, rewritten(part, new Set())] as const)
  return { schema: rewritten(schema, new Set()), components: new Map(parts) }
}

/** The value without each member of these names that the whole value may lack. */
function without(value: Json, names: ReadonlySet<string>, accepts: (whole: Json) => boolean): Json {
  if (isArray(value))
    return value.reduce<readonly Json[]>((items, item, index) => {
      const put = (other: Json): Json[] => items.with(index, other)
      return put(without(item, names, (other) => accepts(put(other))))
    }, value)
  if (!isObject(value)) return value
  return Object.entries(value).reduce<JsonObject>((object, [name, member]) => {
    const left = omitted(object, name)
    if (names.has(name) && accepts(left)) return left
    const put = (other: Json): JsonObject => objectOf([...Object.entries(left), [name, other]])
    return put(without(member, names, (other) => accepts(put(other))))
  }, value)
}

/** The whole with its components moved to another path, so that two wholes fit in one document. */
function renamed(whole: Whole): JsonObject {
  const move = (value: Json): Json => {
    if (isArray(value)) return value.map(move)
    if (!isObject(value)) return value
    return objectOf(
      Object.entries(value).map(([key, member]) => [
        key,
        key === '$ref' && typeof member === 'string' ? member.replace('/schemas/', '/taken/') : move(member),
      ]),
    )
  }
  const { components, ...schema } = alone(whole)
  const moved = asObject(move(schema))
  return { ...moved, components: { taken: move(own(asObject(components), 'schemas') ?? {}) } }
}

function alone({ schema, components }: Whole): JsonObject {
  const whole: JsonObject = isObject(schema) ? schema : { allOf: [schema] }
  return { ...whole, components: { schemas: objectOf([...components]) } }
}
