import { objectOf, picked } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { choices, compositions } from '../document/vocabulary.js'
import { isBinarySchema } from '../model/content/binary.js'
import type { Model } from '../model/model.js'
import type { Descendants, Family } from '../schema/descendants.js'
import {
  discriminatorProperty,
  fixedValues,
  isDefaultBranch,
  leavesChildrenOpen,
  namedValues,
} from '../schema/discriminator.js'
import { isInt64 } from '../schema/int64.js'
import { defaultedNames, isLeftOut } from '../schema/one-way.js'
import { referenceOf, referenceTo, requiredOf, type Schema, schemaList, schemaMap } from '../schema/schema.js'
import { alternativesOf } from './type-conditions.js'
import type { OwnForm, TypeForm } from './type-form.js'
import {
  enumerated,
  isOfObjects,
  isRequirement,
  isTyped,
  requiredBeyond,
  requiredElsewhere,
  structuring,
  typing,
} from './type-keywords.js'
import { bigintFormat, fileFormat, originalKey, sentFileFormat, spelledKey } from './type-spelling.js'

const file: JsonObject = { type: 'string', format: fileFormat }
const sentFile: JsonObject = { type: 'string', format: sentFileFormat }

/** A schema that no value satisfies, for openapi-typescript. */
const never: JsonObject = { enum: [] }

/** The members that children add to a base. */
const anyMembers: JsonObject = { type: 'object', additionalProperties: true }

interface SchemaContext {
  /** Below anyOf or oneOf, where validation does not fill in defaults. */
  readonly inBranch: boolean
  /** Params next to a branch. The branch only permits their names. */
  readonly known: ReadonlySet<string>
  /** In allOf, as a child's reference to its base. */
  readonly isBase?: true
  /** Another schema that applies here is an int64 that is not a number. */
  readonly isInt64?: true
  /** The schema that applies to the same value. Undefined below properties and items. */
  readonly root?: Schema
}

/** Rewrites the schemas of one form; see `typeRewriter`. */
export class TypePreparation {
  constructor(
    private readonly model: Model,
    private readonly families: Descendants,
    private readonly form: OwnForm,
    private readonly refer: (name: string, form: TypeForm) => string,
    private readonly described: ((prepared: object, source: JsonObject) => void) | undefined,
    private readonly isPlain: (name: string) => boolean,
  ) {}

  prepare(schema: Schema, place: SchemaContext): JsonObject {
    if (schema === true) return {}
    if (schema === false) return never
    const prepared = this.prepareObject(schema, place)
    this.described?.(prepared, schema)
    return prepared
  }

  /** A base, as a union of the schemas that its discriminator selects. */
  family({ base, property, members }: Family): JsonObject {
    const tag = spelledKey(property)
    const declared = this.declared(base, property)
    const isOptional = this.form === 'send' && declared !== undefined && hasDefault(declared)
    const anyOf = members.map(({ name, values, required }) => {
      const inner = name === base ? undefined : this.families.familyOf(name)
      const isFamily = inner !== undefined && inner.property !== property
      const reference = { $ref: referenceTo(this.refer(name, isFamily ? `family-${this.form}` : this.form)) }
      if (values === undefined) return reference
      const isRequired = required && !(isOptional && name === base)
      const tagged = { type: 'object', properties: { [tag]: { enum: values } } }
      return { allOf: [reference, isRequired ? { ...tagged, required: [tag] } : tagged] }
    })
    return { anyOf }
  }

  /** The base's declaration of its discriminator property. */
  private declared(base: string, property: string): Schema | undefined {
    const schema = this.model.schemas.get(base)
    return isObject(schema) ? new Map(schemaMap(schema, 'properties')).get(property) : undefined
  }

  /**
   * Whether a reference to a base includes its family. It does not if a type would be circular, or if there
   * is no discriminator.
   */
  private isFamily(name: string, place: SchemaContext): boolean {
    const family = place.isBase === true ? undefined : this.families.familyOf(name)
    if (family === undefined || this.isHidden(this.declared(name, family.property))) return false
    return place.root === undefined || this.families.mayHold(place.root, name)
  }

  private prepareObject(schema: JsonObject, around: SchemaContext): JsonObject {
    if (isBinarySchema(schema)) return this.form === 'send' ? sentFile : file
    const isInteger = around.isInt64 === true || (this.int64 !== undefined && this.isInt64At(schema))
    const place: SchemaContext = isInteger ? { ...around, isInt64: true } : around
    const name = referenceOf(schema)
    if (name !== undefined) return this.reference(schema, name, place)
    const values = enumerated(schema)
    if (values !== undefined)
      return isInteger && this.int64 ? int64Literals(values, this.int64) : { enum: values }
    const types = own(schema, 'type')
    if (
      isArray(types) &&
      (types.length === 1 || isInteger || structuring.some((keyword) => Object.hasOwn(schema, keyword)))
    ) {
      const parts = types.map((type) =>
        this.prepareObject(type === 'null' ? { type } : { ...schema, type }, place),
      )
      return parts.length === 1 ? (parts[0] ?? {}) : { anyOf: parts }
    }
    return this.composed(schema, place)
  }

