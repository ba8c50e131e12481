import type { BodyBinding } from 'duet-runtime'
import { type Cursor, childPointer, compareText } from '../../document/cursor.js'
import type { Document, JsonObject } from '../../document/document.js'
import { isObject, own } from '../../document/json.js'
import { describingInPlace, inPlaceKeywords, keywordsThat } from '../../document/vocabulary.js'
import { patternMatches } from '../../patterns/pattern-match.js'
import { leavesChildrenOpen } from '../../schema/discriminator.js'
import { isReadOnly } from '../../schema/read-only.js'
import { referenceOf, resolve, type Schema, schemaList, schemaMap, subschemas } from '../../schema/schema.js'
import type { Components } from '../content/components.js'
import { described, type Field, paramName, sameSchema } from '../content/field.js'
import { type BodyObject, bodyObject, widened } from './body.js'
import { requiredByOthers, requiredTogether, unlessAbsent } from './optional-body.js'
import { renamedFields } from './renamed-fields.js'
import type { BodyContent } from './request-body.js'

/** The params that a request body carries. */
export interface BodyParams {
  readonly binding: BodyBinding
  readonly fields: readonly Field[]
  /** The names of the fields, in the order of the document. */
  readonly written: readonly string[]
  /** The body's constraints beyond its fields. Each constraint accepts the other params. */
  readonly object: BodyObject | undefined
  readonly dependent: JsonObject
  /** The component of a required body, if its fields are params with unchanged names. */
  readonly base?: string
  /** Fields of the body's branches that have the names of parameters. */
  readonly branches?: BranchFields
}

/** One field for each name. If any clashes, the whole body is one param. */
interface BranchFields {
  readonly equal: readonly Field[]
  readonly clashes: readonly Field[]
}

/** A request body and its content. */
export interface BodySource {
  readonly document: Document
  readonly components: Components
  readonly requestBody: Cursor
  readonly content: BodyContent
}

/**
 * Each field of an object body becomes a param, next to those of the parameters. The body becomes one param
 * if it is not an object, if it counts its members, if its members have free names, which may collide with
 * a parameter, if one of its branches has a field with the name of a parameter and another schema, or if it tests names
 * that are renamed. A read-only field with a parameter's name is no param, because it is never sent (OpenAPI 3.0,
 * Schema Object).
 */
export function readBodyParams(source: BodySource, parameters: readonly Field[]): BodyParams {
  const { document, components, content } = source
  const { schemas } = components
  const taken = new Set(parameters.map(({ param }) => param))
  const read = withoutReadOnly(schemas, bodyObject(schemas, content.schema), taken)
  const names = [...(read?.properties.keys() ?? [])].filter((name) => name !== '__tz')
  const renamed = new Map(names.map((name) => [name, paramName(read?.properties.get(name), name)]))
  const object = read && withRenamed(schemas, read, renamed)
  if (object === undefined || (taken.size > 0 && isOpenMap(object))) return bodyAsParam(source)
  const branches = branchFields(source, object, parameters)
  if (branches.clashes.length > 0) return { ...bodyAsParam(source), branches }
  const constraints = widenedConstraints(components, object, renamed, parameters)
  if (constraints === undefined) return bodyAsParam(source)
  const { required, pointer } = placeOf(source)
  const pointers = propertyPointers(components, content.schema, pointer)
  const fields = names.map((name): Field => {
    const at = pointers.get(name) ?? pointer
    return {
      param: renamed.get(name) ?? name,
      schema: object.properties.get(name) ?? true,
      required: required && object.required.has(name),
      pointer: at,
      at: () => document.locate(at),
    }
  })
  const undeclared = [...object.required].filter((name) => !object.properties.has(name))
  const rename = [...renamed].filter(([name, param]) => name !== param).sort(([a], [b]) => compareText(a, b))
  const optional = required ? undefined : { schemas, object, renamed, parameters }
  const others = optional && requiredByOthers(optional)
  const constrained = [
    ...(optional ? constraints.map((constraint) => unlessAbsent(optional, constraint)) : constraints),
    ...(others === undefined ? [] : [others]),
  ]
  const base = referenceOf(content.schema)
  return {
    binding: {
      required,
      kind: 'fields',
      ...(rename.length > 0 && { rename: Object.fromEntries(rename) }),
      ...mediaOf(content),
    },
    fields,
    written: object.written.map((name) => renamed.get(name) ?? name),
    object: {
      ...object,
      // Explicit, so that the type of the params accepts them too.
      additional: object.additional ?? (isBase(schemas, content.schema, object) ? true : undefined),
      constraints: constrained,
      required: new Set(required ? undeclared : []),
    },
    dependent: optional === undefined ? {} : requiredTogether(optional),
    ...(base !== undefined && required && rename.length === 0 && { base }),
    branches,
  }
}

