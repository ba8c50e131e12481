import type { BodyBinding } from 'duet-runtime'
import type { Code } from '../../diagnostics/catalogue.js'
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { type Cursor, compareText, objectOf } from '../../document/cursor.js'
import type { Document, Json, JsonObject } from '../../document/document.js'
import { canonicalObject } from '../../schema/canonical.js'
import { withoutDirection } from '../../schema/read-only.js'
import type { Components } from '../content/components.js'
import { type Field, sameSchema } from '../content/field.js'
import { type BodyParams, bodyAsParam, readBodyParams } from './body-params.js'
import type { Parameter } from './parameters.js'
import { readBodyContent } from './request-body.js'
import { usesRpcExtensions } from './rpc-extensions.js'

/** The params of an operation, and which of them its request body carries. */
export interface Params {
  /** ONE object schema of all params. */
  readonly schema: JsonObject
  readonly body: BodyBinding | undefined
  /** The component of a required body, if its fields are params with unchanged names. */
  readonly base: string | undefined
  /** The params that the body carries. */
  readonly bodyFields: readonly Field[]
  /** Their names, in the order of the document. */
  readonly written: readonly string[]
}

/**
 * Merges an operation's parameters and the fields of its body into one object schema. Parameters without a
 * body make it closed; with a body it is as open as the body. Two fields with one name must have equal
 * schemas, else the diagnostic `params-clash` shows both. A document without any `x-rpc-*` was not written
 * for JSON-RPC: if a field of its body clashes, the whole body becomes one param.
 */
export function mergeParams(
  document: Document,
  components: Components,
  operation: string,
  parameters: readonly Parameter[],
  requestBody: Cursor | undefined,
  diagnostics: Diagnostic[],
): Params {
  const { schemas } = components
  const own = merged(
    schemas,
    parameters.map(({ field }) => field),
  )
  const content = requestBody && readBodyContent(document, components, requestBody, diagnostics)
  const source = requestBody && content && { document, components, requestBody, content }
  let body = source && readBodyParams(source, own.fields)
  let all = merged(schemas, [...own.fields, ...(body?.fields ?? [])])
  const [first] = all.clashes
  if (source !== undefined && first !== undefined && !usesRpcExtensions(document)) {
    const whole = bodyAsParam(source)
    const isFree = whole.fields.every(({ param }) => own.fields.every((field) => field.param !== param))
    if (isFree) {
      diagnostics.push(keptWhole(operation, whole.fields[0]?.param ?? 'body', first))
      body = whole
      all = merged(schemas, [...own.fields, ...whole.fields])
    }
  }
  const [differing] = namesakes(own.fields, body?.branches?.clashes)
  if (differing !== undefined) {
    diagnostics.push(keptWhole(operation, body?.fields[0]?.param ?? 'body', differing))
  }
  for (const pair of own.equal) diagnostics.push(mergedParameters(operation, pair))
  if (body?.binding.kind === 'fields') {
    const pairs = [...namesakes(own.fields, body.branches?.equal), ...all.equal]
    const ids = new Set(
      parameters.flatMap(({ binding: { in: at, param } }) => (at === 'path' ? [param] : [])),
    )
    for (const pair of new Map(pairs.map((pair) => [pair.second.param, pair])).values()) {
      const found = mergedField(operation, pair)
      // Bodies that repeat an id of their path are usual.
      diagnostics.push(ids.has(pair.second.param) ? { ...found, severity: 'info' } : found)
    }
  }
  for (const pair of [...own.clashes, ...all.clashes]) diagnostics.push(clash(operation, pair))
  const isProperty = (field: Field): boolean =>
    body?.binding.kind === 'fields' && !own.fields.some(({ param }) => param === field.param)
  const shared = parameters
    .filter(({ binding }) => binding.in === 'header' || binding.in === 'cookie')
    .map(({ field }) => field.param)
    .filter((param) => body?.fields.some((field) => field.param === param))
  const plain = (field: Field): Field => ({ ...field, schema: withoutDirection(schemas, field.schema) })
  return {
    schema: paramsSchema(
      all.fields.map((field) => (isProperty(field) ? field : plain(field))),
      body,
    ),
    body: body && { ...body.binding, ...(shared.length > 0 && { shared }) },
    base: body?.base,
    bodyFields: body?.fields ?? [],
    written: body?.written ?? [],
  }
}

