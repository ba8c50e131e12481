import type { Contract } from '../../contract/contract.js'
import type { HttpRequest } from '../../contract/http-request.js'
import { withExactInt64 } from '../../contract/int64.js'
import type { Json } from '../../contract/parsed-json.js'
import { ProblemError } from '../../contract/problem.js'
import type { Violation } from '../../contract/problem-details.js'
import { type BodyRules, readJson } from '../../http/body.js'
import type { Exchange } from '../../http/exchange.js'
import { checkMediaType } from '../../http/media-type.js'
import { type InexactNumbers, inexactByCall } from '../../jsonrpc/server/numbers.js'
import type { Limits } from '../../server/api/limits.js'
import type { McpOptions } from '../../server/api/options.js'
import { challengeOf } from '../../server/authenticate.js'
import type { Dispatcher, Encoding } from '../../server/dispatch.js'
import type { Procedure } from '../../server/procedure.js'
import { isPieces } from '../../server/result/media-result.js'
import { type Eventual, whenKnown } from '../../values/eventual.js'
import { isJsonObject } from '../../values/object.js'
import { callableTools } from './callable.js'
import { failureContent, jsonContent, resultContent } from './content.js'
import { kinds, McpError } from './mcp-error.js'
import { type Batch, type Id, idOf, type Message, type Request, readMessage } from './message.js'
import { progressEvents } from './progress.js'
import { ProtectedResource } from './protected-resource.js'
import { checkOrigin, isUnauthorized, UnauthorizedError, unknownTool } from './refusal.js'
import { errorText, lasting, membersText, problemError, type Response, send, serverOf } from './respond.js'
import { CURRENT, META, OLDER, REVISIONS } from './revisions.js'
import { CALL, checkArguments, explained, operationCall, RefusedArguments, searchTools } from './search.js'
import { bindArguments, progressTokenOf, type ToolCall } from './tool-call.js'
import { type ToolDescription, Tools } from './tools.js'

/** Answers MCP over HTTP without sessions: lists the tools, and calls operations. */
export class McpHandler<Principal> {
  /** Without streams a GET must be 405 (MCP 2025-11-25, Transports): older clients try it. */
  readonly endpoint = { path: '/mcp', method: 'POST', isAlone: true } as const
  readonly #contract: Contract
  readonly #tools: Tools
  readonly #dispatcher: Dispatcher<Principal>
  readonly #limits: Limits
  readonly #bodies: BodyRules
  readonly #origins: ReadonlySet<string>
  readonly #resource: ProtectedResource
  /** `_meta` of every result, as a member. */
  readonly #meta: string

  constructor(
    contract: Contract,
    procedures: ReadonlyMap<string, Procedure>,
    dispatcher: Dispatcher<Principal>,
    limits: Limits,
    bodies: BodyRules,
    options: McpOptions = {},
  ) {
    this.#contract = contract
    this.#tools = new Tools(contract, procedures)
    this.#dispatcher = dispatcher
    this.#limits = limits
    this.#bodies = bodies
    this.#origins = new Set(options.origins)
    this.#resource = new ProtectedResource(contract, this.#tools.procedures, options)
    this.#meta = `"_meta":${JSON.stringify({ [META.server]: serverOf(contract) })}`
  }

  /** The metadata of a protected resource has an address of its own, outside of the base path. */
  isElsewhere(request: HttpRequest): boolean {
    return this.#resource.isMetadata(request)
  }

