import type { ReplacedValues } from 'duet-runtime'
import { objectOf } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { compositions } from '../../document/vocabulary.js'
import type { Model } from '../../model/model.js'
import { fingerprint } from '../../schema/canonical.js'
import { type InstancePosition, positionsOf } from '../../schema/instance-positions.js'
import { nextOf, pruned } from '../../schema/position-graph.js'
import { isAnnotation, mapSubschemas, referenceOf, type Schema } from '../../schema/schema.js'
import { pairedEnums, type SchemaPair } from './paired-enums.js'

/** Values of an enum that the other version does not have, with those that its document declares instead. */
export const fallbackKeyword = 'x-enum-fallback'

/** What an operation sends and what it becomes, by the operation's name. */
export type Sent = ReadonlyMap<string, SchemaPair>

/**
 * The sender's schemas with all values replaced that the receiver does not have and for which the newer document declares
 * a fallback. The enum of the same place counts: the same keywords below the same component or operation, else the same
 * members of the values.
 *
 * A value matches a schema exactly if the replaced value matches the replaced schema. So what is proved of the
 * replaced schemas holds for converters that first replace values. `problemOf` finds the places where this does not follow.
 */
export class Fallbacks {
  /** The sender, as the receiver sees it once values are replaced. */
  readonly model: Model
  readonly #replaced = new Map<JsonObject, Replaced>()
  readonly #schemas = new Map<string, Schema>()
  readonly #paired: ReadonlyMap<JsonObject, JsonObject>

