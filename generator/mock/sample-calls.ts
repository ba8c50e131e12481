import { type Contract, decodeBinaries, type Operation, type Validator } from 'duet-runtime'
import type { Json, JsonObject } from '../load/document.js'
import { isArray, isObject, own } from '../load/json.js'
import type { Schema } from '../model/model.js'
import { withoutOptional } from './example-call.js'
import { Sampler } from './sampler.js'
import { type Sample, validSample } from './valid-sample.js'

/** A call of one operation, or the reason why there is none. */
export type SampleCall = { readonly name: string } & (
  | { readonly params: Readonly<Record<string, unknown>>; readonly missing?: undefined }
  | { readonly params?: undefined; readonly missing: string }
)

/**
 * A call of each operation of a generated contract, sorted by name: the params of the document's first valid example, else
 * params that match the schemas, patterns included, without optional parameters. Files are Blobs. The operation's own
 * validator has accepted the params.
 *
 * @param seed the same seed gives the same calls
 */
export function sampleCalls(
  contract: Pick<Contract, 'operations' | 'validators' | 'openrpc'>,
  { seed = '1' }: { readonly seed?: string } = {},
): SampleCall[] {
  const document = withFiles(contract.openrpc())
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
    const sample = sampleOf(method, operation, accepts, sampler, `${seed}\n${name}`)
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
): Sample {
  const accepts: Validator = (value) => {
    const isValid = validator(decoded(value, operation))
    accepts.errors = validator.errors ?? null
    return isValid
  }
  const isValid = (value: Json) => accepts(structuredClone(value))
  // No example holds a file.
  const shown = operation.binaries === undefined ? listAt(method, 'examples') : []
  const example = shown.map((one) => valuesOf(listAt(one, 'params'))).find(isValid)
  if (example !== undefined) return { value: example }
  const sample = validSample(sampler, paramsOf(method), accepts, seed)
  if ('reason' in sample) return sample
  const lean = withoutOptional(operation, sample.value)
  return isValid(lean) ? { value: lean } : sample
}

/** The schema of a method's params, which OpenRPC holds whole only where they are no plain list. */
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

/** An OpenRPC document whose base64 texts, files among them, have an example: the sampler would write words. */
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
