import {
  type Api,
  type Contract,
  createApiOf,
  decodeBinaries,
  type OperationValidators,
  type Operation as RuntimeOperation,
  type Violation,
} from 'duet-runtime'
import type { Json } from '../../../document/document.js'
import { clone, isObject } from '../../../document/json.js'
import { hasTools } from '../../../mcp/has-tools.js'
import { toolMode } from '../../../mcp/tool-mode.js'
import type { Model, Operation } from '../../../model/model.js'
import { rpcTarget } from '../../../model/rpc-target.js'
import { handlersOf } from '../../../samples/handlers.js'
import { typesWithin } from '../../../samples/media-types.js'
import { runtimeOperation } from '../../../samples/sent-request.js'
import { toolCall, toolPath } from '../../../samples/tool-call.js'
import { LazyValidators } from '../../../validators/lazy-validators.js'
import { exchanged, type HttpRequest, type HttpResponse, type Listener } from './exchange.js'
import { type Delivery, inCurrentRevision, posted, type Reception, rpcRequest } from './reception.js'

/** A service of one version: generated validators, the runtime's routers and binders, and handlers that do nothing. */
export class Service {
  readonly #validators: LazyValidators
  readonly #services = new Map<string, Listener>()
  readonly #answering = new Map<string, ServedOperation>()
  #reached: string | undefined
  #params: unknown
  #taker: string | undefined

  constructor(readonly model: Model) {
    this.#validators = new LazyValidators(model)
  }

  /** Handles a REST call, whose URL includes the base path. Requests run one after another. */
  receive(request: HttpRequest): Promise<Reception> {
    // Only templates with the same number of segments can match.
    const length = segmentsOf(pathOf(request.url))
    const within = (operation: Operation): boolean =>
      segmentsOf(this.model.basePath + operation.rest.path) === length && operation.routed
    return this.#ask(`REST ${length}`, request, within)
  }

  /** Handles a GET as the operation does whose method is HEAD. */
  receiveAsGet(request: HttpRequest): Promise<Reception> {
    const length = segmentsOf(pathOf(request.url))
    const within = ({ rest, routed }: Operation): boolean =>
      rest.method === 'HEAD' && segmentsOf(this.model.basePath + rest.path) === length && routed
    return this.#ask(`HEAD ${length}`, request, within, (operation) => ({
      ...operation,
      rest: { ...operation.rest, method: 'GET' },
    }))
  }

  /** Handles a JSON-RPC call. At another path than JSON-RPC's it is a REST request. */
  called(method: string, request: HttpRequest): Promise<Reception> {
    if (pathOf(request.url) !== rpcTarget(this.model)) return this.receive(request)
    return this.#ask(`JSON-RPC ${method}`, request, ({ rpc }) => rpc === method)
  }

  /** Handles a call of a tool. At another path than MCP's it is a REST request. */
  async calledAsTool(name: string, request: HttpRequest): Promise<Reception> {
    if (pathOf(request.url) !== this.model.basePath + toolPath) return this.receive(request)
    const ask = (one: HttpRequest): Promise<Reception> =>
      this.#ask(`MCP ${name}`, one, ({ tool }) => tool?.name === name)
    const reception = await ask(request)
    if (reception.reached !== undefined) return reception
    const told = await ask(inCurrentRevision(request))
    return told.reached === undefined ? told : reception
  }

  /** Whether a JSON value is a valid result of an operation. */
  takes(operation: Operation, result: Json): boolean {
    return this.#validators.of(operation).result(handed(operation, result))
  }

  /**
   * Makes an operation respond with a JSON value as its result, whatever its params are.
   *
   * @param type the media type of a file
   */
  async deliver(operation: Operation, result: Json, type?: string): Promise<Delivery> {
    const answering = this.#toldTo(operation, () => handed(operation, result, type))
    const rest = await exchanged(answering.listener, asked)
    const jsonrpc = await exchanged(answering.listener, this.#calling(answering))
    const { violations } = answering
    return { violations, rest, jsonrpc, mcp: await asTool(answering, operation) }
  }

  /** Has an operation answer with a stream of one piece, whatever its params are. */
  async stream(operation: Operation, piece: Json): Promise<Delivery> {
    const answering = this.#toldTo(operation, () => streamed(clone(piece)))
    const jsonrpc = await exchanged(answering.listener, this.#calling(answering))
    const { violations } = answering
    // Over REST a piece that is refused ends the connection.
    const rest = violations === undefined ? await exchanged(answering.listener, asked) : jsonrpc
    return { violations, rest, jsonrpc, mcp: await asTool(answering, operation) }
  }

  #toldTo(operation: Operation, handle: () => unknown): ServedOperation {
    const answering = this.#answering.get(operation.name) ?? this.#answeringOf(operation)
    this.#answering.set(operation.name, answering)
    answering.handle = handle
    answering.violations = undefined
    return answering
  }

  #calling({ method }: ServedOperation): HttpRequest {
    return rpcRequest(method, {}, this.model.rpcPath)
  }

  async #ask(
    key: string,
    request: HttpRequest,
    concerns: (operation: Operation) => boolean,
    as: (operation: Operation) => Operation = (operation) => operation,
  ): Promise<Reception> {
    const listener =
      this.#services.get(key) ?? this.#serviceOf(this.model.operations.filter(concerns).map(as))
    this.#services.set(key, listener)
    this.#reached = undefined
    this.#params = undefined
    this.#taker = undefined
    const answer = await exchanged(listener, request)
    return { reached: this.#reached, params: this.#params, taker: this.#taker, answer }
  }

  #serviceOf(operations: readonly Operation[]): Listener {
    const table = operations.map((operation) => {
      const { params, result } = this.#validators.of(operation)
      const apply = (validator: typeof params, _: unknown, given: Parameters<typeof params>): boolean => {
        this.#taker = operation.name
        return validator(...given)
      }
      const validators = { params: new Proxy(params, { apply }), result }
      return { operation: runtimeOperation(operation), validators }
    })
    const reach = ({ name }: Operation, params: unknown): null => {
      this.#reached = name
      this.#params = params
      return null
    }
    const { basePath } = this.model
    const options = { handlers: handlersOf(operations, reach), validateResponses: false, basePath }
    return serve(contractOf(this.model, table), options).node()
  }

  #answeringOf(operation: Operation): ServedOperation {
    const { body: _, query: __, ...rest } = operation.rest
    const method = operation.rpc === false ? operation.name : operation.rpc
    const open: Operation = {
      ...operation,
      rpc: method,
      security: [],
      rest: { ...rest, method: 'GET', path: '/', parameters: [] },
    }
    const validators = { ...this.#validators.of(operation), params: () => true }
    const api = serve(contractOf(this.model, [{ operation: runtimeOperation(open), validators }]), {
      handlers: handlersOf([operation], () => answering.handle()),
      onCall: ({ code, error }) => {
        if (code !== undefined) answering.violations = violationsOf(error)
      },
    })
    const answering: ServedOperation = {
      listener: api.node(),
      method,
      handle: () => null,
      violations: undefined,
    }
    return answering
  }
}

