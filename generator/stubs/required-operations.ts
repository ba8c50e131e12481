import { contentDigest } from '../cache/store.js'
import { picked } from '../document/cursor.js'
import { isObject } from '../document/json.js'
import { nameSymbols } from '../emit/symbols.js'
import type { Model, Operation } from '../model/model.js'
import { fingerprint } from '../schema/canonical.js'
import { isAnnotation, isSchema, mapSubschemas, referenceOf, type Schema } from '../schema/schema.js'
import { typeFormsOf } from '../types/type-forms.js'

/** What a handler folder has to implement for a version. */
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
  /** Its generated types: params as sent, params as a handler gets them, result. */
  readonly types: readonly string[]
  readonly signature: Signature
}

/** Reads from a model what scaffolding needs. */
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

/** Digests of an operation's params and result. */
export type Signature = readonly [params: string, result: string]

/** Makes digests of schemas with everything that they refer to, without annotations. */
function signatureReader({ schemas }: Model): (operation: Operation) => Signature {
  const components = new Map<string, Digested>()
  const component = (name: string): Digested => {
    const known = components.get(name) ?? digested(schemas.get(name) ?? true)
    components.set(name, known)
    return known
  }
  const digest = (schema: Schema): string => {
    const own = digested(schema)
    const reached = new Set(own.references)
    for (const name of reached) for (const next of component(name).references) reached.add(next)
    const parts = [...reached].sort().map((name) => `${name} ${component(name).digest}`)
    return contentDigest([own.digest, ...parts].join('\n')).slice(0, 16)
  }
  return ({ params, result }) => [digest(params), digest(result)]
}

/** What every generated version exports. */
const fixedExports = [
  ...['Handlers', 'OperationTypes', 'OperationName', 'ErrorCode', 'SchemeName'],
  ...['contract', 'createApi', 'errors', 'operations', 'problem', 'securitySchemes'],
]

interface Digested {
  readonly digest: string
  /** Components that the schema refers to directly. */
  readonly references: ReadonlySet<string>
}

function digested(schema: Schema): Digested {
  const references = new Set<string>()
  const bare = (part: Schema): Schema => {
    if (!isObject(part)) return part
    const name = referenceOf(part)
    if (name !== undefined) references.add(name)
    const kept = picked(part, (keyword) => !isAnnotation(keyword))
    return mapSubschemas(kept, (inner) => (isSchema(inner) ? bare(inner) : true))
  }
  return { digest: contentDigest(fingerprint(bare(schema))), references }
}
