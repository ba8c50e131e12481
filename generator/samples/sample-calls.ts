import { type Contract, decodeBinaries, type Operation, type Validator } from 'duet-runtime'
import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { parsePointer, valueAt } from '../document/pointer.js'
import type { Schema } from '../schema/schema.js'
import { withoutOptional } from './example-call.js'
import { Sampler } from './sampler.js'
import { type Sample, validSample } from './valid-sample.js'

/** A call of one operation, or the reason for having none. */
export type SampleCall = { readonly name: string } & (
  | { readonly params: Readonly<Record<string, unknown>>; readonly missing?: undefined }
  | { readonly params?: undefined; readonly missing: string }
)

/**
 * A call of each operation of a generated contract: the document's first valid example, else params generated
 * from the schemas, including patterns, with the examples of single parameters and of the body. Files are
 * Blobs. The operation's own validator has accepted the params.
 *
 * @param seed the same seed gives the same calls
 * @param optional whether generated params include optional parameters
 */
export function sampleCalls(
  contract: Pick<Contract, 'operations' | 'validators' | 'openapi' | 'openrpc'>,
  { seed = '1', optional = false }: { readonly seed?: string; readonly optional?: boolean } = {},
): SampleCall[] {
  const document = withFiles(contract.openrpc())
  const openapi = contract.openapi() as Json
  const schemas = new Map(
    Object.entries(objectAt(objectAt(document, 'components'), 'schemas')) as [string, Schema][],
  )
  const sampler = new Sampler(schemas, 'params')
  const methods = new Map(listAt(document, 'methods').map((method) => [own(method, 'name'), method]))
  return Object.values(contract.operations).map((operation) => {
    const { name } = operation
    const method = methods.get(name)
    if (method === undefined) return { name, missing: 'JSON-RPC does not have it' }
    const accepts = contract.validators[name]?.params
    if (accepts === undefined) throw new Error(`The contract has no validator for ${name}`)
    const sample = sampleOf(method, operation, accepts, sampler, `${seed}\n${name}`, openapi, optional)
    if ('reason' in sample) return { name, missing: `no valid params were found: ${sample.reason}` }
    return { name, params: decoded(sample.value, operation) as JsonObject }
  })
}

function sampleOf(
  method: JsonObject,
  operation: Operation,
  validator: Validator,
  sampler: Sampler,
  seed: string,
  openapi: Json,
  optional: boolean,
): Sample {
  const accepts: Validator = (value) => {
    const isValid = validator(decoded(value, operation))
    accepts.errors = validator.errors ?? null
    return isValid
  }
  const isValid = (value: Json) => accepts(structuredClone(value))
  // No example contains a file.
  const shown = operation.binaries === undefined && !optional ? listAt(method, 'examples') : []
  const example = shown.map((one) => valuesOf(listAt(one, 'params'))).find(isValid)
  if (example !== undefined) return { value: example }
  const sample = validSample(sampler, paramsOf(method), accepts, seed)
  if ('reason' in sample || optional) return sample
  const lean = withoutOptional(operation, sample.value)
  const value = [withExamples(lean, operation, openapi), lean].find(isValid)
  return value === undefined ? sample : { value }
}

/** Params with the document's examples of parameters and of the body. */
export function withExamples(
  params: JsonObject,
  { source, rest }: Pick<Operation, 'source' | 'rest'>,
  openapi: Json,
): JsonObject {
  const pointer = parsePointer(source) ?? []
  const [item, operation] = [pointer.slice(0, -1), pointer].map((keys) => valueAt(openapi, keys) ?? null)
  const declared = [item, operation].flatMap((one) => listAt(one ?? null, 'parameters'))
  const parameters = declared.map((one) => resolved(one, openapi))
  const values = new Map(Object.entries(params))
  for (const { name, in: place, param } of rest.parameters) {
    const shown = exampleOf(
      parameters.find((one) => own(one, 'name') === name && own(one, 'in') === place) ?? {},
    )
    if (shown !== undefined && values.has(param)) values.set(param, shown)
  }
  const content = objectAt(resolved(objectAt(operation ?? null, 'requestBody'), openapi), 'content')
  const body = Object.values(content).flatMap((media) => (isObject(media) ? (exampleOf(media) ?? []) : []))[0]
  if (body === undefined || rest.body === undefined) return Object.fromEntries(values)
  const { kind, param, rename = {} } = rest.body
  if (kind === 'param') return Object.fromEntries(values.set(param ?? 'body', body))
  if (!isObject(body)) return Object.fromEntries(values)
  const elsewhere = new Set(rest.parameters.map((one) => one.param))
  return Object.fromEntries([
    ...[...values].filter(([name]) => elsewhere.has(name)),
    ...Object.entries(body).map(([name, value]) => [
      (Object.hasOwn(rename, name) ? rename[name] : undefined) ?? name,
      value,
    ]),
  ])
}

/** The example of a parameter or of a media type (OpenAPI 3.1, Parameter Object and Media Type Object). */
function exampleOf(described: JsonObject): Json | undefined {
  const [first] = Object.values(objectAt(described, 'examples'))
  return (
    own(described, 'example') ?? (isObject(first ?? null) ? own(first as JsonObject, 'value') : undefined)
  )
}

function resolved(value: JsonObject, openapi: Json): JsonObject {
  const reference = own(value, '$ref')
  const target = typeof reference === 'string' ? valueAt(openapi, parsePointer(reference) ?? []) : value
  return isObject(target) ? target : {}
}

/** The schema of a method's params. OpenRPC has the whole schema only if they are not a plain list. */
function paramsOf(method: JsonObject): Schema {
  const whole = own(method, 'x-params-schema')
  if (isObject(whole)) return whole
  const params = listAt(method, 'params').filter((param) => own(param, 'name') !== '__tz')
  const required = params.filter((param) => own(param, 'required') === true)
  return {
    type: 'object',
    properties: Object.fromEntries(
      params.map((param) => [String(own(param, 'name')), own(param, 'schema') ?? true]),
    ),
    required: required.map((param) => own(param, 'name') ?? null),
  }
}

function valuesOf(params: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(params.map((param) => [String(own(param, 'name')), own(param, 'value') ?? null]))
}

function decoded(params: unknown, { binaries }: Operation): unknown {
  return binaries === undefined ? params : decodeBinaries(params, binaries)
}

/** An OpenRPC document with an example for every base64 text, including files: the sampler would write words. */
function withFiles(document: unknown): Json {
  return JSON.parse(JSON.stringify(document), (_, value: unknown) =>
    isObject(value) && own(value, 'type') === 'string' && own(value, 'contentEncoding') === 'base64'
      ? { examples: ['bW9jaw=='], ...value }
      : value,
  )
}

function objectAt(value: Json, key: string): JsonObject {
  const found = isObject(value) ? own(value, key) : undefined
  return isObject(found) ? found : {}
}

function listAt(value: Json, key: string): readonly JsonObject[] {
  const found = isObject(value) ? own(value, key) : undefined
  return isArray(found) ? found.filter(isObject) : []
}
