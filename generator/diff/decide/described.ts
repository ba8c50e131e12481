import { objectOf, omitted } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isObject, own } from '../../document/json.js'
import {
  type Choice,
  choices,
  compositions,
  inPlaceKeywords,
  itemKeywords,
  keywordsThat,
  memberKeywords,
  namingKeywords,
  otherMembers,
  singlesInPlace,
} from '../../document/vocabulary.js'
import {
  isSchema,
  mapSubschemas,
  referenceOf,
  type Schema,
  schemaList,
  schemaMap,
} from '../../schema/schema.js'
import { asObject } from '../change/side.js'
import type { Whole } from './whole-schema.js'

/**
 * The values that callers send by a schema, given the convention that callers send no property that the schema does not
 * describe, however open its objects are. Values must match the original schema as well: inside `oneOf` and `not`,
 * fewer values may mean more.
 *
 * `kept`: names of components that stay as they are.
 */
export function described({ schema, components }: Whole, kept: ReadonlySet<string>): JsonObject {
  const names = new Names(components, kept)
  const whole = names.closed(schema)
  const entries = [...components]
  return {
    ...(isObject(whole) ? whole : { allOf: [whole] }),
    components: {
      schemas: objectOf(
        entries.map(([name, part]) => [name, kept.has(name) ? part : names.inPlace(part)] as const),
      ),
      closed: objectOf(
        entries
          .filter(([name]) => !kept.has(name))
          .map(([name, part]) => [name, names.closed(part)] as const),
      ),
    },
  }
}

/** Keywords whose schemas describe other values. */
const within = keywordsThat(
  ({ name, binds }) => binds === undefined && (itemKeywords.has(name) || memberKeywords.has(name)),
)
/** Keywords whose schemas describe the same value. */
const inPlace = keywordsThat(({ name, binds }) => inPlaceKeywords.has(name) && binds !== 'test')

class Names {
  constructor(
    readonly components: ReadonlyMap<string, Schema>,
    readonly kept: ReadonlySet<string>,
  ) {}

