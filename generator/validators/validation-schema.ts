import { objectOf, picked } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { keywordNamed } from '../document/vocabulary.js'
import type { Model } from '../model/model.js'
import { patternPlan } from '../patterns/pattern-plan.js'
import { fingerprint } from '../schema/canonical.js'
import { discriminationOf } from '../schema/discriminator.js'
import { evaluatingIf, evaluatingItems } from '../schema/evaluation.js'
import type { Rewrite } from '../schema/form.js'
import { isInt64 } from '../schema/int64.js'
import {
  conditional,
  eitherWay,
  isLeftOut,
  type OneWay,
  tentative,
  withoutDefaulted,
  withoutLeftOut,
} from '../schema/one-way.js'
import { withPrototypeName } from '../schema/prototype-name.js'
import {
  isAnnotation,
  isSchema,
  mapSubschemas,
  referenceOf,
  requiredOf,
  type Schema,
  schemaList,
  schemaMap,
  subschemas,
} from '../schema/schema.js'
import { exactFormat } from './compiler.js'
import { discriminatorOf } from './discriminator-keyword.js'
import type { ValidationForm } from './validation-form.js'

/** Rewrites a schema for a validator: keeps only assertions, in the given form. */
export function validationRewriter(model: Model): Rewrite<ValidationForm> {
  const rewrite: Rewrite<ValidationForm> = (given, form, refer) => {
    const sent = withoutLeftOut(model.schemas, given, leftOutOf(form))
    const whole = form === 'branch' ? withoutDefaulted(model.schemas, sent) : sent
    if (!isObject(whole)) return whole
    const schema = evaluatingItems(whole, (part) => model.schemas.get(referenceOf(part) ?? ''))
    const chosen = form === 'params' ? discriminationOf(model.schemas, schema)?.keyword : undefined
    const name = referenceOf(schema)
    const kept = picked(schema, (keyword) => validates(keyword, form))
    const mapped = mapSubschemas(kept, (subschema, keyword) => {
      // The branch that a discriminator selects is the only one checked.
      const below = keyword === chosen ? form : formBelow(keyword, form)
      return isSchema(subschema) ? rewrite(subschema, below, refer) : true
    })
    const strict = (branch: Schema) => rewrite(branch, 'condition', refer)
    const exact = isEvaluationTracked(model) ? evaluatingIf(mapped) : mapped
    const finished = finish(model, schema, exact, form, name === undefined ? undefined : refer(name, form))
    const result = withoutGuess(schema, form === 'params' ? beforeDefaults(finished) : finished)
    return form === 'params' || form === 'branch' ? eitherWay(model.schemas, schema, result, strict) : result
  }
  return rewrite
}

/** Whether a schema uses a name that every object inherits, so that only own properties may count. */
export function usesInheritedNames(schema: Schema): boolean {
  return someSubschema(schema, (part) => {
    const discriminator = own(part, 'discriminator')
    const names = [
      ...(isObject(discriminator) ? [String(discriminator.property)] : []),
      ...requiredOf(part),
      ...dependentNames(part),
      ...schemaMap(part, 'properties').map(([name]) => name),
    ]
    return names.some((name) => inherited.has(name))
  })
}

/** Whether `unevaluatedProperties` occurs anywhere in the schema. Validators have no `unevaluatedItems`. */
export function usesUnevaluated(schema: Schema): boolean {
  return someSubschema(schema, (part) => Object.hasOwn(part, 'unevaluatedProperties'))
}

const tracked = new WeakMap<Model, boolean>()

/** Whether any schema of a model asks which members others evaluate. */
export function isEvaluationTracked(model: Model): boolean {
  const known = tracked.get(model)
  if (known !== undefined) return known
  const used = [
    ...model.schemas.values(),
    ...model.operations.flatMap(({ params, result, pieces = true, failures }) => [
      params,
      result,
      pieces,
      ...failures.map(({ schema = true }) => schema),
    ]),
  ].some(usesUnevaluated)
  tracked.set(model, used)
  return used
}

function someSubschema(schema: Schema, test: (part: JsonObject) => boolean): boolean {
  if (!isObject(schema)) return false
  return test(schema) || subschemas(schema).some((part) => someSubschema(part.schema, test))
}

const inherited = new Set(Object.getOwnPropertyNames(Object.prototype))

function formBelow(keyword: string, form: ValidationForm): ValidationForm {
  if (form !== 'params' && form !== 'branch') return form
  if (conditional.has(keyword)) return 'condition'
  return tentative.has(keyword) ? 'branch' : form
}

/**
 * AJV fills in defaults before it checks the requirements between properties, and after `allOf`. So an omitted
 * property requires nothing, and one with a default is not missing.
 */
