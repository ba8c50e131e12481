import type { BodyBinding } from '@duet/runtime'
import type { Diagnostic } from '../load/diagnostic.js'
import type { Document, Json, JsonObject } from '../load/document.js'
import { isObject, own } from '../load/json.js'
import { type BodyObject, bodyObject, widened } from './body.js'
import { canonicalObject } from './canonical.js'
import type { Components } from './components.js'
import { type Cursor, childPointer, compareText, objectOf } from './cursor.js'
import { described, type Field, paramName, sameSchema } from './field.js'
import type { Schema } from './model.js'
import type { Parameter } from './parameters.js'
import { readBodyContent } from './request-body.js'
import { referenceOf, schemaList, schemaMap } from './schema.js'

export interface Params {
  /** ONE object schema of every param. */
  readonly schema: JsonObject
  readonly body: BodyBinding | undefined
  /** The params that the body carries. */
  readonly bodyFields: readonly Field[]
}

/**
 * Merges an operation's parameters and the fields of its body into one object schema. Parameters alone
 * make it closed; with a body it is as open as the body is. Two fields of one name must have the same
 * schema: otherwise the diagnostic `params-clash` shows both.
 */
export function mergeParams(
  document: Document,
  components: Components,
  operation: string,
  parameters: readonly Parameter[],
  requestBody: Cursor | undefined,
  diagnostics: Diagnostic[],
): Params {
  const fields = new Map<string, Field>()
  const add = (field: Field): void => {
    const other = fields.get(field.param)
    if (other === undefined) fields.set(field.param, field)
    else if (sameSchema(components.schemas, other.schema, field.schema)) {
      fields.set(field.param, { ...other, required: other.required || field.required })
    } else diagnostics.push(clash(operation, other, field))
  }
  for (const parameter of parameters) add(parameter.field)
  const own = [...fields.values()]
  const body = requestBody && readBody(document, components, requestBody, own, diagnostics)
  for (const field of body?.fields ?? []) add(field)
  return {
    schema: paramsSchema([...fields.values()], body),
    body: body?.binding,
    bodyFields: body?.fields ?? [],
  }
}

interface Body {
  readonly binding: BodyBinding
  readonly fields: readonly Field[]
  /** What the body says beyond its fields; each constraint lets the other params in. */
  readonly object: BodyObject | undefined
  readonly dependent: JsonObject
}

function readBody(
  document: Document,
  components: Components,
  requestBody: Cursor,
  parameters: readonly Field[],
  diagnostics: Diagnostic[],
): Body | undefined {
  const content = readBodyContent(document, components, requestBody, diagnostics)
  if (content === undefined) return undefined
  const required = isObject(requestBody.value) && own(requestBody.value, 'required') === true
  const { chosen, schema } = content
  const media = content.media === undefined ? {} : { media: content.media }
  const pointer = chosen.schema?.pointer ?? chosen.cursor.pointer
  const object = bodyObject(components.schemas, schema)
  const constraints = object && widenedConstraints(components, object, parameters)
  if (object === undefined || constraints === undefined) {
    const param = paramName(requestBody.value, 'body')
    const field: Field = {
      param,
      schema: described(schema, requestBody.value),
      required,
      pointer,
      at: document.locate(pointer),
    }
    const binding: BodyBinding = { required, kind: 'param', param, ...media }
    return { binding, fields: [field], object: undefined, dependent: {} }
  }
  const names = [...object.properties.keys()].filter((name) => name !== '__tz')
  const renamed = new Map(names.map((name) => [name, paramName(object.properties.get(name), name)]))
  const pointers = propertyPointers(components, schema, pointer)
  const fields = names.map((name): Field => {
    const at = pointers.get(name) ?? pointer
    return {
      param: renamed.get(name) ?? name,
      schema: object.properties.get(name) ?? true,
      required: required && object.required.has(name),
      pointer: at,
      at: document.locate(at),
    }
  })
  const undeclared = [...object.required].filter((name) => !object.properties.has(name))
  const rename = [...renamed].filter(([name, param]) => name !== param).sort(([a], [b]) => compareText(a, b))
  return {
    binding: {
      required,
      kind: 'fields',
      ...(rename.length > 0 && { rename: Object.fromEntries(rename) }),
      ...media,
    },
    fields,
    object: { ...object, constraints, required: new Set(required ? undeclared : []) },
    dependent: required ? {} : requiredTogether(object, renamed),
  }
}

/** Constraints of the body with the other params let in; undefined where one cannot be put that way. */
function widenedConstraints(
  components: Components,
  body: BodyObject,
  parameters: readonly Field[],
): JsonObject[] | undefined {
  const others = parameters.filter((field) => !body.properties.has(field.param))
  const names = others.map((field) => field.param)
  const count = others.every((field) => field.required) ? others.length : undefined
  const result: JsonObject[] = []
  for (const constraint of body.constraints) {
    const wider = widened(components.schemas, notEmpty(constraint, body, count), names, count)
    if (wider === undefined) return undefined
    if (isObject(wider)) result.push(wider)
  }
  return result
}

