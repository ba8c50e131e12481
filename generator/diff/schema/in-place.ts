import { objectOf, omitted } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { addToGroup } from '../../document/grouping.js'
import { isArray, isObject, own } from '../../document/json.js'
import {
  choices,
  compositions,
  namingKeywords,
  singlesInPlace,
  unnamedMembers,
} from '../../document/vocabulary.js'
import { schemaList } from '../../schema/schema.js'
import { asObject, referenced, type Side } from '../change/side.js'
import { isOfAny } from '../decide/described.js'

/** The properties that a schema describes, with any keyword that applies to the same value. */
export class DescribedNames {
  readonly #known = new WeakMap<object, ReadonlySet<string>>()

  constructor(readonly side: Side) {}

  of(schema: Json): ReadonlySet<string> {
    if (!isObject(schema)) return none
    const known = this.#known.get(schema)
    if (known !== undefined) return known
    const names = new Set<string>()
    // A cycle adds no names.
    this.#known.set(schema, names)
    for (const key of namingKeywords)
      for (const name of Object.keys(asObject(own(schema, key)))) names.add(name)
    const required = own(schema, 'required')
    if (isArray(required)) for (const name of required) if (typeof name === 'string') names.add(name)
    for (const part of this.#parts(schema)) for (const name of this.of(part)) names.add(name)
    return names
  }

  /** Whether a schema describes a property of the values at a path of properties and items. */
  describesAt(schema: Json, way: readonly string[], property: string): boolean {
    return [...this.#at(schema, way)].some((one) => this.of(one).has(property))
  }

  /**
   * Whether some values at a path of properties and items are any, by every part of a schema that applies to them. A
   * step may lead to several kinds of values, such as one for each pattern of names.
   */
  areAnyAt(schema: Json, way: readonly string[]): boolean {
    return this.#areAny([schema], way)
  }

  #areAny(schemas: readonly Json[], [step, ...way]: readonly string[]): boolean {
    const target = (at: JsonObject) => referenced(this.side, own(at, '$ref'))?.value
    if (step === undefined) return schemas.length > 0 && schemas.every((one) => isOfAny(one, target))
    const kinds = new Map<string, Json[]>()
    for (const part of schemas.flatMap((one) => [...this.#inPlace(one)]))
      for (const [kind, inner] of innerKinds(part, step)) addToGroup(kinds, kind, inner)
    return [...kinds.values()].some((inner) => this.#areAny(inner, way))
  }

  #at(schema: Json, way: readonly string[]): ReadonlySet<Json> {
    let schemas: ReadonlySet<Json> = new Set([schema])
    for (const step of way) {
      const parts = [...schemas].flatMap((one) => [...this.#inPlace(one)])
      const inner = (part: JsonObject): Json | undefined => {
        if (step === '-') return own(part, 'items')
        return step === '*' ? own(part, 'additionalProperties') : own(asObject(own(part, 'properties')), step)
      }
      schemas = new Set(parts.flatMap((part) => inner(part) ?? []))
    }
    return schemas
  }

  /** The schema and its branches, at any depth. */
  *#inPlace(schema: Json, seen = new Set<Json>()): Iterable<JsonObject> {
    if (!isObject(schema) || seen.has(schema)) return
    seen.add(schema)
    yield schema
    for (const part of this.#branches(schema)) yield* this.#inPlace(part, seen)
  }

  /** Whether a schema constrains properties that it does not name. */
  describesUnnamed(schema: Json, seen = new Set<Json>()): boolean {
    if (!isObject(schema) || seen.has(schema)) return false
    seen.add(schema)
    return (
      unnamedMembers.some((key) => isObject(own(schema, key))) ||
      [...this.#parts(schema)].some((part) => this.describesUnnamed(part, seen))
    )
  }

  /** The schema and its branches, at any depth, that constrain properties without naming them. */
  *constrainingUnnamed(schema: Json): Iterable<JsonObject> {
    for (const part of this.#inPlace(schema))
      if (unnamedMembers.some((key) => isObject(own(part, key)))) yield part
  }

  *#branches(schema: Json): Iterable<Json> {
    const object = asObject(schema)
    const target = referenced(this.side, own(object, '$ref'))
    if (target !== undefined) yield target.value
    for (const key of compositions) {
      const list = own(object, key)
      if (isArray(list)) yield* list
    }
  }

  *#parts(schema: Json): Iterable<Json> {
    const object = asObject(schema)
    yield* this.#branches(schema)
    for (const key of singlesInPlace) yield own(object, key) ?? true
    yield* Object.values(asObject(own(object, 'dependentSchemas')))
  }
}

/** The schemas at a step below a schema, each with a name for the values that it applies to. */
function* innerKinds(part: JsonObject, step: string): Iterable<[kind: string, schema: Json]> {
  const named: [kind: string, schema: Json | undefined][] =
    step === '-'
      ? [
          ['item', own(part, 'items')],
          ['item', own(part, 'contains')],
        ]
      : step === '*'
        ? [
            ['other', own(part, 'additionalProperties')],
            ...Object.entries(asObject(own(part, 'patternProperties'))).map(
              ([pattern, schema]): [string, Json] => [`pattern ${pattern}`, schema],
            ),
          ]
        : [
            ['member', own(asObject(own(part, 'properties')), step)],
            ['item', prefixItem(part, step)],
          ]
  for (const [kind, schema] of named) if (schema !== undefined) yield [kind, schema]
}

function prefixItem(part: JsonObject, step: string): Json | undefined {
  const items = own(part, 'prefixItems')
  return isArray(items) && /^\d+$/.test(step) ? items[Number(step)] : undefined
}

type Described = readonly [names: DescribedNames, schema: Json]

/** The properties that one schema describes and another does not. */
export function namesOnlyIn([one, schema]: Described, [other, without]: Described): string[] {
  const known = other.of(without)
  return [...one.of(schema)].filter((name) => !known.has(name))
}

/** What holds by convention of all values that are sent. A receiver's discriminator says by itself what a branch takes. */
export function conventionsOn(sender: Described, receiver: Described, isRequest: boolean): JsonObject[] {
  const isChosen = Object.hasOwn(asObject(receiver[1]), 'discriminator')
  const bound = isRequest && !isChosen ? withinBranches(sender) : undefined
  const found = [withoutUnsent(sender, receiver), bound]
  return found.filter((schema) => schema !== undefined)
}

/**
 * Forbids the properties that only the receiver describes: by convention nobody sends them. Undefined if there are
 * none, or if the sender has a rule for unnamed properties or may send anything.
 */
function withoutUnsent(sender: Described, receiver: Described): JsonObject | undefined {
  const names = namesOnlyIn(receiver, sender)
  const [from, schema] = sender
  if (
    names.length === 0 ||
    from.describesUnnamed(schema) ||
    isOfAny(schema, (at) => referenced(from.side, own(at, '$ref'))?.value)
  )
    return undefined
  return { properties: objectOf(names.map((name) => [name, false] as const)) }
}

/**
 * Binds each property that only some branches of `anyOf` or `oneOf` describe to these branches: by convention callers
 * send a value that one of them accepts. Undefined if there is none.
 */
function withinBranches([from, schema]: Described): JsonObject | undefined {
  const target = (at: JsonObject): Json | undefined => referenced(from.side, own(at, '$ref'))?.value
  const behind = isObject(schema) ? (target(schema) ?? schema) : schema
  const bound = choices.flatMap((keyword): [string, Json][] => {
    const branches = isObject(behind) ? schemaList(behind, keyword) : []
    const others = isObject(behind) ? omitted(behind, keyword) : {}
    if (branches.length < 2 || from.describesUnnamed(others)) return []
    const free = from.of(others)
    const open = new Set(branches.filter((one) => from.describesUnnamed(one) || isOfAny(one, target)))
    const names = new Set(branches.flatMap((branch) => [...from.of(branch)]))
    return [...names].flatMap((name): [string, Json][] => {
      const speakers = branches.filter((branch) => open.has(branch) || from.of(branch).has(name))
      return free.has(name) || speakers.length === branches.length ? [] : [[name, { anyOf: speakers }]]
    })
  })
  return bound.length === 0 ? undefined : { dependentSchemas: objectOf(bound) }
}

const none: ReadonlySet<string> = new Set()
