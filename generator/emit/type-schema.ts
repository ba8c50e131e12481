import type { Json, JsonObject } from '../load/document.js'
import { isArray, isObject, own } from '../load/json.js'
import { isBinarySchema } from '../model/binary.js'
import { objectOf, picked } from '../model/cursor.js'
import {
  discriminatorProperty,
  fixedValues,
  isDefaultBranch,
  leavesChildrenOpen,
  namedValues,
} from '../model/discriminator.js'
import type { Model, Schema } from '../model/model.js'
import { referenceOf, referenceTo, requiredOf, schemaList, schemaMap } from '../model/schema.js'
import { type SharedForms, shareForms } from './form.js'
import { isLeftOut } from './one-way.js'

/**
 * Forms of a schema as a type. `result`: what an answer holds, defaults present, nothing write-only.
 * `input`: what a handler gets, defaults filled in. `send`: what a caller sends, defaults optional; both
 * without what is read-only.
 */
export type TypeForm = 'result' | 'input' | 'send'

/** The earlier of two equal forms gives its name to both. */
const typeForms: readonly TypeForm[] = ['result', 'send', 'input']

/**
 * The component schemas' forms that are declared: the result form of each, so that a type of its own name
 * always means the same, and the others that operations use.
 */
export function typeFormsOf(model: Model): SharedForms<TypeForm> {
  const components = [...model.schemas.keys()].flatMap((name) =>
    isUpload(model, name) ? [] : [{ schema: { $ref: referenceTo(name) }, form: 'result' as const }],
  )
  const called = model.operations.flatMap((operation): { schema: Schema; form: TypeForm }[] => [
    { schema: operation.params, form: 'input' },
    { schema: operation.params, form: 'send' },
  ])
  return shareForms(model.schemas, [...components, ...called], typeRewriter(model), typeForms)
}

/** Whether a component stands for another one in bodies of parts, where it is only ever sent. */
function isUpload({ sources }: Model, name: string): boolean {
  const pointer = sources.get(name)?.pointer
  const original = name.replace(/Upload\d*$/, '')
  return pointer !== undefined && original !== name && sources.get(original)?.pointer === pointer
}

/**
 * Rewrites a schema into the part of JSON Schema that openapi-typescript turns into the type meant: one
 * kind of composition a level, enums without types, no booleans, `required` as the form has it. Property
 * names that its path handling trips over are spelled by {@link spelledKey}.
 */
export function typeRewriter(
  model: Model,
): (
  schema: Schema,
  form: TypeForm,
  refer: (name: string, form: TypeForm) => string,
  described?: (prepared: object, source: JsonObject) => void,
) => Schema {
  return (schema, form, refer, described) =>
    new Preparation(model, form, refer, described).prepare(schema, { inBranch: false, known: new Set() })
}

/** A property name in characters that stay themselves in a JSON pointer and a URI fragment. */
function spelledKey(name: string): string {
  if (/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name)) return name
  const units = Array.from({ length: name.length }, (_, index) => name.charCodeAt(index).toString(16))
  return `key~${units.join('.')}`
}

/** The property name that {@link spelledKey} spelled. */
export function originalKey(spelled: string): string {
  if (!spelled.startsWith('key~')) return spelled
  const units = spelled
    .slice('key~'.length)
    .split('.')
    .filter((unit) => unit !== '')
  return String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16)))
}

/** Formats that stand for the types of files until they are printed; no document's text reaches them. */
export const fileFormat = 'duet file'
export const sentFileFormat = 'duet sent file'
const file: JsonObject = { type: 'string', format: fileFormat }
const sentFile: JsonObject = { type: 'string', format: sentFileFormat }

/** A schema that no value satisfies, as openapi-typescript reads it. */
const never: JsonObject = { enum: [] }

/** What the children of a base add to it. */
const anyMembers: JsonObject = { type: 'object', additionalProperties: true }

const objectKeywords = ['properties', 'additionalProperties', 'patternProperties']
const compositions = ['allOf', 'anyOf', 'oneOf'] as const
const structuring = [...compositions, ...objectKeywords]
const typing = [
  '$ref',
  '$binary',
  'type',
  'enum',
  'const',
  'items',
  'prefixItems',
  ...objectKeywords,
  ...compositions,
]