function isBase(
  schemas: Components['schemas'],
  schema: Schema,
  { constraints, unevaluated }: BodyObject,
): boolean {
  if (unevaluated !== undefined) return false
  if (constraints.some((constraint) => Object.hasOwn(constraint, 'unevaluatedProperties'))) return false
  return leavesChildrenOpen(schema) || leavesChildrenOpen(resolve(schemas, schema))
}

/** The whole body as one param, called `body` unless `x-rpc-param` names it. */
export function bodyAsParam(source: BodySource): BodyParams {
  const { document, requestBody, content } = source
  const { required, pointer } = placeOf(source)
  const param = paramName(requestBody.value, 'body')
  const field: Field = {
    param,
    schema: described(content.schema, requestBody.value),
    required,
    pointer,
    at: () => document.locate(pointer),
  }
  const binding: BodyBinding = { required, kind: 'param', param, ...mediaOf(content) }
  return { binding, fields: [field], written: [param], object: undefined, dependent: {} }
}

function placeOf({ requestBody, content: { chosen } }: BodySource): {
  readonly required: boolean
  readonly pointer: string
} {
  return {
    required: isObject(requestBody.value) && own(requestBody.value, 'required') === true,
    pointer: chosen.schema?.pointer ?? chosen.cursor.pointer,
  }
}

function mediaOf({ media }: BodyContent): Pick<BodyBinding, 'media'> {
  return media === undefined ? {} : { media }
}

function withoutReadOnly(
  schemas: Components['schemas'],
  object: BodyObject | undefined,
  taken: ReadonlySet<string>,
): BodyObject | undefined {
  const left = [...(object?.properties ?? [])].filter(
    ([name, property]) => taken.has(paramName(property, name)) && isReadOnly(schemas, property),
  )
  if (object === undefined || left.length === 0) return object
  const names = new Set(left.map(([name]) => name))
  return {
    ...object,
    properties: new Map([...object.properties].filter(([name]) => !names.has(name))),
    required: new Set([...object.required].filter((name) => !names.has(name))),
  }
}

/** The fields in branches of the body that have the names of parameters. Read-only ones are never sent. */
function branchFields(
  source: BodySource,
  { constraints }: BodyObject,
  parameters: readonly Field[],
): BranchFields {
  const { document, components, content } = source
  const { schemas } = components
  const known = new Map(parameters.map(({ param, schema }) => [param, schema]))
  const equal = new Map<string, Field>()
  const clashes = new Map<string, Field>()
  const { pointer } = placeOf(source)
  const pointers =
    known.size === 0 ? undefined : propertyPointers(components, content.schema, pointer, inBranches)
  const seen = new Set<Schema>()
  const waiting: Schema[] = known.size === 0 ? [] : [...constraints]
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (!isObject(part) || seen.has(part)) continue
    seen.add(part)
    for (const [name, schema] of schemaMap(part, 'properties')) {
      const other = known.get(name)
      if (other === undefined || isReadOnly(schemas, schema)) continue
      const at = pointers?.get(name) ?? pointer
      const field = { param: name, schema, required: false, pointer: at, at: () => document.locate(at) }
      ;(sameSchema(schemas, other, schema) ? equal : clashes).set(name, field)
    }
    for (const { keyword, schema } of subschemas(part)) if (inPlaceKeywords.has(keyword)) waiting.push(schema)
    waiting.push(resolve(schemas, part))
  }
  return { equal: [...equal.values()], clashes: [...clashes.values()] }
}

