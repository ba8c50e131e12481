import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { keywordsThat, plainLimits } from '../document/vocabulary.js'
import { fingerprint } from '../schema/canonical.js'
import { isAnnotation, isSchema, requiredOf, type Schema, schemaList, schemaMap } from '../schema/schema.js'
import type { Resolve } from './view.js'

/**
 * Finds that every instance of one schema is an instance of another, keyword by keyword, however large both are and
 * whether or not they refer to themselves. Says nothing where it does not find it.
 *
 * A pair of schemas on the way to itself holds: instances are finite, and each round goes one level down. A pair that
 * leads to itself without a level in between does not.
 */
export class Simulation {
  readonly #known = new Map<Schema, Map<Schema, boolean>>()
  /** Pairs that hold, in the order in which they were found. Some hold only if an open pair does. */
  readonly #held: (readonly [Schema, Schema])[] = []
  /** Pairs since the last level down. */
  #inPlace = new Set<string>()
  readonly #ids = new Map<Schema, number>()
  #steps = 0

  constructor(
    readonly sender: Resolve,
    readonly receiver: Resolve,
    readonly areSame: (sent: Schema, received: Schema) => boolean,
  ) {}

  holds(sent: Schema, received: Schema): boolean {
    this.#steps = 0
    this.#inPlace = new Set()
    return this.#pair(sent, received)
  }

  #pair(sent: Schema, received: Schema): boolean {
    if (received === true || sent === false) return true
    if (!isObject(received) || !isObject(sent)) return false
    if (++this.#steps > mostSteps) return false
    const key = `${this.#id(sent)} ${this.#id(received)}`
    if (this.#inPlace.has(key)) return false
    const byReceived = this.#known.get(sent) ?? new Map<Schema, boolean>()
    this.#known.set(sent, byReceived)
    const known = byReceived.get(received)
    if (known !== undefined) return known
    const before = this.#held.length
    byReceived.set(received, true)
    this.#inPlace.add(key)
    const isHeld = this.areSame(sent, received) || this.#object(sent, received)
    this.#inPlace.delete(key)
    if (isHeld) this.#held.push([sent, received])
    else {
      // What held only because this pair was assumed is open again.
      for (const [one, other] of this.#held.splice(before)) this.#known.get(one)?.delete(other)
      // Without steps left, another question may find it.
      if (this.#steps > mostSteps) byReceived.delete(received)
      else byReceived.set(received, false)
    }
    return isHeld
  }

  #below(sent: Schema, received: Schema): boolean {
    const outer = this.#inPlace
    this.#inPlace = new Set()
    const isHeld = this.#pair(sent, received)
    this.#inPlace = outer
    return isHeld
  }

  #object(sent: JsonObject, received: JsonObject): boolean {
    const parts = this.#partsOf(sent)
    const target = this.receiver(received)
    const keywords = Object.keys(received).filter(
      (keyword) => !isAnnotation(keyword) && !inPlace.has(keyword) && !silent.has(keyword),
    )
    return (
      keywords.every((keyword) => parts.some((part) => this.#keyword(keyword, part, received))) &&
      (target === undefined
        ? !Object.hasOwn(received, '$ref')
        : parts.some((part) => this.#pair(part, target))) &&
      schemaList(received, 'allOf').every((branch) => parts.some((part) => this.#pair(part, branch))) &&
      this.#alternatives(parts, received)
    )
  }

  #alternatives(parts: readonly JsonObject[], received: JsonObject): boolean {
    const branches = schemaList(received, 'anyOf')
    if (branches.length === 0) return true
    const isIn = (sent: Schema): boolean => branches.some((branch) => this.#pair(sent, branch))
    return parts.some((part) => {
      const own_ = ['anyOf', 'oneOf'].find((keyword) => schemaList(part, keyword).length > 0)
      return own_ === undefined ? isIn(part) : schemaList(part, own_).every(isIn)
    })
  }

  /** Schemas that all instances of a schema match: itself, what it refers to, and its `allOf`. */
  #partsOf(schema: JsonObject): readonly JsonObject[] {
    const parts = new Set<JsonObject>([schema])
    for (const part of parts) {
      const target = this.sender(part)
      for (const one of [...(target === undefined ? [] : [target]), ...schemaList(part, 'allOf')])
        if (isObject(one)) parts.add(one)
    }
    return [...parts]
  }

  /** Whether each instance of `sent` satisfies a keyword of `received`, next to its other keywords. */
  #keyword(keyword: string, sent: JsonObject, received: JsonObject): boolean {
    const [ours, theirs] = [own(sent, keyword), own(received, keyword) ?? null]
    switch (keyword) {
      case 'type':
        return ours !== undefined && [ours].flat().every((type) => isType(type, [theirs].flat()))
      case 'enum':
      case 'const': {
        const values = listOf(sent, 'const') ?? listOf(sent, 'enum')
        const known = new Set(listOf(received, keyword)?.map(fingerprint))
        return values?.every((value) => known.has(fingerprint(value))) === true
      }
      case 'required':
        return requiredOf(received).every((name) => requiredOf(sent).includes(name))
      case 'properties':
      case 'additionalProperties':
        return this.#members(sent, received)
      case 'items':
        return (
          !Object.hasOwn(sent, 'prefixItems') &&
          !Object.hasOwn(received, 'prefixItems') &&
          this.#below(schemaOf(ours), schemaOf(theirs))
        )
      default:
        // Other keywords that hold schemas may read what changed.
        return plainLimits.has(keyword) && ours !== undefined && fingerprint(ours) === fingerprint(theirs)
    }
  }

  #members(sent: JsonObject, received: JsonObject): boolean {
    if (Object.hasOwn(sent, 'patternProperties') || Object.hasOwn(received, 'patternProperties')) return false
    const [ours, theirs] = [
      new Map(schemaMap(sent, 'properties')),
      new Map(schemaMap(received, 'properties')),
    ]
    const [others, receivedOthers] = [sent, received].map((one) => schemaOf(own(one, 'additionalProperties')))
    if (others === undefined || receivedOthers === undefined) return false
    const names = new Set([...ours.keys(), ...theirs.keys()])
    return (
      [...names].every((name) => this.#below(ours.get(name) ?? others, theirs.get(name) ?? receivedOthers)) &&
      this.#below(others, receivedOthers)
    )
  }

  #id(schema: Schema): number {
    const id = this.#ids.get(schema) ?? this.#ids.size
    this.#ids.set(schema, id)
    return id
  }
}

const mostSteps = 500_000

/** Keywords that apply schemas to the same instance, which are read on their own. */
const inPlace: ReadonlySet<string> = new Set(['$ref', 'allOf', 'anyOf'])

/** Keywords that limit nothing. */
const silent = keywordsThat(({ role }) => role === 'note')

function schemaOf(value: Json | undefined): Schema {
  return isSchema(value) ? value : true
}

function listOf(schema: JsonObject, keyword: 'const' | 'enum'): readonly Json[] | undefined {
  const value = own(schema, keyword)
  if (keyword === 'const') return value === undefined ? undefined : [value]
  return isArray(value) ? value : undefined
}

function isType(type: Json, known: readonly Json[]): boolean {
  return known.includes(type) || (type === 'integer' && known.includes('number'))
}
