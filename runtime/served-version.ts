import type { IncomingMessage, ServerResponse } from 'node:http'
import { builtInErrors } from './contract/catalogue.js'
import type { Contract } from './contract/contract.js'
import type { HttpRequest } from './contract/http-request.js'
import { loggerOf } from './contract/logger.js'
import { ProblemError } from './contract/problem.js'
import { below, checkedBasePath, outsideBase } from './http/base-path.js'
import { type BodyRule, type BodyRules, isCoded } from './http/body.js'
import type { Exchange, ExchangeTarget } from './http/exchange.js'
import { FetchExchange } from './http/fetch-exchange.js'
import type { FetchedRequest } from './http/fetched-request.js'
import { hasTooManyFields, tooManyFields } from './http/fields.js'
import { beginAnswer, isBehindLast } from './http/last-answer.js'
import { NodeExchange } from './http/node-exchange.js'
import { isDecodable, isPageRequest, pathOf } from './http/target.js'
import { isOver } from './http/unread.js'
import type { VersionChoice } from './http/version-headers.js'
import {
  type EndpointServer,
  endpointsOf,
  type ProtocolEndpoint,
  type ProtocolServers,
  protocolServers,
} from './protocols.js'
import { sendProblem } from './rest/server/respond.js'
import type { CallOptions } from './server/api/api.js'
import { type Limits, limitsOf } from './server/api/limits.js'
import type { ApiOptions, AuthenticationCall } from './server/api/options.js'
import type { Port } from './server/api/port-call.js'
import { type Alternative, Authentication } from './server/authenticate.js'
import { checkOptions, warnOfOptions, warnOfRoundedNumbers } from './server/checked-options.js'
import { Dispatcher } from './server/dispatch.js'
import { callLocally } from './server/local.js'
import { warnOfUnmappedBodies } from './server/outcome/error-body.js'
import { portOf } from './server/port.js'
import { type HandlerOrigin, type Procedure, proceduresOf } from './server/procedure.js'
import { Shadow } from './shadow/shadow.js'
import type { ShadowOptions } from './usage/shadow-options.js'
import type { Eventual } from './values/eventual.js'
import { requestIdOf } from './values/request-id.js'

/** One version of an api: its protocols and its dispatcher. */
export class ServedVersion<Principal> {
  readonly #options: ApiOptions<unknown, Principal>
  readonly #dispatcher: Dispatcher<Principal>
  readonly #procedures: ReadonlyMap<string, Procedure>
  readonly #servers: ProtocolServers<Principal>
  readonly #endpoints: readonly ProtocolEndpoint<Principal>[]
  readonly #limits: Limits
  readonly #bodies: BodyRules
  readonly #shadow: Shadow<Principal> | undefined
  /** Empty: no base path. */
  readonly #basePath: string

