import type { Json, JsonObject } from '../load/document.js'
import { isArray, isObject, own } from '../load/json.js'
import { objectOf } from '../model/cursor.js'
import type { Model, Schema } from '../model/model.js'
import {
  isAnnotation,
  isSchema,
  mapSubschemas,
  referenceOf,
  requiredOf,
  resolve,
  schemaMap,
} from '../model/schema.js'
import type { Rewrite } from './form.js'

/**
 * Forms of a schema as a validator. `params`: defaults are filled in, a zoned datetime may lack its
 * offset. `branch`: the same below anyOf, oneOf and the like, where a default filled in by a branch that
 * then fails would stay. `result`: nothing is filled in.
 */
export type ValidationForm = 'params' | 'branch' | 'result'

export const validationForms: readonly ValidationForm[] = ['params', 'branch', 'result']

/** Rewrites a schema for a validator: only keywords that validate, each as the form has it. */
export function validationRewriter(model: Model): Rewrite<ValidationForm> {
  const rewrite: Rewrite<ValidationForm> = (schema, form, refer) => {
    if (!isObject(schema)) return schema
    const name = referenceOf(schema)
    const kept = objectOf(Object.entries(schema).filter(([keyword]) => validates(keyword, form)))
    const mapped = mapSubschemas(kept, (subschema, keyword) => {
      const below = form === 'params' && tentative.has(keyword) ? 'branch' : form
      return isSchema(subschema) ? rewrite(subschema, below, refer) : true
    })
    return finish(model, schema, mapped, form, name === undefined ? undefined : refer(name, form))
  }
  return rewrite
}

/** Whether a name of the schemas is one that every object inherits, so that only own properties may count. */
export function usesInheritedNames(schemas: Iterable<Schema>): boolean {
  const uses = (schema: Schema): boolean => {
    if (!isObject(schema)) return false
    const names = [
      ...requiredOf(schema),
      ...dependentNames(schema),
      ...schemaMap(schema, 'properties').map(([name]) => name),
    ]
    let found = names.some((name) => inherited.has(name))
    mapSubschemas(schema, (subschema) => {
      found ||= isSchema(subschema) && uses(subschema)
      return true
    })
    return found
  }
  for (const schema of schemas) if (uses(schema)) return true
  return false
}

/** Whether `unevaluatedProperties` or `unevaluatedItems` stand anywhere, which costs every validator some work. */
export function usesUnevaluated(schemas: Iterable<Schema>): boolean {
  const uses = (schema: Schema): boolean => {
    if (!isObject(schema)) return false
    let found = Object.hasOwn(schema, 'unevaluatedProperties') || Object.hasOwn(schema, 'unevaluatedItems')
    mapSubschemas(schema, (subschema) => {
      found ||= isSchema(subschema) && uses(subschema)
      return true
    })
    return found
  }
  for (const schema of schemas) if (uses(schema)) return true
  return false
}

const inherited = new Set(Object.getOwnPropertyNames(Object.prototype))

/** Keywords whose subschemas are tried out: failing is no failure of the whole. */
const tentative = new Set([
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'contains',
  'propertyNames',
])

const unused = new Set([
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'discriminator',
  'nullable',
  'readOnly',
  'writeOnly',
])

function validates(keyword: string, form: ValidationForm): boolean {
  if (keyword === 'default') return form === 'params'
  return !isAnnotation(keyword) && !unused.has(keyword)
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
  const hidden = form === 'result' ? 'writeOnly' : 'readOnly'
  const properties = new Map(schemaMap(source, 'properties'))
  if (Object.hasOwn(result, 'required')) {
    result.required = requiredOf(source).filter((name) => !hasMark(model, properties.get(name), hidden))
  }
  return properties.has('__proto__') ? withPrototypeName(result) : result
}

function hasMark(model: Model, property: Schema | undefined, keyword: string): boolean {
  if (!isObject(property)) return false
  if (own(property, keyword) === true) return true
  const target = resolve(model.schemas, property)
  return isObject(target) && own(target, keyword) === true
}

/** AJV passes over a property called `__proto__`; as a pattern it is checked like any other. */
function withPrototypeName(schema: JsonObject): JsonObject {
  const properties = schemaMap(schema, 'properties')
  const property = properties.find(([name]) => name === '__proto__')?.[1] ?? true
  const patterns = new Map(schemaMap(schema, 'patternProperties'))
  return {
    ...schema,
    properties: objectOf(properties.filter(([name]) => name !== '__proto__')),
    patternProperties: objectOf([...patterns, ['^__proto__$', property]]),
  }
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