/** `minProperties: 1` beside params that come and go: one of the body's own fields is there. */
function notEmpty(constraint: JsonObject, body: BodyObject, count: number | undefined): JsonObject {
  const { minProperties, ...rest } = constraint
  if (count !== undefined || minProperties !== 1 || body.additional !== false) return constraint
  if (body.patterns.size > 0 || Object.hasOwn(rest, 'anyOf')) return constraint
  return { ...rest, anyOf: [...body.properties.keys()].map((name) => ({ required: [name] })) }
}

/** In a body that may be left out, its required fields are required as soon as it is there. */
function requiredTogether(body: BodyObject, renamed: ReadonlyMap<string, string>): JsonObject {
  const param = (name: string): string => renamed.get(name) ?? name
  const required = [...body.required].map(param).sort(compareText)
  if (required.length > manyRequired) return requiredInTurn([...renamed.values()], required)
  const entries = [...renamed.values()].map((name): [string, Json] => [
    name,
    required.filter((other) => other !== name),
  ])
  return objectOf(entries.filter(([, others]) => Array.isArray(others) && others.length > 0))
}

/** Each of the others for each name would be more than a validator can hold. */
const manyRequired = 100

/** The same with one name for each: the required ones in a ring, which every other name leads into. */
function requiredInTurn(names: readonly string[], required: readonly string[]): JsonObject {
  const next = new Map(required.map((name, index) => [name, required[(index + 1) % required.length] ?? name]))
  return objectOf(names.map((name): [string, Json] => [name, [next.get(name) ?? required[0] ?? name]]))
}

function paramsSchema(fields: readonly Field[], body: Body | undefined): JsonObject {
  const sorted = [...fields].sort((a, b) => compareText(a.param, b.param))
  const object = body?.object
  const required = new Set([
    ...sorted.filter((field) => field.required).map((field) => field.param),
    ...(object?.required ?? []),
  ])
  const additional = object === undefined ? false : object.additional
  const schema: { [keyword: string]: Json } = { type: 'object' }
  if (sorted.length > 0) schema.properties = objectOf(sorted.map((field) => [field.param, field.schema]))
  if (required.size > 0) schema.required = [...required].sort(compareText)
  if (additional !== undefined) schema.additionalProperties = additional
  if (object !== undefined && object.patterns.size > 0) schema.patternProperties = objectOf(object.patterns)
  const conjoined: Json[] = []
  for (const constraint of object?.constraints ?? []) {
    const clear = Object.keys(constraint).every((keyword) => !Object.hasOwn(schema, keyword))
    if (clear) Object.assign(schema, constraint)
    else conjoined.push(constraint)
  }
  if (body !== undefined && Object.keys(body.dependent).length > 0) {
    if (Object.hasOwn(schema, 'dependentRequired')) conjoined.push({ dependentRequired: body.dependent })
    else schema.dependentRequired = body.dependent
  }
  if (conjoined.length > 0) schema.allOf = conjoined
  return canonicalOrder(schema)
}

/** Keys sorted here and in whatever was made on the way; schemas that were read are sorted already. */
function canonicalOrder(schema: JsonObject): JsonObject {
  return canonicalObject(schema)
}

/** Where the properties of the body are declared, through references and allOf; the first place of each. */
function propertyPointers(
  components: Components,
  schema: Schema,
  pointer: string,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const seen = new Set<Schema>()
  const waiting = [{ schema, pointer }]
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const { schema, pointer } = part
    if (!isObject(schema) || seen.has(schema)) continue
    seen.add(schema)
    for (const [name] of schemaMap(schema, 'properties'))
      if (!found.has(name)) found.set(name, childPointer(pointer, 'properties', name))
    const parts = schemaList(schema, 'allOf').map((part, index) => ({
      schema: part,
      pointer: childPointer(pointer, 'allOf', index),
    }))
    waiting.push(...parts.reverse())
    const component = referenceOf(schema)
    const target = component === undefined ? undefined : components.schemas.get(component)
    const at = component === undefined ? undefined : components.pointers.get(component)
    if (target !== undefined && at !== undefined) waiting.push({ schema: target, pointer: at })
  }
  return found
}

function clash(operation: string, first: Field, second: Field): Diagnostic {
  const name = JSON.stringify(second.param)
  return {
    code: 'params-clash',
    severity: 'error',
    message: `${operation} has two params named ${name} with different schemas: ${first.pointer} and ${second.pointer}`,
    remedy: `Give one of them another name among the params with x-rpc-param; its name on the wire stays ${name}.`,
    at: second.at,
    related: [{ message: `the other ${name}`, at: first.at }],
  }
}
