import { objectOf } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { keywordsThat } from '../../document/vocabulary.js'
import { regExp } from '../../patterns/pattern-test.js'
import { fingerprint } from '../../schema/canonical.js'
import { conditional, tentative } from '../../schema/one-way.js'
import { isSchema, referenceOf, requiredOf, type Schema, schemaList, schemaMap } from '../../schema/schema.js'
import { lacking } from '../change/place.js'
import { asObject } from '../change/side.js'
import { chosen } from './plain-schema.js'

/** Thrown if the effect of a default is unknown: a schema depends on evaluated properties, or is too large. */
export class NotKnown extends Error {}

type Way = readonly string[]

/** What the schemas of the params accept. */
interface Values {
  accepts(schema: Schema, value: Json): boolean
  /** A small value that a schema accepts. Undefined if none is found. */
  of(schema: Schema): Json | undefined
}

/**
 * Rewrites plain params so that they judge a request without a property as validators do after they fill in its
 * default. The default adds a property, which any keyword may check.
 *
 * The order is AJV's. It fills in the defaults of a schema's own `properties` after sibling keywords such as `$ref`,
 * `allOf` and `not`, and before the other object keywords. It fills in nothing below `not`, `if`, `anyOf`, `oneOf`,
 * `then`, `else` and `dependentSchemas`, except in the branch that a discriminator selects.
 */
export class Filling {
  /** Whether some schema has a default for the property, even if validators do not fill it in. */
  isDeclared = false
  /** The default that validators fill in. */
  usual: Json | undefined
  /** Why the rewritten schema may accept a request that validators refuse. */
  partial: string | undefined
  #filled: { readonly value: Json } | undefined
  readonly #under = new Set<Schema>()
  readonly #name: string

  /**
   * `way`: the path of the property. `values`: absent to fill in nothing and not require the property. `usual`: a
   * default that counts as filled in wherever the property is missing.
   */
  constructor(
    readonly components: { readonly get: (name: string) => Schema | undefined },
    readonly way: Way,
    readonly values?: Values,
    usual?: Json,
  ) {
    this.#name = way.at(-1) ?? ''
    if (usual !== undefined) this.#filled = { value: usual }
  }

  /** The rewritten schema, or the same object if defaults change nothing. Throws `NotKnown`. */
  of(schema: Schema): Schema {
    return this.#of(schema, this.way, false)
  }

