import type { IncomingMessage, ServerResponse } from 'node:http'
import { builtInErrors } from './contract/catalogue.js'
import type { Contract } from './contract/contract.js'
import type { HttpRequest } from './contract/http-request.js'
import { loggerOf } from './contract/logger.js'
import type { Protocol } from './contract/operation.js'
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
import {
  type EndpointServer,
  endpointsOf,
  type ProtocolEndpoint,
  type ProtocolServers,
  protocolServers,
} from './protocols.js'
import { sendProblem } from './rest/server/respond.js'
import type { Api, ApiOptions, CallOptions, FetchInfo, Limits } from './server/api.js'
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
  readonly #servers: ProtocolServers<Principal>
  readonly #endpoints: readonly ProtocolEndpoint<Principal>[]
  readonly #limits: Limits
  /** Empty: no base path. */
  readonly #basePath: string

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
    this.#servers = protocolServers({
      contract: openrpc === undefined ? contract : { ...contract, openrpc: () => openrpc },
      procedures: this.#procedures,
      dispatcher: this.#dispatcher,
      limits,
      bodies,
    })
    this.#endpoints = endpointsOf(this.#servers)
    this.#limits = limits
    this.#basePath = checkedBasePath(options.basePath ?? contract.basePath ?? '')
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
    const target = this.#target(request)
    const { url, protocol } = target
    const { bodyBytes } = this.#limits
    const exchange = new NodeExchange<Principal>(protocol, request, response, this.#options, bodyBytes, url)
    this.#serve(exchange, target, otherwise)
  }

  fetch(source: Request, info: FetchInfo | undefined): Promise<Response> {
    // If this is used directly as a platform's handler, the second argument may be the platform's own.
    const address: unknown = info?.address
    const request = new FetchedRequest(source, typeof address === 'string' ? address : undefined)
    const target = this.#target(request)
    const { url, protocol } = target
    const exchange = new FetchExchange<Principal>(protocol, request, source.signal, this.#options, url)
    this.#serve(exchange, target, undefined)
    return exchange.answer
  }

  #target(request: HttpRequest): Target<Principal> {
    const url = this.#basePath === '' ? (request.url ?? '') : below(this.#basePath, request)
    if (url === undefined) return { url, protocol: 'rest', endpoint: undefined }
    const path = pathOf(url)
    for (const { protocol, server } of this.#endpoints) {
      const { endpoint } = server
      if (endpoint.path === path)
        return { url, protocol: request.method === endpoint.method ? protocol : 'rest', endpoint: server }
    }
    return { url, protocol: 'rest', endpoint: undefined }
  }

  #serve(
    exchange: Exchange<Principal>,
    target: Target<Principal>,
    otherwise: (() => void) | undefined,
  ): void {
    const answer = () => exchange.measured(() => this.#answer(exchange, target, otherwise))
    const { telemetry } = this.#dispatcher
    if (telemetry === undefined) answer()
    else telemetry.serve(exchange, answer)
  }

  #answer(
    exchange: Exchange<Principal>,
    target: Target<Principal>,
    otherwise: (() => void) | undefined,
  ): void {
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
    if (target.url === undefined) {
      if (otherwise !== undefined) otherwise()
      else sendProblem(exchange, this.#dispatcher.refuse(outsideBase(this.#basePath, request), exchange), {})
      return
    }
    // The response has already begun, so it cannot become an error.
    const destroy = (error: unknown) => {
      this.#dispatcher.logLost(error, exchange)
      exchange.destroy()
    }
    try {
      const answered = this.#servers[protocol].answer(exchange)
      if (answered instanceof Promise) answered.catch(destroy)
      else if (!answered) this.#refuse(exchange, target.endpoint, otherwise)
    } catch (error) {
      destroy(error)
    }
  }

  #refuse(
    exchange: Exchange<Principal>,
    server: EndpointServer<Principal> | undefined,
    otherwise: (() => void) | undefined,
  ): void {
    const { method } = exchange.request
    const { rest } = this.#servers
    const allowed = rest.allowed(exchange.url)
    const reads = method === 'GET' || method === 'HEAD'
    if (!isDecodable(exchange.url)) rest.refuse(exchange, allowed)
    else if (allowed.length === 0 && otherwise !== undefined && (server === undefined || reads)) otherwise()
    else if (server === undefined) rest.refuse(exchange, allowed)
    else if (allowed.length === 0 && method !== 'OPTIONS') {
      const methods = methodsOfEndpoint(server, allowed, otherwise).join(', ')
      const problem = new ProblemError('method_not_allowed', { detail: `This path takes ${methods}.` })
      server.refuse(exchange, problem, { Allow: methods })
    } else rest.refuse(exchange, methodsOfEndpoint(server, allowed, otherwise))
  }
}

interface Target<Principal> {
  /** The request target below the base path. Undefined: the request is outside of it. */
  readonly url: string | undefined
  readonly protocol: Protocol
  /** The protocol whose address the path is, whatever the method. */
  readonly endpoint: EndpointServer<Principal> | undefined
}

/** RFC 9112, section 6.1: 501 for unknown codings, since the body would be misread. */
function otherCoding(): ProblemError {
  return new ProblemError('not_implemented', { detail: 'The only supported Transfer-Encoding is chunked.' })
}

/** Methods of a protocol's address: if no operation has that path, `otherwise` handles GET and HEAD. */
function methodsOfEndpoint(
  { endpoint }: Pick<EndpointServer<never>, 'endpoint'>,
  allowed: readonly string[],
  otherwise: (() => void) | undefined,
): readonly string[] {
  const read = allowed.length === 0 && otherwise !== undefined ? ['GET', 'HEAD'] : []
  return [...new Set([...allowed, ...read, endpoint.method])].sort()
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