  /** @param origins of handlers of other versions, by operation name */
  constructor(
    contract: Contract,
    options: ApiOptions<unknown, Principal>,
    origins?: ReadonlyMap<string, HandlerOrigin>,
  ) {
    const unknown = checkOptions(options)
    const limits = limitsOf(options.limits)
    this.#options = options
    const errors = { ...builtInErrors, ...contract.errors }
    this.#shadow = options.shadow && shadowOf(contract, limits, options, options.shadow)
    this.#dispatcher = new Dispatcher(options, errors, contract.version, limits, this.#shadow)
    this.#procedures = proceduresOf(contract, options.handlers, origins)
    requireHook(this.#procedures, options)
    warnOfOptions(options, unknown, contract, this.#procedures)
    if (options.errors === undefined)
      warnOfUnmappedBodies(Object.values(contract.operations), loggerOf(options.logger))
    this.#bodies = bodyRules(this.#procedures, limits, options, this.#shadow)
    this.#basePath = checkedBasePath(options.basePath ?? contract.basePath ?? '')
    const { openrpc, mcp } = options
    this.#servers = protocolServers({
      contract: { ...contract, basePath: this.#basePath, ...(openrpc && { openrpc: () => openrpc }) },
      procedures: this.#procedures,
      dispatcher: this.#dispatcher,
      ...{ limits, bodies: this.#bodies, mcp },
    })
    this.#endpoints = endpointsOf(this.#servers)
    this.#limits = limits
  }

  get procedures(): ReadonlyMap<string, Procedure> {
    return this.#procedures
  }

  /** The principal of a request's credentials, whatever it calls. Undefined: none of them are valid. */
  principalOf(request: HttpRequest): Eventual<Principal | undefined> {
    const { credentials } = this.#bodies
    const { signal } = new AbortController()
    const call = (alternative: Alternative): AuthenticationCall => ({
      operation: credentials.get(alternative) ?? '',
      scopes: alternative.scopes,
      requestId: requestIdOf(request.headers['x-request-id']),
      signal,
      request,
    })
    try {
      const principal = new Authentication(request, this.#options).principal([...credentials.keys()], call)
      return principal instanceof Promise ? principal.catch(() => undefined) : principal
    } catch {
      return undefined
    }
  }

  get hasTools(): boolean {
    return this.#servers.mcp !== undefined
  }

  /** The address that MCP has, or would have with tools. */
  get mcpPath(): string {
    return `${this.#basePath}/mcp`
  }

  port(protocol: `x-${string}`): Port {
    return portOf(protocol, this.#dispatcher, this.#procedures, this.#options, this.#limits)
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

  /**
   * Answers any request, whatever happens; `otherwise` receives requests to unknown paths.
   *
   * @param chosen how the request chose this version, of an api that serves several
   */
  listen(
    request: IncomingMessage,
    response: ServerResponse,
    otherwise: Otherwise,
    chosen?: Partial<ChosenVersion>,
  ): void {
    if (isOver(request) || isBehindLast(request)) return
    beginAnswer(request, response)
    const target = this.#target(request, chosen)
    const exchange = new NodeExchange<Principal>(target, request, response, this.#options, this.#limits)
    this.#serve(exchange, target, otherwise)
  }

  fetch(source: Request, request: FetchedRequest, chosen?: Partial<ChosenVersion>): Promise<Response> {
    const target = this.#target(request, chosen)
    const exchange = new FetchExchange<Principal>(target, request, source.signal, this.#options, this.#limits)
    this.#serve(exchange, target, undefined)
    return exchange.answer
  }

  async flushUsage(): Promise<void> {
    await this.#shadow?.flush()
  }

  /** Whether a target, without its query, is an address of this version. */
  hasAddress(request: HttpRequest, url: string): boolean {
    const within = below(this.#basePath, request, url)
    if (within === undefined) return false
    const path = pathOf(within)
    return (
      this.#endpoints.some(({ server }) => server.endpoint.path === path) ||
      this.#servers.rest.allowed(within).length > 0
    )
  }

  /** Whether the version has a base path, and the target begins with it. */
  hasBase(request: HttpRequest, url: string): boolean {
    return this.#basePath !== '' && this.isBelow(request, url)
  }

  /** Whether the base path, if there is one, is the beginning of the target. */
  isBelow(request: HttpRequest, url: string): boolean {
    return below(this.#basePath, request, url) !== undefined
  }

  #target(
    request: HttpRequest,
    { url: sent = request.url ?? '', choice }: Partial<ChosenVersion> = {},
  ): Target<Principal> {
    const url = below(this.#basePath, request, sent)
    const rest: Target<Principal> = { url, protocol: 'rest', choice, endpoint: undefined }
    for (const { protocol, server } of this.#endpoints)
      if (server.isElsewhere?.(request) === true) return { ...rest, url: sent, protocol }
    if (url === undefined) return rest
    const path = pathOf(url)
    for (const { protocol, server } of this.#endpoints) {
      const { endpoint } = server
      if (endpoint.path === path)
        return { ...rest, protocol: request.method === endpoint.method ? protocol : 'rest', endpoint: server }
    }
    return rest
  }

  #serve(exchange: Exchange<Principal>, target: Target<Principal>, otherwise: Otherwise): void {
    const answer = () => exchange.measured(() => this.#answer(exchange, target, otherwise))
    const { telemetry } = this.#dispatcher
    if (telemetry === undefined) answer()
    else telemetry.serve(exchange, answer)
  }

  #answer(exchange: Exchange<Principal>, target: Target<Principal>, otherwise: Otherwise): void {
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
      if (otherwise === undefined || otherwise() === false)
        sendProblem(exchange, this.#dispatcher.refuse(outsideBase(this.#basePath, request), exchange), {})
      return
    }
    // The response has already begun, so it cannot become an error.
    const destroy = (error: unknown) => {
      this.#dispatcher.logLost(error, exchange)
      exchange.destroy()
    }
    try {
      const answered = (this.#servers[protocol] ?? this.#servers.rest).answer(exchange)
      if (answered instanceof Promise) answered.catch(destroy)
      else if (!answered) this.#refuse(exchange, target.endpoint, otherwise)
    } catch (error) {
      destroy(error)
    }
  }

  #refuse(
    exchange: Exchange<Principal>,
    server: EndpointServer<Principal> | undefined,
    next: Otherwise,
  ): void {
    const { method } = exchange.request
    const otherwise = server?.endpoint.isAlone === true ? undefined : next
    const { rest } = this.#servers
    const allowed = rest.allowed(exchange.url)
    const reads = method === 'GET' || method === 'HEAD'
    const isFree = allowed.length === 0 && (server === undefined || reads)
    if (!isDecodable(exchange.url) && !isPageRequest(exchange.request)) rest.refuse(exchange, allowed)
    else if (isFree && otherwise !== undefined && otherwise() !== false) return
    else if (server === undefined) rest.refuse(exchange, allowed)
    else if (allowed.length === 0 && method !== 'OPTIONS') {
      const methods = methodsOfEndpoint(server, allowed, reads ? undefined : otherwise).join(', ')
      const problem = new ProblemError('method_not_allowed', { detail: `This path takes ${methods}.` })
      server.refuse(exchange, problem, { Allow: methods })
    } else rest.refuse(exchange, methodsOfEndpoint(server, allowed, otherwise))
  }
}

/** What takes requests that are for no operation; `false` leaves one to this version. */
type Otherwise = (() => unknown) | undefined

/** How a request chose a version. */
export interface ChosenVersion {
  /** The request target without the name of the version. */
  readonly url: string
  readonly choice: VersionChoice
}

interface Target<Principal> extends ExchangeTarget {
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
  otherwise: Otherwise,
): readonly string[] {
  const read = allowed.length === 0 && otherwise !== undefined ? ['GET', 'HEAD'] : []
  return [...new Set([...allowed, ...read, endpoint.method])].sort()
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
  memory: BodyRule['memory'],
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
      ...(memory !== undefined && { memory }),
    },
    anonymousLimit: credentials.size === 0 ? bodyBytes : anonymousBodyBytes,
    credentials,
  }
}

/** @throws Error for options that do not fit the contract */
function shadowOf<Principal>(
  contract: Contract,
  { bodyBytes: limit, bodyValues: values, bodyParts: parts }: Limits,
  { logger }: Pick<ApiOptions<unknown, Principal>, 'logger'>,
  shadow: ShadowOptions<Principal>,
): Shadow<Principal> {
  const rule = { limit, values, parts, acceptParsed: false, work: undefined }
  return new Shadow(contract, shadow, rule, loggerOf(logger))
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