interface Place {
  /** Below anyOf or oneOf, where validation fills no default in. */
  readonly inBranch: boolean
  /** Params that stand beside a branch; the branch only lets their names in. */
  readonly known: ReadonlySet<string>
  /** In allOf, where a child takes its base. */
  readonly isBase?: true
}

class Preparation {
  constructor(
    private readonly model: Model,
    private readonly form: TypeForm,
    private readonly refer: (name: string, form: TypeForm) => string,
    private readonly described: ((prepared: object, source: JsonObject) => void) | undefined,
  ) {}

  prepare(schema: Schema, place: Place): JsonObject {
    if (schema === true) return {}
    if (schema === false) return never
    const prepared = this.prepareObject(schema, place)
    this.described?.(prepared, schema)
    return prepared
  }

  private prepareObject(schema: JsonObject, place: Place): JsonObject {
    if (isBinarySchema(schema)) return this.form === 'send' ? sentFile : file
    const name = referenceOf(schema)
    if (name !== undefined) return this.reference(schema, name, place)
    const values = enumerated(schema)
    if (values !== undefined) return { enum: values }
    const types = own(schema, 'type')
    if (
      isArray(types) &&
      (types.length === 1 || structuring.some((keyword) => Object.hasOwn(schema, keyword)))
    ) {
      const parts = types.map((type) =>
        this.prepareObject(type === 'null' ? { type } : { ...schema, type }, place),
      )
      return parts.length === 1 ? (parts[0] ?? {}) : { anyOf: parts }
    }
    return this.composed(schema, place)
  }

  private reference(schema: JsonObject, name: string, place: Place): JsonObject {
    const form = this.form === 'input' && place.inBranch ? 'send' : this.form
    const target: JsonObject = { $ref: referenceTo(this.refer(name, form)) }
    const isOpen = place.isBase !== true && leavesChildrenOpen(this.model.schemas.get(name) ?? true)
    const reference = isOpen ? { allOf: [target, anyMembers] } : target
    const beside = picked(schema, (keyword) => keyword !== '$ref')
    if (!typing.some((keyword) => Object.hasOwn(beside, keyword)) && requiredOf(beside).length === 0)
      return reference
    const rest = this.prepareObject(beside, place)
    const parts = Object.keys(rest).length > 0 ? [reference, rest] : [reference]
    return { allOf: parts, required: requiredOf(schema).map(spelledKey) }
  }

  private composed(schema: JsonObject, place: Place): JsonObject {
    const core = this.core(schema, place)
    // Most schemas are composed of nothing.
    if (!compositions.some((keyword) => Object.hasOwn(schema, keyword))) return core ?? {}
    const known = place.inBranch
      ? place.known
      : new Set(schemaMap(schema, 'properties').map(([name]) => name))
    const branch: Place = { inBranch: true, known }
    const all = schemaList(schema, 'allOf')
      .filter((part) => part !== true)
      .map((part) => this.prepare(part, { ...place, isBase: true }))
    const unions = (['anyOf', 'oneOf'] as const).flatMap((keyword): JsonObject[] => {
      const branches = schemaList(schema, keyword)
      // A branch that says nothing of the type admits every type, and so the union does.
      if (branches.length === 0 || !branches.every(isTyped)) return []
      return [{ [keyword]: branches.map((part) => this.branch(schema, part, branch)) }]
    })
    const scalar = typeof core?.type === 'string' && core.type !== 'object' && core.type !== 'array'
    const parts = [...(core === undefined || (scalar && unions.length > 0) ? [] : [core]), ...all, ...unions]
    const [only] = parts
    if (only === undefined) return {}
    const required = this.requiredHere(schema, place)
    if (parts.length === 1 && (only === core || required.length === 0)) return only
    return { allOf: parts, ...(required.length > 0 && { required }) }
  }

  /** A branch of a discriminated union says which values of the discriminator are its own. */
  private branch(schema: JsonObject, part: Schema, place: Place): JsonObject {
    const prepared = this.prepare(part, place)
    const property = discriminatorProperty(schema)
    const values = namedValues(schema, part)
    if (property === undefined || values === undefined || isDefaultBranch(schema, part)) return prepared
    if (fixedValues(this.model.schemas, part, property) !== undefined) return prepared
    const tag = spelledKey(property)
    return {
      allOf: [prepared, { type: 'object', properties: { [tag]: { enum: values } }, required: [tag] }],
    }
  }

