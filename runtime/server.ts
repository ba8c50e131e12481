import type { IncomingMessage, ServerResponse } from 'node:http'
import { builtInErrors } from './contract/catalogue.js'
import type { Contract } from './contract/contract.js'
import type { HttpRequest } from './contract/http-request.js'
import { loggerOf } from './contract/logger.js'
import { ProblemError } from './contract/problem.js'
import { type BodyRules, isCoded } from './http/body.js'
import type { Exchange } from './http/exchange.js'
import { FetchExchange } from './http/fetch-exchange.js'
import { FetchedRequest } from './http/fetched-request.js'
import { hasTooManyFields, tooManyFields } from './http/fields.js'
import { beginAnswer, isBehindLast } from './http/last-answer.js'
import { NodeExchange } from './http/node-exchange.js'
import { isDecodable, pathOf } from './http/target.js'
import { isOver } from './http/unread.js'
import { JsonRpcHandler } from './jsonrpc/server/handler.js'
import { RestHandler } from './rest/server/handler.js'
import { sendProblem } from './rest/server/respond.js'
import type { Api, ApiOptions, CallOptions, FetchInfo, Limits, Protocol } from './server/api.js'
import type { Alternative } from './server/authenticate.js'
import { checkOptions, warnOfOptions, warnOfRoundedNumbers } from './server/checked-options.js'
import { Dispatcher } from './server/dispatch.js'
import { fastifyPlugin } from './server/fastify.js'
import { limitsOf } from './server/limits.js'
import { callLocally } from './server/local.js'
import { warnOfUnmappedBodies } from './server/outcome/error-body.js'
import { type Procedure, proceduresOf } from './server/procedure.js'

/**
 * Creates an api from a contract and handlers: both protocols, and in-process calls. Precomputes everything
 * that does not depend on a request. Throws an Error for an invalid setup: an operation without validators,
 * security without an `authenticate` hook, an unknown system zone, limits below 1.
 */
export function createApiOf<
  Types,
  Handlers,
  Principal = unknown,
  Scheme extends string = string,
  State = unknown,
  Body = unknown,
>(contract: Contract, options: ApiOptions<Handlers, Principal, Scheme, State, Body>): Api<Types, Principal> {
  const server = new Server<Principal>(contract, options as ApiOptions<unknown, Principal>)
  const call = (name: string, params: unknown, callOptions: CallOptions<Principal> = {}) =>
    server.call(name, params, callOptions)
  const node: Api<Types, Principal>['node'] =
    ({ fallback } = {}) =>
    (request, response) =>
      server.listen(request, response, fallback && (() => fallback(request, response)))
  return {
    express:
      ({ fallthrough = false } = {}) =>
      (request, response, next) =>
        server.listen(request, response, fallthrough ? next : undefined),
    node,
    fastify: () => fastifyPlugin(node()),
    fetch: (request, info) => server.fetch(request, info),
    call: call as Api<Types, Principal>['call'],
  }
}

class Server<Principal> {
  readonly #options: ApiOptions<unknown, Principal>
  readonly #dispatcher: Dispatcher<Principal>
  readonly #procedures: ReadonlyMap<string, Procedure>
  readonly #protocols: { readonly rest: RestHandler<Principal>; readonly jsonrpc: JsonRpcHandler<Principal> }
  readonly #limits: Limits
  /** Empty: no base path. */
  readonly #basePath: string
  readonly #rpcPath: string

