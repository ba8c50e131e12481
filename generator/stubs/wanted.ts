import { nameSymbols } from '../emit/symbols.js'
import type { Model } from '../model/model.js'
import { typeFormsOf } from '../types/type-forms.js'
import { type Signature, signatureReader } from './signatures.js'

/** What a handler folder has to implement for one version. */
export interface Wanted {
  readonly version: string
  /** By name, sorted. */
  readonly operations: ReadonlyMap<string, WantedOperation>
  /** Handler interface of each namespace, sorted by namespace. */
  readonly interfaces: ReadonlyMap<string, string>
  /** Names that the generated package exports for this document's operations, namespaces and schemas. */
  readonly exports: ReadonlySet<string>
}

export interface WantedOperation {
  readonly name: string
  readonly namespace: string
  readonly member: string
  /** `GET /clients/{id}`: what the operation is over REST. */
  readonly rest: string
  readonly rpc: string | false
  readonly summary: string | undefined
  /** Its generated types: as sent, as a handler gets them, the result. */
  readonly types: readonly string[]
  readonly signature: Signature
}

/** Reads off a model what scaffolding needs of it. */
export function wantedOf(model: Model): Wanted {
  const forms = typeFormsOf(model)
  const symbols = nameSymbols(model, forms)
  const signatureOf = signatureReader(model)
  const operations = new Map<string, WantedOperation>()
  const interfaces = new Map<string, string>()
  const exports = new Set(fixedExports)
  for (const operation of model.operations) {
    const { constant, params, input, result } = symbols.operation(operation)
    const { name, namespace, member, rpc, summary } = operation
    const types = [params.name, input.name, result.name]
    const rest = `${operation.rest.method} ${operation.rest.path}`
    const signature = signatureOf(operation)
    operations.set(name, { name, namespace, member, rest, rpc, summary, types, signature })
    interfaces.set(namespace, symbols.handlers(namespace).name)
    for (const exported of [constant.name, ...types]) exports.add(exported)
  }
  for (const name of interfaces.values()) exports.add(name)
  for (const { name, form } of forms.variants) exports.add(symbols.component(name, form).name)
  return {
    version: model.version,
    operations,
    interfaces: new Map([...interfaces].sort(([a], [b]) => (a < b ? -1 : 1))),
    exports,
  }
}

/** What every generated version exports, whatever its document. */
const fixedExports = [
  ...['Handlers', 'OperationTypes', 'OperationName', 'ErrorCode', 'SchemeName'],
  ...['contract', 'createApi', 'errors', 'operations', 'problem', 'securitySchemes'],
]