  constructor(
    readonly sender: Model,
    readonly receiver: Model,
    /** Whether the sender is the newer version. */
    readonly isNewer: boolean,
    sent: Sent,
  ) {
    const pairs = [...sent.values()]
    const newer = isNewer
      ? [...sender.schemas.values(), ...pairs.map((pair) => pair.sent)]
      : [...receiver.schemas.values(), ...pairs.map((pair) => pair.received)]
    const isDeclared = newer.some((schema) => JSON.stringify(schema).includes(fallbackKeyword))
    this.#paired = isDeclared ? pairedEnums(sender, receiver, pairs) : new Map()
    const components = Array.from(sender.schemas, ([name, schema]) => {
      return [name, this.#narrowed(schema, receiver.schemas.get(name))] as const
    })
    this.model = { ...sender, schemas: new Map(components) }
    for (const [name, pair] of sent) this.#schemas.set(name, this.#narrowed(pair.sent, pair.received))
  }

  get isEmpty(): boolean {
    return this.#replaced.size === 0
  }

  of(name: string): Schema {
    return this.#schemas.get(name) ?? true
  }

  /** What is replaced below an operation. Undefined: nothing. */
  below(name: string): Below | undefined {
    const reading = this.#reading ?? this.#read()
    this.#reading = reading
    const { positions, leading, problems } = reading
    const values = new Map<string, string>()
    let problem: string | undefined
    const root = positions[0]?.properties.get(name)
    const reached = new Set(root === undefined || !leading.has(root) ? [] : [root])
    for (const index of reached) {
      problem ??= problems.get(index)
      const position = positions[index]
      for (const part of position?.parts ?? [])
        for (const [value, fallback] of this.#replaced.get(part)?.values ?? []) values.set(value, fallback)
      if (position !== undefined)
        for (const next of nextOf(position)) if (leading.has(next)) reached.add(next)
    }
    return reached.size === 0 ? undefined : { values, ...(problem !== undefined && { problem }) }
  }

  /** What a converter replaces, for operations by name. Equal replacements share a graph. */
  graphs(names: readonly string[]): readonly ReplacedValues[] {
    const root = rootOf(new Map(names.map((name) => [name, this.of(name)])))
    const groups = new Map<string, ReadonlyMap<string, string>>()
    for (const { values } of this.#replaced.values()) groups.set(textOf(values), values)
    return Array.from(groups, ([text, values]) => {
      const isMarked = (part: JsonObject): boolean => {
        const replaced = this.#replaced.get(part)
        return replaced !== undefined && textOf(replaced.values) === text
      }
      const graph = pruned(positionsOf(this.model.schemas, root, isMarked), 'replaced')
      return { values: Object.fromEntries(values), graph }
    }).filter(({ graph }) => graph.length > 0)
  }

  #reading: Reading | undefined

  /** All positions of all operations, with all schemas that apply there. */
  #read(): Reading {
    const positions = positionsOf(this.model.schemas, rootOf(this.#schemas), () => true)
    const leading = leadingTo(positions, ({ parts }) => parts.some((part) => this.#replaced.has(part)))
    const problems = new Map<number, string>()
    // The root is no schema of the document.
    for (const index of leading) {
      const problem = index === 0 ? undefined : this.#problemAt(positions[index], leading)
      if (problem !== undefined) problems.set(index, problem)
    }
    return { positions, leading, problems }
  }

  #problemAt(position: InstancePosition | undefined, leading: ReadonlySet<number>): string | undefined {
    if (position === undefined) return undefined
    const { parts, patterns, properties } = position
    const marks = new Set(parts.flatMap((part) => this.#replaced.get(part)?.mark ?? []))
    if (marks.size > 1) return 'its alternatives have other values or fallbacks'
    const others = parts.filter((part) => !this.#replaced.has(part))
    if (marks.size > 0 && others.some(mayRead)) return 'another schema of the same value reads it'
    const keyword = whole.find((one) => others.some((part) => Object.hasOwn(part, one)))
    if (keyword !== undefined) return `${keyword} may read it`
    if (patterns.size > 0) return 'patternProperties may read it'
    const isTag = parts.some((part) => {
      const discriminator = own(part, 'discriminator')
      const name = isObject(discriminator) ? own(discriminator, 'propertyName') : undefined
      return leading.has(properties.get(String(name)) ?? -1)
    })
    return isTag ? 'a discriminator reads it' : undefined
  }

  #narrowed(sent: Schema, other: Schema | undefined): Schema {
    const received = targetOf(this.receiver, other)
    if (!isObject(sent) || (!isObject(received) && this.#paired.size === 0)) return sent
    let isChanged = false
    const copy = mapSubschemas(sent, (part, keyword, key) => {
      const narrowed = this.#narrowed(
        part as Schema,
        isObject(received) ? partAt(received, keyword, key) : undefined,
      )
      if (narrowed !== part) isChanged = true
      return narrowed
    })
    const known = isObject(received) && listOf(received).length > 0 ? received : this.#paired.get(sent)
    const values = known && this.#valuesAt(sent, known)
    if (known === undefined || values === undefined) return isChanged ? copy : sent
    const replaced = (value: Json): Json => (typeof value === 'string' ? (values.get(value) ?? value) : value)
    const all = listOf(sent)
    const given = own(sent, 'default')
    const narrowed: JsonObject = {
      ...copy,
      enum: inOrderOf(listOf(known), new Set(all.map(replaced))),
      ...(given !== undefined && { default: replaced(given) }),
    }
    this.#replaced.set(narrowed, { values, mark: fingerprint([[...all], objectOf(values)]) })
    return narrowed
  }

  #valuesAt(sent: JsonObject, received: JsonObject): ReadonlyMap<string, string> | undefined {
    const declared = own(this.isNewer ? sent : received, fallbackKeyword)
    const known = new Set(listOf(received))
    if (!isObject(declared) || known.size === 0) return undefined
    const values = new Map<string, string>()
    for (const value of listOf(sent)) {
      if (typeof value !== 'string' || known.has(value)) continue
      const fallback = own(declared, value)
      if (typeof fallback === 'string' && known.has(fallback)) values.set(value, fallback)
    }
    return values.size === 0 ? undefined : values
  }
}

/** What a converter replaces in what an operation sends. */
export interface Below {
  /** Fallbacks by value. */
  readonly values: ReadonlyMap<string, string>
  /** Why replacing values may change whether others match. */
  readonly problem?: string
}

interface Reading {
  readonly positions: readonly InstancePosition[]
  /** Indices of positions from which a replaced value can be reached. */
  readonly leading: ReadonlySet<number>
  /** By index. */
  readonly problems: ReadonlyMap<number, string>
}

interface Replaced {
  readonly values: ReadonlyMap<string, string>
  /** Equal if values and their fallbacks are. */
  readonly mark: string
}

function textOf(values: ReadonlyMap<string, string>): string {
  return fingerprint(objectOf(values))
}

function listOf(schema: JsonObject): readonly Json[] {
  const values = own(schema, 'enum')
  if (isArray(values)) return values
  return Object.hasOwn(schema, 'const') ? [own(schema, 'const') ?? null] : []
}

/** The same values, in the order of a list as far as it has them. Equal enums need no proof. */
function inOrderOf(list: readonly Json[], values: ReadonlySet<Json>): readonly Json[] {
  return [...new Set([...list.filter((value) => values.has(value)), ...values])]
}

function targetOf({ schemas }: Model, schema: Schema | undefined): Schema | undefined {
  let at = schema
  for (let steps = 0; steps < 8; steps++) {
    const name = referenceOf(at)
    if (name === undefined) return at
    at = schemas.get(name)
  }
  return at
}

function partAt(schema: JsonObject, keyword: string, key: string | number | undefined): Schema | undefined {
  const held = own(schema, keyword)
  const part =
    key === undefined
      ? held
      : isArray(held)
        ? held[Number(key)]
        : isObject(held)
          ? own(held, String(key))
          : held
  return part as Schema | undefined
}

/** Whether a schema may tell one text from another. */
function mayRead(part: JsonObject): boolean {
  const type = own(part, 'type')
  if (type !== undefined && ![type].flat().includes('string')) return false
  return Object.keys(part).some((keyword) => !isAnnotation(keyword) && !neutral.has(keyword))
}

/** Keywords whose schemas count as parts of their own. */
const neutral: ReadonlySet<string> = new Set([
  ...['$ref', '$comment', 'default', 'deprecated', 'readOnly', 'writeOnly', 'discriminator', ...compositions],
])

/** Keywords that read what is below as a whole, or schemas that no position has. */
const whole = ['not', 'uniqueItems', '$dynamicRef', '$recursiveRef', 'const', 'enum'] as const

/** Positions from which one that is wanted can be reached. */
function leadingTo(
  positions: readonly InstancePosition[],
  isWanted: (position: InstancePosition) => boolean,
): ReadonlySet<number> {
  const before = positions.map((): number[] => [])
  for (const [index, position] of positions.entries())
    for (const target of nextOf(position)) before[target]?.push(index)
  const found = new Set(positions.flatMap((position, index) => (isWanted(position) ? [index] : [])))
  for (const index of found) for (const one of before[index] ?? []) found.add(one)
  return found
}

/** One schema for all operations, whose members are what they send. */
function rootOf(sent: ReadonlyMap<string, Schema>): JsonObject {
  return { properties: objectOf(sent) }
}