  /** A schema whose values have only described properties. */
  closed(schema: Schema): Schema {
    if (!isObject(schema)) return schema
    const { $ref: reference, ...others } = schema
    const name = referenceOf(schema)
    if (name !== undefined && this.kept.has(name)) return schema
    if (typeof reference === 'string' && name !== undefined && Object.keys(others).length === 0)
      return { $ref: reference.replace('/schemas/', '/closed/') }
    const part = this.inPlace(schema, [])
    const type = own(schema, 'type')
    if (type !== undefined && ![type].flat().includes('object')) return part
    // A property that only one branch names does not occur in the other branches.
    const found = waysOf(schema).map((way) => this.#allowed(way))
    const [only] = found
    const named = found.length === 1 && only !== undefined ? only : { anyOf: found }
    return { allOf: [part, named] }
  }

  /** If some branches describe a property, an object with that property must match one of them. */
  #bound(schema: JsonObject, keyword: Choice, around: readonly Schema[]): Schema[] {
    const { [keyword]: _, ...rest } = schema
    const branches = schemaList(schema, keyword)
    if (branches.length < 2) return []
    const free = namesOf(this.#gathered([rest, ...around]))
    const known = branches.map((branch) => ({
      branch: this.inPlace(branch),
      names: namesOf(this.#described([branch])),
    }))
    const names = new Set(known.flatMap((one) => [...(one.names ?? [])]))
    if (free === undefined) return []
    const bound = [...names].flatMap((name): [string, Json][] => {
      const speakers = known.filter((one) => one.names?.has(name) ?? true)
      if (free.has(name) || speakers.length === branches.length) return []
      return [[name, { anyOf: speakers.map(({ branch }) => branch) }]]
    })
    // Some branches describe every name.
    const open = known.filter((one) => one.names === undefined)
    const others = onlyNamed([...names, ...free])
    return [
      ...(bound.length === 0 ? [] : [{ dependentSchemas: objectOf(bound) }]),
      ...(open.length === 0 || open.length === branches.length
        ? []
        : [{ anyOf: [others, ...open.map(({ branch }) => branch)] }]),
    ]
  }

  /** Accepts only the names that some schemas describe. Accepts any name if they describe all others. */
  #allowed(schemas: readonly Schema[]): Schema {
    const spoken = this.#described(schemas)
    if (spoken === undefined) return true
    return onlyNamed([...spoken.names], [...spoken.patterns])
  }

  /**
   * A schema whose nested property and item schemas are closed, and that itself stays open for its siblings.
   *
   * `around`: the schemas of the same value beside this one, if all are known. Then it binds properties to the branches
   * that describe them. Not in a `oneOf`, where fewer values may mean more.
   */
  inPlace(schema: Schema, around?: readonly Schema[]): Schema {
    if (!isObject(schema)) return schema
    const part = mapSubschemas(schema, (part, keyword) => {
      if (!isSchema(part)) return true
      if (within.has(keyword)) return this.closed(part)
      if (!inPlace.has(keyword)) return part
      const isKnown = around !== undefined && (keyword === 'allOf' || keyword === 'anyOf')
      return this.inPlace(part, isKnown ? [...around, ...besides(schema, keyword, part)] : undefined)
    })
    const bound = around === undefined ? [] : choices.flatMap((key) => this.#bound(schema, key, around))
    return bound.length === 0 ? part : { allOf: [part, ...bound] }
  }

  /** What schemas describe together. Undefined if they describe all names, or say nothing of the value. */
  #described(schemas: readonly Schema[]): Spoken | undefined {
    const found = this.#gathered(schemas)
    const target = (schema: JsonObject) => this.components.get(referenceOf(schema) ?? '')
    return schemas.every((schema) => isOfAny(schema, target)) ? undefined : found
  }

  /** The names and patterns in schemas. Undefined if they describe all other names too. */
  #gathered(schemas: readonly Schema[]): Spoken | undefined {
    const spoken: Spoken = { names: new Set(), patterns: new Set() }
    const seen = new Set<Schema>()
    return schemas.every((schema) => this.#gather(schema, spoken, seen)) ? spoken : undefined
  }

  /** Adds the names and patterns that a schema describes. False if it describes all other names too. */
  #gather(schema: Schema, spoken: Spoken, seen: Set<Schema>): boolean {
    if (!isObject(schema) || seen.has(schema)) return true
    seen.add(schema)
    if (otherMembers.some((key) => isObject(own(schema, key)))) return false
    for (const [pattern] of schemaMap(schema, 'patternProperties')) spoken.patterns.add(pattern)
    for (const keyword of namingKeywords)
      for (const [name] of schemaMap(schema, keyword)) spoken.names.add(name)
    const dependent = asObject(own(schema, 'dependentRequired'))
    for (const name of Object.keys(dependent)) spoken.names.add(name)
    for (const required of [own(schema, 'required'), ...Object.values(dependent)])
      if (Array.isArray(required)) for (const name of required) spoken.names.add(String(name))
    const target = this.components.get(referenceOf(schema) ?? '')
    const lists = compositions.flatMap((keyword) => schemaList(schema, keyword))
    const single = singlesInPlace.flatMap((keyword) => asSchemas(own(schema, keyword)))
    const byName = schemaMap(schema, 'dependentSchemas').map(([, part]) => part)
    const parts = [...(target === undefined ? [] : [target]), ...lists, ...single, ...byName]
    return parts.every((part) => this.#gather(part, spoken, seen))
  }
}

/** What applies to the same value beside a part of a schema. */
function besides(schema: JsonObject, keyword: 'allOf' | 'anyOf', part: Schema): Schema[] {
  const others = keyword === 'allOf' ? schemaList(schema, keyword).filter((one) => one !== part) : []
  return [omitted(schema, keyword), ...others]
}

function onlyNamed(names: readonly string[], patterns: readonly string[] = []): Schema {
  // Draft 4 to 7 say that an enum has a value, and AJV insists.
  const listed = names.length === 0 ? [] : [{ enum: names }]
  const ways: Schema[] = [...listed, ...patterns.map((pattern) => ({ pattern }))]
  const [only = false] = ways
  return { propertyNames: ways.length > 1 ? { anyOf: ways } : only }
}

/** Property names and name patterns that a schema describes. */
interface Spoken {
  readonly names: Set<string>
  readonly patterns: Set<string>
}

/** Undefined if patterns describe other names. */
const namesOf = (spoken: Spoken | undefined): ReadonlySet<string> | undefined =>
  spoken?.patterns.size === 0 ? spoken.names : undefined

/**
 * Whether some values of a schema are any: it says nothing of their type or their properties. Of branches, one is
 * enough. `target`: the schema that a reference leads to.
 */
export function isOfAny(
  schema: Json,
  target: (schema: JsonObject) => Json | undefined,
  seen: ReadonlySet<Json> = new Set(),
): boolean {
  if (!isObject(schema)) return schema === true
  const isNamed = [...namingKeywords, 'patternProperties', 'required'].some(
    (keyword) => Object.keys(own(schema, keyword) ?? {}).length > 0,
  )
  const { type, enum: listed = schema.const } = schema
  const isTyped = type !== undefined || (listed !== undefined && ![listed].flat().some(isObject))
  if (isNamed || isTyped || seen.has(schema)) return false
  const isAny = (part: Json): boolean => isOfAny(part, target, new Set([...seen, schema]))
  const parts = [...schemaList(schema, 'allOf'), target(schema) ?? true]
  const branches = choices.map((keyword) => schemaList(schema, keyword))
  return parts.every(isAny) && branches.every((list) => list.length === 0 || list.some(isAny))
}

/** The parts that apply together, for each choice of branches. */
function waysOf(schema: Schema): Schema[][] {
  const branches = isObject(schema) ? schemaList(schema, 'oneOf') : []
  if (!isObject(schema) || branches.length === 0) return [[schema]]
  const { oneOf: _, ...rest } = schema
  return branches.flatMap(waysOf).map((way) => [rest, ...way])
}

function asSchemas(value: Json | undefined): Schema[] {
  return isSchema(value) ? [value] : []
}
