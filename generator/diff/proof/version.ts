import { type Api, type Contract, createApiOf, type Operation as RuntimeOperation, type Violation } from '@duet/runtime'
import { LazyValidators } from '../../emit/lazy-validators.js'
import type { Json } from '../../load/document.js'
import { clone, isObject } from '../../load/json.js'
import { handlersOf } from '../../mock/handlers.js'
import { runtimeOperation } from '../../mock/sent-request.js'
import type { Model, Operation } from '../../model/model.js'
import { exchanged, type HttpAnswer, type HttpRequest, type Listener } from './exchange.js'

/** What came of a request. */
export interface Reception {
  /** Whether a handler was called. */
  readonly accepted: boolean
  readonly answer: HttpAnswer
}

/** What came of a result that a handler gave. */
export interface Delivery {
  /** Why the result was refused; undefined where it was not. */
  readonly violations: readonly Violation[] | undefined
  readonly rest: HttpAnswer
  readonly jsonrpc: HttpAnswer
}

/** One version as a service of it is: generated validators, the runtime's routers and binders, and handlers that do nothing. */
export class Version {
  readonly #validators: LazyValidators
  readonly #operations: ReadonlyMap<string, Operation>
  #service: Listener | undefined
  #isReached = false

  constructor(readonly model: Model) {
    this.#validators = new LazyValidators(model)
    this.#operations = new Map(model.operations.map((operation) => [operation.name, operation]))
  }

  operation(name: string): Operation | undefined {
    return this.#operations.get(name)
  }

  /** Has a request answered; its url is one below the base path. Requests go one after another. */
  async receive(request: HttpRequest): Promise<Reception> {
    this.#service ??= this.#serviceOf()
    this.#isReached = false
    const answer = await exchanged(this.#service, request)
    return { accepted: this.#isReached, answer }
  }

  /** Has an operation answer with a result, whatever its params are. */
  async deliver(operation: Operation, result: Json): Promise<Delivery> {
    const { body: _, query: __, ...rest } = runtimeOperation(operation).rest
    const method = operation.rpc === false ? operation.name : operation.rpc
    const bare: RuntimeOperation = {
      ...runtimeOperation(operation),
      rpc: method,
      security: [],
      rest: { ...rest, method: 'GET', path: '/', parameters: [] },
    }
    const validators = { params: () => true, result: this.#validators.of(operation).result }
    const contract = contractOf(this.model, [bare], () => validators)
    let violations: readonly Violation[] | undefined
    const api = serve(contract, {
      handlers: handlersOf([operation], () => clone(result)),
      onCall: ({ code, error }) => {
        if (code !== undefined) violations = violationsOf(error)
      },
    })
    const asked = await exchanged(api.node(), { method: 'GET', url: '/', headers: {} })
    const called = await exchanged(api.node(), rpcRequest(method, {}))
    return { violations, rest: asked, jsonrpc: called }
  }

  #serviceOf(): Listener {
    const { operations } = this.model
    const table = operations.map(runtimeOperation)
    const contract = contractOf(this.model, table, ({ name }) => {
      const operation = this.#operations.get(name)
      if (operation === undefined) throw new Error(`There is no operation ${name}`)
      return this.#validators.of(operation)
    })
    const reach = (): null => {
      this.#isReached = true
      return null
    }
    return serve(contract, { handlers: handlersOf(operations, reach), validateResponses: false }).node()
  }
}

/** The request that carries a call over JSON-RPC, below the base path. */
export function rpcRequest(method: string, params: Json): HttpRequest & { readonly body: string } {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return { method: 'POST', url: '/', headers: { 'content-type': 'application/json' }, body }
}

type Validators = Contract['validators'][string]

function contractOf(
  { title, version, errors, securitySchemes }: Model,
  table: readonly RuntimeOperation[],
  validatorsOf: (operation: RuntimeOperation) => Validators,
): Contract {
  const named = <Value>(value: (operation: RuntimeOperation) => Value): Record<string, Value> =>
    Object.fromEntries(table.map((operation) => [operation.name, value(operation)]))
  return {
    title,
    version,
    operations: named((operation) => operation),
    routes: table.map((operation) => {
      const { method, path, query } = operation.rest
      return { method, path, ...(query !== undefined && { query }), operation }
    }),
    methods: Object.fromEntries(
      table.flatMap((operation) => (operation.rpc === false ? [] : [[operation.rpc, operation] as const])),
    ),
    validators: named(validatorsOf),
    errors: Object.fromEntries(errors),
    securitySchemes: Object.fromEntries(securitySchemes),
    openapi: () => null,
    openrpc: () => null,
  }
}

type Options = Parameters<typeof createApiOf<Record<string, never>, unknown, object, string>>[1]

/** Any credential is good. */
function serve(contract: Contract, options: Options): Api<Record<string, never>, object> {
  return createApiOf(contract, { ...options, authenticate: () => ({}) })
}

function violationsOf(error: unknown): readonly Violation[] {
  const found: unknown = isObject(error) ? error.violations : undefined
  return Array.isArray(found) ? found : []
}