function beforeDefaults(schema: JsonObject): JsonObject {
  const properties = new Map(schemaMap(schema, 'properties'))
  const hasDefault = (name: string): boolean => {
    const property = properties.get(name)
    return isObject(property) && Object.hasOwn(property, 'default')
  }
  const { dependentRequired: dependent, ...rest } = schema
  if (!isObject(dependent) || ![...properties.keys()].some(hasDefault)) return schema
  const entries = Object.entries(dependent).map(([name, others]): [string, Json] => [
    name,
    isArray(others) ? others.filter((other) => typeof other !== 'string' || !hasDefault(other)) : others,
  ])
  return { ...rest, allOf: [...schemaList(rest, 'allOf'), { dependentRequired: objectOf(entries) }] }
}

/**
 * A body's constraint, or no body at all. The names that are present decide, so the errors describe the body
 * instead of asking for its absence.
 */
function withoutGuess(source: JsonObject, written: JsonObject): JsonObject {
  const [constraint] = schemaList(written, 'anyOf')
  const names = namesWithout(source)
  if (constraint === undefined || names === undefined || Object.hasOwn(written, 'if')) return written
  const { anyOf: _, ...rest } = written
  const isAbsent = names.length === 0 ? { maxProperties: 0 } : { propertyNames: { enum: names } }
  return { ...rest, if: isAbsent, else: constraint }
}

/** The names of the only members that an object may have as an alternative to a constraint. */
function namesWithout(schema: JsonObject): readonly string[] | undefined {
  const [, absent, ...others] = schemaList(schema, 'anyOf')
  if (schema.type !== 'object' || !isObject(absent) || others.length > 0) return undefined
  const { type, properties: _, additionalProperties, ...rest } = absent
  const isClosed = type === 'object' && additionalProperties === false && Object.keys(rest).length === 0
  const known = new Map(schemaMap(schema, 'properties'))
  const properties = schemaMap(absent, 'properties')
  const isKnown = properties.every(([name, property]) => {
    const other = known.get(name)
    return other !== undefined && fingerprint(other) === fingerprint(property)
  })
  return isClosed && isKnown ? properties.map(([name]) => name) : undefined
}

function validates(keyword: string, form: ValidationForm): boolean {
  if (keyword === 'default') return form === 'params'
  return keyword !== '$int64' && keywordNamed(keyword)?.role !== 'note' && !isAnnotation(keyword)
}

function finish(
  model: Model,
  source: JsonObject,
  mapped: JsonObject,
  form: ValidationForm,
  reference: string | undefined,
): JsonObject {
  const listed = own(source, 'enum')
  if (isArray(listed) && listed.length === 0) return { not: {} }
  const result: { [keyword: string]: Json } = { ...mapped }
  if (reference !== undefined) result.$ref = reference
  if (form !== 'result' && source['x-timezone'] === true && source.format === 'date-time') {
    result.format = 'zoned-date-time'
  }
  if (isInt64(source)) result.format = exactFormat(String(source.format))
  discriminate(model, source, result)
  boundNames(result)
  const properties = new Map(schemaMap(source, 'properties'))
  const mark = leftOutOf(form)
  const leftOut = [...properties].filter(([, property]) => isLeftOut(model.schemas, property, mark))
  if (leftOut.length > 0) {
    const forbidden = leftOut.map(([name]): [string, Json] => [name, { [mark]: true }])
    const kept = new Map([...schemaMap(result, 'properties'), ...forbidden])
    result.properties = objectOf(kept)
  }
  return withPrototypeName(result)
}

/** Lets the value of the discriminator select the branch, if it can. */
function discriminate(model: Model, source: JsonObject, result: { [keyword: string]: Json }): void {
  const discrimination = discriminationOf(model.schemas, source)
  if (discrimination === undefined) return
  const { keyword, property, absent, nullable } = discrimination
  const branches = schemaList(source, keyword)
  const written = schemaList(result, keyword)
  delete result[keyword]
  result.oneOf = branches.flatMap((branch, index) =>
    isObject(branch) && branch.type === 'null' ? [] : [written[index] ?? true],
  )
  result.discriminator = discriminatorOf(discrimination)
  const type = nullable ? ['object', 'null'] : 'object'
  const named = absent === undefined ? { required: [property] } : {}
  result.allOf = [...schemaList(result, 'allOf'), { type, ...named }]
}

/** Refuses names of members that exceed the steps of a pattern in the schema, since they might match it. */
function boundNames(result: { [keyword: string]: Json }): void {
  const patterns = schemaMap(result, 'patternProperties').flatMap(([name]) =>
    patternPlan(name).givesUp === true ? [{ $decided: name }] : [],
  )
  if (patterns.length > 0)
    result.allOf = [...schemaList(result, 'allOf'), ...patterns.map((propertyNames) => ({ propertyNames }))]
}

function leftOutOf(form: ValidationForm): OneWay {
  return form === 'result' ? 'writeOnly' : 'readOnly'
}

function dependentNames(schema: JsonObject): string[] {
  const dependent = own(schema, 'dependentRequired')
  const names = isObject(dependent)
    ? Object.entries(dependent).flatMap(([name, others]) => [name, ...(isArray(others) ? others : [])])
    : []
  return [
    ...names.filter((name) => typeof name === 'string'),
    ...schemaMap(schema, 'dependentSchemas').map(([name]) => name),
  ]
}