  /** The TypeScript type of int64. Undefined for a number. */
  private get int64(): 'bigint' | 'string' | undefined {
    return this.model.int64 === 'number' ? undefined : this.model.int64
  }

  /** Whether a schema, its reference or a part of its allOf declares an int64. */
  private isInt64At(schema: Schema, seen: Set<Schema> = new Set()): boolean {
    if (!isObject(schema) || seen.has(schema)) return false
    seen.add(schema)
    const target = this.model.schemas.get(referenceOf(schema) ?? '') ?? true
    return (
      isInt64(schema) || [target, ...schemaList(schema, 'allOf')].some((part) => this.isInt64At(part, seen))
    )
  }

  private reference(schema: JsonObject, name: string, place: SchemaContext): JsonObject {
    const form = this.form === 'input' && place.inBranch ? 'send' : this.form
    const isFamily = this.isFamily(name, place)
    const target: JsonObject = { $ref: referenceTo(this.refer(name, isFamily ? `family-${form}` : form)) }
    const isOpen =
      place.isBase !== true && !isFamily && leavesChildrenOpen(this.model.schemas.get(name) ?? true)
    const reference = isOpen ? { allOf: [target, anyMembers] } : target
    const siblings = picked(schema, (keyword) => keyword !== '$ref')
    if (!typing.some((keyword) => Object.hasOwn(siblings, keyword)) && requiredOf(siblings).length === 0)
      return reference
    const rest = this.prepareObject(siblings, { ...place, isBase: true })
    const parts = Object.keys(rest).length > 0 ? [reference, rest] : [reference]
    const required = requiredOf(schema)
    return { allOf: [...parts, ...this.members(schema, required, place)], required: required.map(spelledKey) }
  }

  private composed(schema: JsonObject, place: SchemaContext): JsonObject {
    const core = this.core(schema, place)
    // Most schemas have no composition.
    const conditions = alternativesOf(schema, this.isPlain)
    const required = this.requiredTogether(schema, place)
    const members = this.members(schema, required.map(originalKey), place)
    const isComposed = compositions.some((keyword) => Object.hasOwn(schema, keyword))
    if (!isComposed && conditions.length === 0 && (core === undefined || members.length === 0))
      return core ?? {}
    const known = place.inBranch
      ? place.known
      : new Set(schemaMap(schema, 'properties').map(([name]) => name))
    const branch: SchemaContext = {
      inBranch: true,
      known,
      ...(place.root !== undefined && { root: place.root }),
      ...(place.isInt64 === true && { isInt64: true }),
    }
    const all = schemaList(schema, 'allOf')
      .filter((part) => part !== true && !isRequirement(part))
      .map((part) => this.prepare(part, { ...place, isBase: true }))
    const alternatives = [
      ...choices.map((keyword) => ({ keyword, branches: schemaList(schema, keyword) })),
      ...conditions.map((branches) => ({ keyword: 'anyOf', branches })),
    ]
    const unions = alternatives.flatMap(({ keyword, branches }): JsonObject[] => {
      // A branch without a type admits every type, and so does the union.
      if (branches.length === 0 || !branches.every(isTyped)) return []
      return [{ [keyword]: branches.map((part) => this.branch(schema, part, branch)) }]
    })
    const scalar = typeof core?.type === 'string' && core.type !== 'object' && core.type !== 'array'
    const parts = [
      ...(core === undefined || (scalar && unions.length > 0) ? [] : [core]),
      ...all,
      ...unions,
      ...members,
    ]
    const [only] = parts
    if (only === undefined) return {}
    if (parts.length === 1 && (only === core || required.length === 0)) return only
    return { allOf: parts, ...(required.length > 0 && { required }) }
  }