function asTool({ listener }: ServedOperation, operation: Operation): Promise<HttpResponse | undefined> {
  const envelope = toolCall(operation, {})
  return envelope === undefined ? Promise.resolve(undefined) : exchanged(listener, posted(envelope, toolPath))
}

const asked: HttpRequest = { method: 'GET', url: '/', headers: {} }

async function* streamed(piece: unknown): AsyncGenerator<unknown> {
  yield piece
}

/** A service of one operation that accepts any params and returns a given result. */
interface ServedOperation {
  readonly listener: Listener
  readonly method: string
  handle: () => unknown
  violations: readonly Violation[] | undefined
}

/**
 * A result as a handler returns it, with a file in place of its base64 text. A text that is not base64 stays a text.
 */
export function handed({ rest: { answers = [] } }: Operation, result: Json, type?: string): unknown {
  const media = answers.find(({ kind }) => kind === 'binary')
  if (media === undefined) return clone(result)
  const file = decodeBinaries(clone(result), [{ binary: true }])
  return file instanceof Blob ? file.slice(0, file.size, type ?? typesWithin(media.type)[0]) : file
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}

function segmentsOf(path: string): number {
  return path.split('/').length
}

interface Entry {
  readonly operation: RuntimeOperation
  readonly validators: OperationValidators
}

function contractOf(model: Model, table: readonly Entry[]): Contract {
  const { title, version, rpcPath, errors, securitySchemes } = model
  const operations = table.map(({ operation }) => operation)
  const tools = operations.flatMap(({ tool }) => tool ?? [])
  return {
    title,
    version,
    rpcPath,
    operations: Object.fromEntries(operations.map((operation) => [operation.name, operation])),
    routes: operations.map((operation) => {
      const { method, path, query } = operation.rest
      return { method, path, ...(query !== undefined && { query }), operation }
    }),
    methods: Object.fromEntries(
      operations.flatMap((operation) => (operation.rpc === false ? [] : [[operation.rpc, operation]])),
    ),
    validators: Object.fromEntries(table.map(({ operation, validators }) => [operation.name, validators])),
    errors: Object.fromEntries(errors),
    securitySchemes: Object.fromEntries(securitySchemes),
    openapi: () => null,
    openrpc: () => null,
    ...(hasTools(model) && {
      mcp: () => ({
        mode: toolMode(model),
        tools: tools.map(({ name }) => ({ name, inputSchema: { type: 'object' } })),
      }),
    }),
  }
}

type Options = Parameters<typeof createApiOf<Record<string, never>, unknown, object, string>>[1]

/** Accepts any credentials. A proof shows a handler's invalid result, so it is not logged. */
function serve(contract: Contract, options: Options): Api<Record<string, never>, object> {
  return createApiOf(contract, { ...options, authenticate: () => ({}), logger: false })
}

function violationsOf(error: unknown): readonly Violation[] {
  const found: unknown = isObject(error) ? error.violations : undefined
  return Array.isArray(found) ? found : []
}