  answer(exchange: Exchange<Principal>): Eventual<true> {
    if (this.#resource.isMetadata(exchange.request)) return this.#described(exchange)
    const refused = (error: unknown): true => {
      this.refuse(exchange, error)
      return true
    }
    try {
      checkOrigin(exchange.request, this.#origins)
      checkMediaType(exchange.request)
      const rule = exchange.bodyRule(this.#bodies)
      const inTime = rule instanceof Promise ? (this.#dispatcher.deadline()?.within(rule) ?? rule) : rule
      const json = whenKnown(inTime, (known) => readJson(exchange.request, known))
      return json instanceof Promise
        ? json.then((read) => exchange.measured(() => this.#answer(exchange, read)), refused)
        : this.#answer(exchange, json)
    } catch (error) {
      return refused(error)
    }
  }

  #described(exchange: Exchange<Principal>): Eventual<true> {
    const { request } = exchange
    if (request.method === 'GET' || request.method === 'HEAD') {
      const text = this.#resource.metadata(request, (this.#contract.basePath ?? '') + this.endpoint.path)
      return send(exchange, { status: 200, text, headers: { 'Access-Control-Allow-Origin': '*' } })
    }
    const problem = new ProblemError('method_not_allowed', { detail: 'This path takes GET and HEAD.' })
    this.refuse(exchange, problem, { Allow: 'GET, HEAD' })
    return true
  }

  /** Answers a request that has no message. */
  refuse(
    exchange: Exchange<Principal>,
    error: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    const failure = this.#dispatcher.refuse(error, exchange)
    const { status } = failure.problem
    const known = status === 401 ? challengeOf([], this.#contract) : undefined
    const challenge = status === 401 ? this.#resource.challenge(known, exchange.request) : undefined
    send(exchange, {
      status,
      text: errorText(undefined, problemError(failure)),
      headers: { ...headers, ...(challenge !== undefined && { 'WWW-Authenticate': challenge }) },
    })
  }

  #answer(exchange: Exchange<Principal>, json: Json | undefined): Eventual<true> {
    if (json === undefined) {
      this.refuse(exchange, new ProblemError('parse_error', { detail: 'The body is empty.' }))
      return true
    }
    const exact = this.#tools.hasInt64
      ? withExactInt64(json, (keys, body) => this.#tools.placeOf(keys, body))
      : json
    const inexact = inexactByCall(exact, ARGUMENTS)
    if (Array.isArray(exact.value)) return this.#batch(exchange, exact.value, inexact)
    return whenKnown(this.#message(exchange, exact.value, inexact.get('')), (response) =>
      exchange.measured(() => send(exchange, response)),
    )
  }

  /** Only MCP 2025-03-26 has batches. */
  #batch(
    exchange: Exchange<Principal>,
    values: readonly unknown[],
    inexact: ReadonlyMap<string, InexactNumbers>,
  ): Eventual<true> {
    const stated = exchange.request.headers['mcp-protocol-version'] ?? '2025-03-26'
    if (stated !== '2025-03-26' || values.length === 0 || values.length > this.#limits.batchLength) {
      const error = new McpError(kinds.invalidRequest, 'Send one message in each request.')
      send(exchange, this.#protocolError(exchange, undefined, CURRENT, error))
      return true
    }
    return this.#batched(exchange, values, inexact)
  }

  async #batched(
    exchange: Exchange<Principal>,
    values: readonly unknown[],
    inexact: ReadonlyMap<string, InexactNumbers>,
  ): Promise<true> {
    const batch = { deadline: this.#dispatcher.deadline() }
    const texts: string[] = []
    for (const [index, value] of values.entries()) {
      const { text } = await this.#message(exchange, value, inexact.get(`/${index}`), batch)
      if (text !== undefined) texts.push(text)
    }
    return send(
      exchange,
      texts.length === 0 ? { status: 202 } : { status: 200, text: `[${texts.join(',')}]` },
    )
  }

  #message(
    exchange: Exchange<Principal>,
    value: unknown,
    inexact: InexactNumbers | undefined,
    batch?: Batch,
  ): Eventual<Response> {
    let message: Message
    try {
      message = readMessage(value, exchange.request)
    } catch (error) {
      return this.#protocolError(exchange, idOf(value), CURRENT, error)
    }
    const { id, revision } = message
    if (id === undefined) return { status: 202 }
    const refused = (error: unknown) =>
      error instanceof RefusedArguments
        ? this.#result({ id, revision }, failureContent(this.#dispatcher.refuse(error, exchange), true))
        : this.#protocolError(exchange, id, revision, error)
    try {
      const refusal = exchange.choice?.refusal
      if (refusal !== undefined) throw refusal
      const response = this.#respond(exchange, { ...message, id, batch }, inexact)
      return response instanceof Promise ? response.catch(refused) : response
    } catch (error) {
      return refused(error)
    }
  }

  #respond(
    exchange: Exchange<Principal>,
    message: Request,
    inexact: InexactNumbers | undefined,
  ): Eventual<Response> {
    const { method, params, revision } = message
    const isCurrent = revision === CURRENT
    if (method === 'tools/list') return this.#listed(exchange, message)
    if (method === 'tools/call') return this.#called(exchange, message, inexact?.params ?? [])
    if (method === 'server/discover' && isCurrent) {
      const discovery = { supportedVersions: REVISIONS, capabilities, ...lasting(true) }
      return this.#result(message, membersText(discovery))
    }
    if (method === 'initialize' && !isCurrent) {
      const protocolVersion = OLDER.find((known) => known === params.protocolVersion) ?? OLDER[0]
      const serverInfo = serverOf(this.#contract)
      return this.#result(message, membersText({ protocolVersion, capabilities, serverInfo }))
    }
    if (method === 'ping' && !isCurrent) return this.#result(message, '')
    throw new McpError(kinds.unknownMethod, 'The server has no such method.')
  }

  /** The tools that the caller's credentials may call. */
  #listed(exchange: Exchange<Principal>, message: Request): Eventual<Response> {
    if (message.params.cursor !== undefined)
      throw new McpError(kinds.invalidParams, 'There is no such cursor: the list has one page.')
    const tools = [...this.#tools.all.values()]
    const isPublic = tools.every(({ procedure }) => !procedure.secured)
    return whenKnown(this.#callable(exchange), (callable) => {
      const listed = this.#tools.mode === 'each' ? callable : searchTools(callable)
      return this.#result(message, membersText({ tools: listed, ...lasting(isPublic) }))
    })
  }

  /** @throws UnauthorizedError if the credentials are wrong, or permit no call */
  async #callable(exchange: Exchange<Principal>): Promise<readonly ToolDescription[]> {
    const { errors } = this.#contract
    const callable = await callableTools(this.#tools.all.values(), exchange, errors)
    if (!('error' in callable)) return callable
    throw new UnauthorizedError(this.#dispatcher.refuse(callable.error, exchange), callable.tool)
  }

  #called(
    exchange: Exchange<Principal>,
    message: Request,
    inexact: readonly Violation[],
  ): Eventual<Response> {
    const { name, arguments: args = {} } = message.params
    if (!isJsonObject(args)) throw new McpError(kinds.invalidParams, '`arguments` must be an object.')
    if (this.#tools.mode === 'each') return this.#call(exchange, message, { name, args, inexact })
    checkArguments(name, args, this.#tools.all)
    if (name !== CALL)
      return this.#callable(exchange).then((callable) =>
        this.#result(message, explained(callable, name, args)),
      )
    return this.#call(exchange, message, operationCall(args, inexact))
  }

  #call(
    exchange: Exchange<Principal>,
    message: Request,
    { name, args, inexact }: ToolCall,
  ): Eventual<Response> {
    const tool = typeof name === 'string' ? this.#tools.all.get(name) : undefined
    if (tool === undefined) throw unknownTool(name)
    const { procedure, binding, headers } = tool
    const token = message.batch
      ? undefined
      : progressTokenOf(message.params, procedure.operation, exchange.request)
    const encoding: Encoding<string | AsyncIterable<unknown>> = {
      sendsPieces: token !== undefined,
      bind: () => bindArguments(args, binding, inexact),
      encode: (result) =>
        token !== undefined && isPieces(result)
          ? result
          : resultContent(result, procedure, this.#limits.answerBytes),
      encodeText: (text) => jsonContent(text, procedure.operation),
    }
    const outcome = this.#dispatcher.dispatch(procedure, exchange, encoding, message.batch?.deadline)
    return whenKnown(outcome, (known) => {
      // Clients of older revisions check whatever is structured against the schema of a success.
      const isStructured = message.revision === CURRENT || binding.structured === undefined
      if (known.problem !== undefined) {
        if (isUnauthorized(known)) throw new UnauthorizedError(known, tool)
        return this.#result(message, failureContent(known, isStructured), headers)
      }
      const { result } = known
      if (typeof result === 'string' || token === undefined)
        return this.#result(message, String(result), headers)
      const failed = (error: unknown) =>
        failureContent(this.#dispatcher.failureInStream(error, exchange, procedure), isStructured)
      const events = progressEvents({
        ...{ pieces: result, operation: procedure.operation, token, limit: this.#limits.answerBytes },
        responded: (content) => this.#resultText(message, content),
        failed: (error) => this.#resultText(message, failed(error)),
      })
      return { status: 200, events, headers }
    })
  }

  #result(
    message: Pick<Request, 'id' | 'revision'>,
    content: string,
    headers?: Response['headers'],
  ): Response {
    return { status: 200, text: this.#resultText(message, content), ...(headers && { headers }) }
  }

  #resultText({ id, revision }: Pick<Request, 'id' | 'revision'>, content: string): string {
    const all = [
      ...(revision === CURRENT ? ['"resultType":"complete"'] : []),
      ...(content === '' ? [] : [content]),
      ...(revision === CURRENT ? [this.#meta] : []),
    ].join(',')
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${all}}}`
  }

  /** Clients of older revisions read no body unless the status is 200, but all know 401 and 403. */
  #protocolError(
    exchange: Exchange<Principal>,
    id: Id | undefined,
    revision: string,
    error: unknown,
  ): Response {
    if (error instanceof McpError) {
      const { code, message, data } = error
      const isUnknown = code === kinds.unknownMethod.code
      const reported = new ProblemError(isUnknown ? 'unknown_operation' : 'invalid_request', {
        detail: message,
      })
      this.#dispatcher.refuse(reported, exchange)
      const text = errorText(id, { code, message, ...(data !== undefined && { data }) })
      return { status: revision === CURRENT ? error.status : 200, text }
    }
    if (error instanceof UnauthorizedError) {
      const { failure, tool } = error
      const challenge = this.#resource.challenge(failure.challenge ?? tool.challenge, exchange.request)
      const headers = challenge === undefined ? {} : { 'WWW-Authenticate': challenge }
      return { status: failure.problem.status, text: errorText(id, problemError(failure)), headers }
    }
    const failure = this.#dispatcher.refuse(error, exchange)
    const status = revision === CURRENT ? failure.problem.status : 200
    return { status, text: errorText(id, problemError(failure)) }
  }
}

const capabilities = { tools: {} }

const ARGUMENTS = '/params/arguments/'