const inBranches = ['allOf', 'oneOf', 'anyOf'] as const

/** Whether an object declares no members but accepts any. */
function isOpenMap({ properties, additional, patterns, constraints }: BodyObject): boolean {
  if (properties.size > 0 || (additional === false && patterns.size === 0)) return false
  return constraints.every((constraint) => !composing.some((keyword) => Object.hasOwn(constraint, keyword)))
}

const composing = [...keywordsThat(({ name, binds }) => describingInPlace.has(name) && binds !== undefined)]

/**
 * The object with the names of the params in its constraints. Undefined if that is impossible, and if a pattern matches
 * only one of the names.
 */
function withRenamed(
  schemas: Components['schemas'],
  object: BodyObject,
  renamed: ReadonlyMap<string, string>,
): BodyObject | undefined {
  const others = [...renamed].filter(([name, param]) => name !== param)
  if (others.length === 0) return object
  const isSplit = (pattern: string): boolean =>
    others.some(([name, param]) => patternMatches(pattern, name) !== patternMatches(pattern, param))
  if ([...object.patterns.keys()].some(isSplit)) return undefined
  const constraints = object.constraints.map((one) => renamedFields(schemas, one, renamed))
  return constraints.every(isObject) ? { ...object, constraints } : undefined
}

/** Constraints of the body that also accept the other params. Undefined if one of them cannot be expressed that way. */
function widenedConstraints(
  components: Components,
  body: BodyObject,
  renamed: ReadonlyMap<string, string>,
  parameters: readonly Field[],
): JsonObject[] | undefined {
  const fields = [...renamed.values()]
  const others = parameters.filter((field) => !fields.includes(field.param))
  const names = others.map((field) => field.param)
  const count = others.every((field) => field.required) ? others.length : undefined
  const result: JsonObject[] = []
  for (const constraint of body.constraints) {
    const wider = widened(components.schemas, notEmpty(constraint, body, fields, count), names, count)
    if (wider === undefined) return undefined
    if (isObject(wider)) result.push(wider)
  }
  return result
}

/** `minProperties: 1` next to optional params: requires one of the body's own fields. */
function notEmpty(
  constraint: JsonObject,
  { additional, patterns }: BodyObject,
  fields: readonly string[],
  count: number | undefined,
): JsonObject {
  const { minProperties, ...rest } = constraint
  if (count !== undefined || minProperties !== 1 || additional !== false) return constraint
  if (patterns.size > 0 || Object.hasOwn(rest, 'anyOf')) return constraint
  return { ...rest, anyOf: fields.map((name) => ({ required: [name] })) }
}

/** Pointers of the properties of a body, through references and the keywords. The first declaration of each counts. */
function propertyPointers(
  components: Components,
  schema: Schema,
  pointer: string,
  keywords: readonly string[] = ['allOf'],
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
    const parts = keywords.flatMap((keyword) =>
      schemaList(schema, keyword).map((part, index) => ({
        schema: part,
        pointer: childPointer(pointer, keyword, index),
      })),
    )
    waiting.push(...parts.reverse())
    const component = referenceOf(schema)
    const target = component === undefined ? undefined : components.schemas.get(component)
    const at = component === undefined ? undefined : components.pointers.get(component)
    if (target !== undefined && at !== undefined) waiting.push({ schema: target, pointer: at })
  }
  return found
}