/** Two fields with one name. */
interface Pair {
  readonly first: Field
  readonly second: Field
}

/** Fields by name. Merges fields with equal schemas, and reports others as clashes. */
function merged(
  schemas: Components['schemas'],
  fields: readonly Field[],
): { readonly fields: readonly Field[]; readonly equal: readonly Pair[]; readonly clashes: readonly Pair[] } {
  const known = new Map<string, Field>()
  const equal: Pair[] = []
  const clashes: Pair[] = []
  for (const field of fields) {
    const other = known.get(field.param)
    if (other === undefined) known.set(field.param, field)
    else if (sameSchema(schemas, other.schema, field.schema)) {
      known.set(field.param, { ...other, required: other.required || field.required })
      equal.push({ first: other, second: field })
    } else clashes.push({ first: other, second: field })
  }
  return { fields: [...known.values()], equal, clashes }
}

function paramsSchema(fields: readonly Field[], body: BodyParams | undefined): JsonObject {
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
  if (object?.unevaluated !== undefined) schema.unevaluatedProperties = object.unevaluated
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

/** Sorts the keys here and in all generated schemas. Schemas that were read are already sorted. */
function canonicalOrder(schema: JsonObject): JsonObject {
  return canonicalObject(schema)
}

/** The fields that have the name of a parameter, each with it. */
function namesakes(parameters: readonly Field[], fields: readonly Field[] = []): Pair[] {
  return fields.flatMap((second) => {
    const first = parameters.find(({ param }) => param === second.param)
    return first === undefined ? [] : [{ first, second }]
  })
}

function mergedField(operation: string, pair: Pair): Diagnostic {
  const [name, pointers] = [nameOf(pair), pointersOf(pair)]
  const message = `${operation} has a parameter and a field of its body named ${name} with the same schema, which become one param: ${pointers}. REST refuses a call in which the two differ`
  const remedy = `If they mean different things, rename the parameter with x-rpc-param. Its name over REST stays ${name}.`
  return ofPair('params-merged', message, remedy, pair)
}

function mergedParameters(operation: string, pair: Pair): Diagnostic {
  const [name, pointers] = [nameOf(pair), pointersOf(pair)]
  const message = `${operation} has two parameters named ${name} with the same schema, which become one param: ${pointers}. REST refuses a call in which the two differ`
  const remedy = `If they mean different things, rename one with x-rpc-param. Its name over REST stays ${name}.`
  return ofPair('params-merged', message, remedy, pair)
}

function clash(operation: string, pair: Pair): Diagnostic {
  const [name, pointers] = [nameOf(pair), pointersOf(pair)]
  const message = `${operation} has two params named ${name} with different schemas: ${pointers}`
  const remedy = `Rename one of the params with x-rpc-param. Its name over REST stays ${name}.`
  return ofPair('params-clash', message, remedy, pair)
}

function keptWhole(operation: string, param: string, pair: Pair): Diagnostic {
  const [name, pointers] = [nameOf(pair), pointersOf(pair)]
  const message = `${operation} has two params named ${name} with different schemas, so its whole body is the one param ${JSON.stringify(param)}: ${pointers}`
  const remedy = `To get the fields of the body as params, rename one of the two with x-rpc-param. Its name over REST stays ${name}.`
  return ofPair('body-kept-whole', message, remedy, pair)
}

function ofPair(code: Code, message: string, remedy: string, pair: Pair): Diagnostic {
  const related = [{ message: `the other ${nameOf(pair)}`, at: pair.first.at() }]
  return diagnose(code, message, pair.second.at(), { remedy, related })
}

function nameOf({ second }: Pair): string {
  return JSON.stringify(second.param)
}

function pointersOf({ first, second }: Pair): string {
  return `${first.pointer} and ${second.pointer}`
}