  /** A branch of a discriminated union has its own values of the discriminator. */
  private branch(schema: JsonObject, part: Schema, place: SchemaContext): JsonObject {
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

  /** The schema without its compositions. Undefined if a type cannot express any of it. */
  private core(schema: JsonObject, place: SchemaContext): JsonObject | undefined {
    const type = own(schema, 'type')
    if (place.isInt64 === true && this.int64 && (type === 'integer' || type === 'number'))
      return int64Type(this.int64)
    if (type !== undefined && type !== 'object') {
      return {
        type,
        ...(Object.hasOwn(schema, 'prefixItems') ? this.tuple(schema, place) : this.items(schema, place)),
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

  private properties(schema: JsonObject, place: SchemaContext): [string, Json][] {
    const inner: SchemaContext = { inBranch: place.inBranch, known: new Set() }
    return schemaMap(schema, 'properties')
      .filter(([name, property]) => !this.isHidden(property) && !(property === true && place.known.has(name)))
      .map(([name, property]) => [spelledKey(name), this.prepare(property, inner)])
  }

  /** An index signature must admit the types of all properties, so with properties it admits any type. */
  private additional(schema: JsonObject, hasProperties: boolean, place: SchemaContext): Json | undefined {
    const additional = own(schema, 'additionalProperties')
    const patterns = schemaMap(schema, 'patternProperties').map(([, value]) => value)
    const open = additional === true || isObject(additional) || patterns.length > 0
    if (!open) return undefined
    if (hasProperties || additional === true) return true
    const schemas = [...(isObject(additional) ? [additional] : []), ...patterns]
    const [only] = schemas
    const inner: SchemaContext = { inBranch: place.inBranch, known: new Set() }
    if (schemas.length === 1 && only !== undefined) return isTyped(only) ? this.prepare(only, inner) : true
    return { anyOf: schemas.map((value) => this.prepare(value, inner)) }
  }

  /** Members that are required, but not declared by any part whose type would require them. */
  private members(schema: JsonObject, required: readonly string[], place: SchemaContext): JsonObject[] {
    // Children add the required names that the base omits.
    if (place.isBase === true || !isOfObjects(schema)) return []
    const names = requiredBeyond(this.model.schemas, schema, required).filter(this.isPlain).map(spelledKey)
    if (names.length === 0) return []
    return [{ type: 'object', properties: objectOf(names.map((name) => [name, {}])), required: names }]
  }

  /** Optional items, and the type of further ones. */
  private tuple(schema: JsonObject, place: SchemaContext): JsonObject {
    const inner: SchemaContext = { inBranch: place.inBranch, known: new Set() }
    const most = own(schema, 'maxItems')
    const listed = schemaList(schema, 'prefixItems')
    const items = typeof most === 'number' ? listed.slice(0, most) : listed
    const isFull = typeof most === 'number' && most <= listed.length
    return {
      prefixItems: items.map((item) => this.prepare(item, inner)),
      minItems: own(schema, 'minItems') ?? 0,
      ...(isFull ? { items: never } : this.items({ items: true, ...schema }, place)),
    }
  }

  private requiredHere(schema: JsonObject, place: SchemaContext): string[] {
    if (!Object.hasOwn(schema, 'properties')) return [...new Set(requiredOf(schema))].sort().map(spelledKey)
    const properties = new Map(schemaMap(schema, 'properties'))
    const stated = new Set(requiredOf(schema).filter((name) => !this.isHidden(properties.get(name))))
    for (const [name, property] of properties) {
      if (!hasDefault(property) || this.isHidden(property)) continue
      if (this.form === 'send') stated.delete(name)
      else if (this.form === 'input' && !place.inBranch) stated.add(name)
    }
    return [...stated].sort().map(spelledKey)
  }

  /** Names that the schema requires, or that a part of the allOf requires and another part declares. */
  private requiredTogether(schema: JsonObject, place: SchemaContext): string[] {
    const here = this.requiredHere(schema, place)
    const others = requiredElsewhere(this.model.schemas, schema)
    if (others.length === 0 && (here.length === 0 || Object.hasOwn(schema, 'properties'))) return here
    const optional = this.form === 'send' ? defaultedNames(this.model.schemas, schema) : new Set<string>()
    const names = [...here.map(originalKey), ...others].filter((name) => !optional.has(name))
    return [...new Set(names)].sort().map(spelledKey)
  }

  private isHidden(property: Schema | undefined): boolean {
    return isLeftOut(this.model.schemas, property, this.form === 'result' ? 'writeOnly' : 'readOnly')
  }

  private items(schema: JsonObject, place: SchemaContext): { items?: Json } {
    const value = own(schema, 'items')
    if (typeof value !== 'boolean' && !isObject(value)) return {}
    return { items: this.prepare(value, { inBranch: place.inBranch, known: new Set() }) }
  }
}

function int64Type(as: 'bigint' | 'string', value?: number): JsonObject {
  if (as === 'bigint') {
    const format = value === undefined ? bigintFormat : `${bigintFormat} ${BigInt(value)}`
    return { type: 'string', format }
  }
  return value === undefined ? { type: 'string' } : { enum: [String(BigInt(value))] }
}

function int64Literals(values: readonly Json[], as: 'bigint' | 'string'): JsonObject {
  const anyOf = values.map((value) =>
    typeof value === 'number' && Number.isInteger(value) ? int64Type(as, value) : { enum: [value] },
  )
  const [only, another] = anyOf
  return only !== undefined && another === undefined ? only : { anyOf }
}

function hasDefault(property: Schema): boolean {
  return isObject(property) && Object.hasOwn(property, 'default')
}