  #of(schema: Schema, way: Way, isTried: boolean): Schema {
    if (!isObject(schema)) return schema
    const isPlace = way.length === 1
    const parts: Schema[] = isPlace && this.#filled !== undefined ? this.#listed(schema) : []
    const read = this.#inPlace(schema, way, isTried, parts)
    const within = isPlace ? this.#properties(read, isTried, parts, schema) : this.#around(read, way, isTried)
    return parts.length === 0 ? within : { ...within, allOf: [...schemaList(within, 'allOf'), ...parts] }
  }

  /** Rewrites the schemas of the same value that AJV reads before it fills in the schema's own properties. */
  #inPlace(schema: JsonObject, way: Way, isTried: boolean, parts: Schema[]): JsonObject {
    let read = schema
    const name = referenceOf(schema)
    const target = this.components.get(name ?? '')
    if (target !== undefined && !this.#under.has(target)) {
      this.#under.add(target)
      const part = this.#of(target, way, isTried)
      this.#under.delete(target)
      if (part !== target) {
        const { $ref: _, ...others } = read
        read = others
        parts.push(part)
      }
    }
    for (const keyword of this.values === undefined ? ['allOf'] : inPlace) {
      const value = own(schema, keyword)
      const isChosen = schema.$comment === chosen && keyword === 'anyOf'
      const below = isTried || ((tentative.has(keyword) || conditional.has(keyword)) && !isChosen)
      const part = (one: Json): Json => {
        const before = this.#filled
        const found = isSchema(one) ? this.#of(one, way, below) : one
        if (isChosen) this.#filled = before
        return found
      }
      read = withMember(read, keyword, isArray(value) ? mapped(value, part) : value && part(value))
    }
    return read
  }

  /** Rewrites the schemas at the next step, and then those that AJV applies to what the former have filled in. */
  #around(schema: JsonObject, way: Way, isTried: boolean): JsonObject {
    const isFirst = this.#filled === undefined
    const within = this.#within(schema, way, isTried)
    if (this.values === undefined) return within
    const isItem = way[0] === '-' || schemaList(schema, 'prefixItems')[Number(way[0])] !== undefined
    const isSet = isFirst && isItem && schema.uniqueItems === true
    const read =
      isSet && this.#filled !== undefined
        ? this.#withoutAlike(within, way, this.values, this.#filled.value)
        : within
    const contained = own(read, 'contains')
    if (isItem && isSchema(contained))
      return withMember(read, 'contains', this.#of(contained, way.slice(1), true))
    const dependent = schemaMap(read, 'dependentSchemas')
    if (isItem || dependent.length === 0) return read
    const parts = dependent.map(([key, part]) => [key, this.#of(part, way, true)] as const)
    const isSame = dependent.every(([, part], index) => part === parts[index]?.[1])
    return isSame ? read : { ...read, dependentSchemas: objectOf(parts) }
  }

  /**
   * Items that differ only in the default are equal once it is filled in. JSON Schema cannot say that of all items, so
   * only two of them may not occur together.
   */
  #withoutAlike(schema: JsonObject, [step, ...way]: Way, values: Values, usual: Json): JsonObject {
    this.partial = `uniqueItems compares objects with the default of ${this.#name}`
    const isPlain = step === '-' && schema.prefixItems === undefined && !way.some(isAnyStep)
    const items = own(schema, 'items')
    const one = isPlain && isSchema(items) ? values.of({ allOf: [items, lacking(way)] }) : undefined
    if (one === undefined) throw new NotKnown(this.partial)
    const alike = [one, filledAt(one, way, usual)].map((item) => ({ contains: { const: item } }))
    return { ...schema, allOf: [...schemaList(schema, 'allOf'), { not: { allOf: alike } }] }
  }

  /** Rewrites the schemas at the next step: a property, `-` for an item, `*` for any other property. */
  #within(schema: JsonObject, [step = '', ...rest]: Way, isTried: boolean): JsonObject {
    const inner = (value: Json): Json => (isSchema(value) ? this.#of(value, rest, isTried) : value)
    let read = schema
    const at = (keyword: string, isWanted: boolean): void => {
      const value = own(schema, keyword)
      if (isWanted && value !== undefined)
        read = withMember(read, keyword, isArray(value) ? mapped(value, inner) : inner(value))
    }
    const inMap = (keyword: string, isWanted: (name: string) => boolean): void => {
      for (const [name, value] of schemaMap(schema, keyword))
        if (isWanted(name))
          read = withMember(read, keyword, withMember(asObject(own(read, keyword)), name, inner(value)))
    }
    const first = schemaList(schema, 'prefixItems')
    const isAt = (index: number): boolean => step === '-' || step === String(index)
    if (first.some((_, index) => isAt(index)))
      read = withMember(
        read,
        'prefixItems',
        mapped(first, (part, index) => (isAt(index) ? inner(part) : part)),
      )
    at('items', step === '-')
    inMap('properties', (name) => name === step)
    inMap('patternProperties', (pattern) => step === '*' || regExp(pattern).test(step))
    at('additionalProperties', step === '*')
    return read
  }

  /**
   * Rewrites the object keywords at the path: unchanged for objects with the property, and with the default for others.
   */
  #properties(schema: JsonObject, isTried: boolean, parts: Schema[], stated: JsonObject): JsonObject {
    const name = this.#name
    const value = own(asObject(own(asObject(own(schema, 'properties')), name)), 'default')
    if (value !== undefined) this.isDeclared = true
    if (this.values === undefined)
      return requiredOf(schema).includes(name)
        ? { ...schema, required: without(requiredOf(schema), name) }
        : schema
    const isFirst = this.#filled === undefined
    if (value !== undefined && !isTried) {
      this.#filled ??= { value }
      this.usual ??= value
    }
    const dependent = schemaMap(schema, 'dependentSchemas').map(
      ([key, part]) => [key, this.#of(part, [name], true)] as const,
    )
    const isSame = dependent.every(([key, part]) => own(asObject(schema.dependentSchemas), key) === part)
    const read = isSame ? schema : { ...schema, dependentSchemas: objectOf(dependent) }
    if (this.#filled === undefined) return read
    const entries = Object.entries(read)
    // If the schema evaluates the property itself, its default is never unevaluated.
    const isMoved = (keyword: string): boolean =>
      ofObjects.has(keyword) && (keyword !== 'unevaluatedProperties' || !this.#evaluates(stated))
    const asked = objectOf(entries.filter(([keyword]) => isMoved(keyword)))
    const completed = this.#completed(asked, this.#filled.value, this.values, isFirst)
    if (completed === asked) return read
    parts.push(
      objectOf([
        ['if', { required: [name] }],
        ['then', asked],
        ['else', completed],
      ]),
    )
    return objectOf(entries.filter(([keyword]) => !isMoved(keyword)))
  }

  /** Whether a schema describes the property in every object, so that it is evaluated. */
  #evaluates(schema: Schema | undefined, seen = new Set<Schema>()): boolean {
    if (!isObject(schema) || seen.has(schema)) return false
    seen.add(schema)
    if (Object.hasOwn(asObject(schema.properties), this.#name)) return true
    const parts = [this.components.get(referenceOf(schema) ?? ''), ...schemaList(schema, 'allOf')]
    return parts.some((part) => this.#evaluates(part, seen))
  }

  /** What object keywords require of an object without the property once it has the default. */
  #completed(asked: JsonObject, value: Json, values: Values, isFirst: boolean): Schema {
    const name = this.#name
    if ((own(asked, 'unevaluatedProperties') ?? true) !== true)
      throw new NotKnown(`unevaluatedProperties is where the default of ${name} is filled in`)
    const { propertyNames = true, additionalProperties = true, minProperties, maxProperties } = asked
    const patterns = schemaMap(asked, 'patternProperties').filter(([pattern]) => regExp(pattern).test(name))
    const declared = own(asObject(asked.properties), name)
    const named = [...(declared === undefined ? [] : [declared]), ...patterns.map(([, part]) => part)]
    const schemas = named.length === 0 ? [additionalProperties] : named
    if (!schemas.every((part) => !isSchema(part) || takesDefault(values, part, value))) return false
    if (isSchema(propertyNames) && propertyNames !== true && !values.accepts(propertyNames, name))
      return false
    if (maxProperties === 0) return false
    const dependentRequired = asObject(asked.dependentRequired)
    const dependentSchemas = asObject(asked.dependentSchemas)
    // Generated validators check this before they fill in the schema's own properties.
    const beside = isFirst ? [] : namesIn(own(dependentRequired, name))
    const needed = [...namesIn(asked.required), ...beside]
    const others = Object.entries(dependentRequired).filter(([key]) => key !== name)
    const further = own(dependentSchemas, name)
    const completed: JsonObject = {
      ...asked,
      ...(needed.length > 0 && { required: without(needed, name) }),
      ...(typeof minProperties === 'number' && { minProperties: Math.max(0, minProperties - 1) }),
      ...(typeof maxProperties === 'number' && { maxProperties: maxProperties - 1 }),
      ...(asked.dependentRequired !== undefined && {
        dependentRequired: objectOf(others.map(([key, list]) => [key, without(namesIn(list), name)])),
      }),
      ...(further !== undefined && { allOf: [further] }),
    }
    return fingerprint(completed) === fingerprint(asked) ? asked : completed
  }

  /** The listed objects. Those with the default are listed without the property, too. */
  #listed(schema: JsonObject): Schema[] {
    const { enum: many, const: one } = schema
    const values = isArray(many) ? many : one === undefined ? [] : [one]
    if (!values.some(isObject) || this.#filled === undefined) return []
    const usual = fingerprint(this.#filled.value)
    const left = values.flatMap((value): Json[] => {
      if (!isObject(value)) return [value]
      const { [this.#name]: found, ...others } = value
      return found !== undefined && fingerprint(found) === usual ? [others] : []
    })
    return [{ if: { required: [this.#name] }, else: { enum: left } }]
  }
}

/** A default is valid by its own schema, because the model has dropped invalid ones. */
function takesDefault(values: Values, schema: Schema, value: Json): boolean {
  if (schema === true) return true
  const usual = own(asObject(schema), 'default')
  return (usual !== undefined && fingerprint(usual) === fingerprint(value)) || values.accepts(schema, value)
}

/** Whether a step may lead to several values, or to one of a list. */
function isAnyStep(step: string): boolean {
  return step === '-' || step === '*' || /^\d+$/.test(step)
}

/** The object with the default at a path. */
function filledAt(value: Json, [name = '', ...rest]: Way, usual: Json): Json {
  const object = asObject(value)
  return withMember(object, name, rest.length === 0 ? usual : filledAt(own(object, name) ?? {}, rest, usual))
}

/** Keywords with schemas of the same value, in AJV's order. */
const inPlace = ['not', 'anyOf', 'oneOf', 'allOf', 'if', 'then', 'else']

/** Keywords that constrain the properties of an object. */
const ofObjects = keywordsThat(({ of, outdated }) => of === 'object' && outdated === undefined)

function namesIn(value: Json | undefined): string[] {
  return isArray(value) ? value.filter((name) => typeof name === 'string') : []
}

function without(names: readonly string[], name: string): string[] {
  return names.filter((one) => one !== name)
}

/** The mapped list, or the same list if nothing changes. */
function mapped(values: readonly Json[], map: (value: Json, index: number) => Json): readonly Json[] {
  const found = values.map(map)
  return found.some((value, index) => value !== values[index]) ? found : values
}

/** The object with another member, or the same object if it has that member already. */
function withMember(object: JsonObject, name: string, value: Json | undefined): JsonObject {
  if (value === undefined || own(object, name) === value) return object
  return objectOf([...Object.entries(object).filter(([key]) => key !== name), [name, value]])
}