  constructor(contract: Contract, options: ApiOptions<unknown, Principal>) {
    checkOptions(options)
    const limits = limitsOf(options.limits)
    this.#options = options
    this.#dispatcher = new Dispatcher(options, { ...builtInErrors, ...contract.errors }, limits.callMs)
    this.#procedures = proceduresOf(contract, options.handlers)
    requireHook(this.#procedures, options)
    warnOfOptions(options, contract, this.#procedures)
    if (options.errors === undefined)
      warnOfUnmappedBodies(Object.values(contract.operations), loggerOf(options.logger))
    const bodies = bodyRules(this.#procedures, limits, options)
    const { openrpc } = options
    const described = openrpc === undefined ? contract : { ...contract, openrpc: () => openrpc }
    this.#protocols = {
      rest: new RestHandler(contract, this.#procedures, this.#dispatcher, bodies),
      jsonrpc: new JsonRpcHandler(described, this.#procedures, this.#dispatcher, limits, bodies),
    }
    this.#limits = limits
    this.#basePath = checkedBasePath(options.basePath ?? contract.basePath ?? '')
    this.#rpcPath = contract.rpcPath ?? '/'
  }

  call(name: string, params: unknown, options: CallOptions<Principal>): Promise<unknown> {
    return callLocally(
      this.#dispatcher,
      this.#procedures.get(name),
      params,
      options,
      this.#limits.answerBytes,
    )
  }

  /** Answers any request, whatever happens; `otherwise` receives requests to unknown paths. */
  listen(request: IncomingMessage, response: ServerResponse, otherwise: (() => void) | undefined): void {
    if (isOver(request) || isBehindLast(request)) return
    beginAnswer(request, response)
    const { url, place, protocol } = this.#target(request)
    const { bodyBytes } = this.#limits
    const exchange = new NodeExchange<Principal>(protocol, request, response, this.#options, bodyBytes, url)
    this.#serve(exchange, place, otherwise)
  }

  fetch(source: Request, info: FetchInfo | undefined): Promise<Response> {
    // If this is used directly as a platform's handler, the second argument may be the platform's own.
    const address: unknown = info?.address
    const request = new FetchedRequest(source, typeof address === 'string' ? address : undefined)
    const { url, place, protocol } = this.#target(request)
    const exchange = new FetchExchange<Principal>(protocol, request, source.signal, this.#options, url)
    this.#serve(exchange, place, undefined)
    return exchange.answer
  }

  #target(request: HttpRequest): Target {
    const url = this.#basePath === '' ? (request.url ?? '') : below(this.#basePath, request)
    const root = url !== undefined && pathOf(url) === this.#rpcPath
    return {
      url,
      place: url === undefined ? 'elsewhere' : root ? 'root' : 'below',
      protocol: root && request.method === 'POST' ? 'jsonrpc' : 'rest',
    }
  }

  #serve(exchange: Exchange<Principal>, place: Place, otherwise: (() => void) | undefined): void {
    const answer = () => exchange.measured(() => this.#answer(exchange, place, otherwise))
    const { telemetry } = this.#dispatcher
    if (telemetry === undefined) answer()
    else telemetry.serve(exchange, answer)
  }

  #answer(exchange: Exchange<Principal>, place: Place, otherwise: (() => void) | undefined): void {
    const { request, protocol } = exchange
    if (hasTooManyFields(request)) {
      const { problem, ...failure } = this.#dispatcher.refuse(tooManyFields(), exchange)
      sendProblem(exchange, { ...failure, problem: { ...problem, status: 431 } }, { Connection: 'close' })
      return
    }
    if (request.method === 'OPTIONS' && request.url === '*') {
      exchange.send(204, {})
      return
    }
    if (isCoded(request)) {
      sendProblem(exchange, this.#dispatcher.refuse(otherCoding(), exchange), {})
      return
    }
    if (place === 'elsewhere') {
      if (otherwise !== undefined) otherwise()
      else sendProblem(exchange, this.#dispatcher.refuse(outsideBase(this.#basePath, request), exchange), {})
      return
    }
    // The response has already begun, so the caller cannot be told.
    const destroy = (error: unknown) => {
      this.#dispatcher.logLost(error, exchange)
      exchange.destroy()
    }
    try {
      const answered = this.#protocols[protocol].answer(exchange)
      if (answered instanceof Promise) answered.catch(destroy)
      else if (!answered) this.#refuse(exchange, place === 'root', otherwise)
    } catch (error) {
      destroy(error)
    }
  }

  #refuse(exchange: Exchange<Principal>, root: boolean, otherwise: (() => void) | undefined): void {
    const { method } = exchange.request
    const { rest, jsonrpc } = this.#protocols
    const allowed = rest.allowed(exchange.url)
    const reads = method === 'GET' || method === 'HEAD'
    if (!isDecodable(exchange.url)) rest.refuse(exchange, allowed)
    else if (allowed.length === 0 && otherwise !== undefined && (!root || reads)) otherwise()
    else if (!root) rest.refuse(exchange, allowed)
    else if (allowed.length === 0 && method !== 'OPTIONS') {
      const headers = { Allow: methodsOfRoot(allowed, otherwise).join(', ') }
      jsonrpc.refuse(exchange, new ProblemError('method_not_allowed'), headers)
    } else rest.refuse(exchange, methodsOfRoot(allowed, otherwise))
  }
}

interface Target {
  /** Below the base path; undefined elsewhere. */
  readonly url: string | undefined
  readonly place: Place
  readonly protocol: Protocol
}

/**
 * The request path's relation to the api: the address of JSON-RPC, elsewhere below the base path, or outside
 * it.
 */
type Place = 'root' | 'below' | 'elsewhere'

/** RFC 9112, section 6.1: 501 for unknown codings, since the body would be misread. */
function otherCoding(): ProblemError {
  return new ProblemError('not_implemented', { detail: 'The only supported Transfer-Encoding is chunked.' })
}

/** Methods of the JSON-RPC address: if no operation has that path, `otherwise` handles GET and HEAD. */
function methodsOfRoot(allowed: readonly string[], otherwise: (() => void) | undefined): readonly string[] {
  const read = allowed.length === 0 && otherwise !== undefined ? ['GET', 'HEAD'] : []
  return [...new Set([...allowed, ...read, 'POST'])].sort()
}

/** Throws an Error if the path is not absolute. */
function checkedBasePath(basePath: string): string {
  const path = basePath.replace(/\/+$/, '')
  if (path === '' || /^(\/[^/?#\s]+)+$/.test(path)) return path
  throw new Error(`basePath is ${JSON.stringify(basePath)}, which is not a path such as /v1`)
}

/**
 * A request's target below the base path; undefined if it is elsewhere. Under Express, a mount that ends with
 * the base path has removed it already.
 */
function below(basePath: string, request: HttpRequest): string | undefined {
  const { url = '' } = request
  if (mountOf(request).endsWith(basePath)) return url
  const path = pathOf(url)
  if (path !== basePath && !path.startsWith(`${basePath}/`)) return undefined
  const mark = url.indexOf('?')
  return (path.slice(basePath.length) || '/') + (mark === -1 ? '' : url.slice(mark))
}

/** Refuses a path that is not below the base path, a new caller's most likely mistake. */
function outsideBase(basePath: string, request: HttpRequest): ProblemError {
  const detail = `Every path of this service begins with ${mountOf(request)}${basePath}.`
  return new ProblemError('unknown_operation', { detail })
}

/** The path at which Express has mounted the api; the Fastify plugin puts its prefix in the same property. */
function mountOf(request: HttpRequest): string {
  const mount: unknown = Reflect.get(request, 'baseUrl')
  return typeof mount === 'string' ? mount : ''
}

/** A contract without security has one body limit for all callers. */
function bodyRules(
  procedures: ReadonlyMap<string, Procedure>,
  { bodyBytes, anonymousBodyBytes, bodyValues, bodyParts }: Limits,
  {
    acceptParsedBodies = false,
    logger,
    work,
  }: Pick<ApiOptions<unknown, unknown>, 'acceptParsedBodies' | 'logger' | 'work'>,
): BodyRules {
  const credentials = new Map<Alternative, string>()
  for (const { operation, alternatives } of procedures.values()) {
    for (const alternative of alternatives) {
      if (alternative.schemes.length > 0 && !credentials.has(alternative))
        credentials.set(alternative, operation.name)
    }
  }
  return {
    known: {
      limit: bodyBytes,
      values: bodyValues,
      parts: bodyParts,
      acceptParsed: acceptParsedBodies,
      warnRounded: warnOfRoundedNumbers(logger),
      work,
    },
    anonymousLimit: credentials.size === 0 ? bodyBytes : anonymousBodyBytes,
    credentials,
  }
}

function requireHook<Principal>(
  procedures: ReadonlyMap<string, Procedure>,
  { authenticate }: ApiOptions<unknown, Principal>,
): void {
  if (authenticate !== undefined) return
  for (const { operation, alternatives } of procedures.values()) {
    if (alternatives.some(({ schemes }) => schemes.length > 0)) {
      throw new Error(`${operation.name} is secured: createApi needs the option authenticate`)
    }
  }
}