  /** What the schema says outside of compositions; undefined where that is nothing a type can say. */
  private core(schema: JsonObject, place: Place): JsonObject | undefined {
    const type = own(schema, 'type')
    if (type !== undefined && type !== 'object') {
      return {
        type,
        ...this.single(schema, 'items', place),
        ...(Object.hasOwn(schema, 'prefixItems') && {
          prefixItems: schemaList(schema, 'prefixItems').map((item) => this.prepare(item, place)),
        }),
      }
    }
    const properties = this.properties(schema, place)
    const rest = this.additional(schema, properties.length > 0, place)
    if (properties.length === 0 && rest === undefined) {
      const composed = compositions.some((keyword) => schemaList(schema, keyword).length > 0)
      if (type === undefined || composed) return undefined
      return {
        type: 'object',
        ...(own(schema, 'additionalProperties') === false && { additionalProperties: false }),
      }
    }
    const required = this.requiredHere(schema, place)
    return {
      type: 'object',
      ...(properties.length > 0 && { properties: objectOf(properties) }),
      ...(rest !== undefined && { additionalProperties: rest }),
      ...(required.length > 0 && { required }),
    }
  }

  private properties(schema: JsonObject, place: Place): [string, Json][] {
    const inner: Place = { inBranch: place.inBranch, known: new Set() }
    return schemaMap(schema, 'properties')
      .filter(([name, property]) => !this.isHidden(property) && !(property === true && place.known.has(name)))
      .map(([name, property]) => [spelledKey(name), this.prepare(property, inner)])
  }

  /** An index signature beside properties has to admit their types, so there it admits any. */
  private additional(schema: JsonObject, beside: boolean, place: Place): Json | undefined {
    const additional = own(schema, 'additionalProperties')
    const patterns = schemaMap(schema, 'patternProperties').map(([, value]) => value)
    const open = additional === true || isObject(additional) || patterns.length > 0
    if (!open) return undefined
    if (beside || additional === true) return true
    const schemas = [...(isObject(additional) ? [additional] : []), ...patterns]
    const [only] = schemas
    const inner: Place = { inBranch: place.inBranch, known: new Set() }
    if (schemas.length === 1 && only !== undefined) return isTyped(only) ? this.prepare(only, inner) : true
    return { anyOf: schemas.map((value) => this.prepare(value, inner)) }
  }

  private requiredHere(schema: JsonObject, place: Place): string[] {
    if (!Object.hasOwn(schema, 'properties')) return [...new Set(requiredOf(schema))].sort().map(spelledKey)
    const properties = new Map(schemaMap(schema, 'properties'))
    const stated = new Set(requiredOf(schema).filter((name) => !this.isHidden(properties.get(name))))
    for (const [name, property] of properties) {
      if (!hasDefault(property) || this.isHidden(property)) continue
      if (this.form === 'send') stated.delete(name)
      else if (this.form === 'result' || !place.inBranch) stated.add(name)
    }
    return [...stated].sort().map(spelledKey)
  }

  private isHidden(property: Schema | undefined): boolean {
    return isLeftOut(this.model.schemas, property, this.form === 'result' ? 'writeOnly' : 'readOnly')
  }

  private single(schema: JsonObject, keyword: string, place: Place): { [keyword: string]: Json } {
    const value = own(schema, keyword)
    if (typeof value !== 'boolean' && !isObject(value)) return {}
    return { [keyword]: this.prepare(value, { inBranch: place.inBranch, known: new Set() }) }
  }
}

function hasDefault(property: Schema): boolean {
  return isObject(property) && Object.hasOwn(property, 'default')
}

/** The values of an enum or constant that the schema's type admits; undefined where it lists none. */
function enumerated(schema: JsonObject): readonly Json[] | undefined {
  const listed = Object.hasOwn(schema, 'const') ? [schema.const ?? null] : own(schema, 'enum')
  if (!isArray(listed)) return undefined
  const type = own(schema, 'type')
  if (type === undefined) return listed
  const types = isArray(type) ? type : [type]
  return listed.filter((value) => types.some((name) => isOfType(value, name)))
}

function isOfType(value: Json, type: Json): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

function isTyped(schema: Schema): boolean {
  return isObject(schema) ? typing.some((keyword) => Object.hasOwn(schema, keyword)) : schema === false
}
