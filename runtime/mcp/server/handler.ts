import type { Contract } from '../../contract/contract.js'
import { type Int64Place, withExactInt64 } from '../../contract/int64.js'
import type { Json } from '../../contract/parsed-json.js'
import { ProblemError } from '../../contract/problem.js'
import type { Violation } from '../../contract/problem-details.js'
import { type BodyRules, readJson } from '../../http/body.js'
import type { Exchange } from '../../http/exchange.js'
import { checkMediaType } from '../../http/media-type.js'
import { type InexactNumbers, inexactByCall } from '../../jsonrpc/server/numbers.js'
import type { Limits, McpOptions } from '../../server/api.js'
import { challengeOf } from '../../server/authenticate.js'
import type { Dispatcher, Encoding } from '../../server/dispatch.js'
import { isPieces, mediaResultOf } from '../../server/media-result.js'
import type { Procedure } from '../../server/procedure.js'
import { type Eventual, whenKnown } from '../../values/eventual.js'
import { isJsonObject, type JsonObject } from '../../values/object.js'
import { failureContent, jsonContent, mediaContent, textContent } from './content.js'
import { kinds, McpError } from './mcp-error.js'
import { type Id, idOf, type Message, readMessage } from './message.js'
import { progressEvents } from './progress.js'
import { checkOrigin, isUnauthorized, UnauthorizedError, unknownTool } from './refusal.js'
import { errorText, lasting, membersText, problemError, type Response, send } from './respond.js'
import { CURRENT, META, OLDER, REVISIONS } from './revisions.js'
import { CALL, DESCRIBE, SEARCH, found as searched, searchTools } from './search.js'
import { bindArguments, progressTokenOf } from './tool-call.js'
import { type ServedTool, type ToolDescription, Tools } from './tools.js'

/** Answers MCP over HTTP without sessions: lists the tools, and calls operations. */
export class McpHandler<Principal> {
  readonly endpoint = { path: '/mcp', method: 'POST' }
  readonly #contract: Contract
  readonly #tools: Tools
  readonly #dispatcher: Dispatcher<Principal>
  readonly #limits: Limits
  readonly #bodies: BodyRules
  readonly #origins: ReadonlySet<string>
  /** `_meta` of every result, as a member. */
  readonly #meta: string

  constructor(
    contract: Contract,
    procedures: ReadonlyMap<string, Procedure>,
    dispatcher: Dispatcher<Principal>,
    limits: Limits,
    bodies: BodyRules,
    { origins = [] }: McpOptions = {},
  ) {
    this.#contract = contract
    this.#tools = new Tools(contract, procedures)
    this.#dispatcher = dispatcher
    this.#limits = limits
    this.#bodies = bodies
    this.#origins = new Set(origins)
    this.#meta = `"_meta":${JSON.stringify({ [META.server]: serverOf(contract) })}`
  }

  answer(exchange: Exchange<Principal>): Eventual<true> {
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

  /** Answers a request that has no message. */
  refuse(
    exchange: Exchange<Principal>,
    error: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    const failure = this.#dispatcher.refuse(error, exchange)
    const { status } = failure.problem
    const challenge = status === 401 ? challengeOf([], this.#contract) : undefined
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
      ? withExactInt64(json, (keys, body) => this.#placeOf(keys, body))
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
    const responses = values.reduce<Promise<Response[]>>(async (before, value, index) => {
      const known = await before
      return [...known, await this.#message(exchange, value, inexact.get(`/${index}`), true)]
    }, Promise.resolve([]))
    return responses.then((known) => {
      const texts = known.flatMap(({ text }) => text ?? [])
      send(exchange, texts.length === 0 ? { status: 202 } : { status: 200, text: `[${texts.join(',')}]` })
      return true as const
    })
  }

  #message(
    exchange: Exchange<Principal>,
    value: unknown,
    inexact: InexactNumbers | undefined,
    isOfBatch = false,
  ): Eventual<Response> {
    let message: Message
    try {
      message = readMessage(value, exchange.request)
    } catch (error) {
      return this.#protocolError(exchange, idOf(value), CURRENT, error)
    }
    const { id, revision } = message
    if (id === undefined) return { status: 202 }
    const refused = (error: unknown) => this.#protocolError(exchange, id, revision, error)
    try {
      const refusal = exchange.choice?.refusal
      if (refusal !== undefined) throw refusal
      const response = this.#respond(exchange, { ...message, id, isOfBatch }, inexact)
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
      const asked = String(params.protocolVersion)
      const protocolVersion = OLDER.includes(asked) ? asked : OLDER[0]
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

  /** @throws UnauthorizedError if the credentials permit no call */
  async #callable(exchange: Exchange<Principal>): Promise<readonly ToolDescription[]> {
    const callable: ToolDescription[] = []
    let refusal: { readonly error: unknown; readonly tool: ServedTool } | undefined
    for (const tool of this.#tools.all.values()) {
      try {
        await exchange.principal(tool.procedure)
        callable.push(tool.description)
      } catch (error) {
        refusal ??= { error, tool }
      }
    }
    if (callable.length > 0 || refusal === undefined) return callable
    throw new UnauthorizedError(this.#dispatcher.refuse(refusal.error, exchange), refusal.tool)
  }

  #called(
    exchange: Exchange<Principal>,
    message: Request,
    inexact: readonly Violation[],
  ): Eventual<Response> {
    const { name, arguments: args = {} } = message.params
    if (!isJsonObject(args)) throw new McpError(kinds.invalidParams, '`arguments` must be an object.')
    if (this.#tools.mode === 'each') return this.#call(exchange, message, { name, args, inexact })
    if (name === SEARCH || name === DESCRIBE)
      return this.#callable(exchange).then((callable) => this.#explained(message, callable, name, args))
    if (name !== CALL) throw unknownTool(name)
    const { arguments: inner = {} } = args
    if (!isJsonObject(inner)) throw new McpError(kinds.invalidParams, '`arguments` must be an object.')
    const within = inexact.map(({ path, ...violation }) => ({
      ...violation,
      path: path.replace('/arguments', ''),
    }))
    return this.#call(exchange, message, { name: args.name, args: inner, inexact: within })
  }

  #explained(
    message: Request,
    callable: readonly ToolDescription[],
    name: string,
    args: JsonObject,
  ): Response {
    if (name === SEARCH) {
      const text = JSON.stringify({ operations: searched(callable, String(args.query ?? '')) })
      return this.#result(message, `${textContent(text)},"structuredContent":${text}`)
    }
    const tool = callable.find((each) => each.name === args.name)
    if (tool === undefined) throw unknownTool(args.name)
    const text = JSON.stringify(tool)
    return this.#result(message, `${textContent(text)},"structuredContent":${text}`)
  }

  #call(
    exchange: Exchange<Principal>,
    message: Request,
    { name, args, inexact }: ToolCall,
  ): Eventual<Response> {
    const tool = typeof name === 'string' ? this.#tools.all.get(name) : undefined
    if (tool === undefined) throw unknownTool(name)
    const { procedure, binding, headers } = tool
    const token = message.isOfBatch
      ? undefined
      : progressTokenOf(message.params, procedure.operation, exchange.request)
    const encoding: Encoding<string | AsyncIterable<unknown>> = {
      bind: () => bindArguments(args, binding, inexact),
      encode: (result) =>
        token !== undefined && isPieces(result) ? result : this.#content(result, procedure),
      encodeText: (text) => jsonContent(text, procedure.operation),
    }
    const outcome = this.#dispatcher.dispatch(procedure, exchange, encoding)
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

  #content(result: unknown, { operation, stringify }: Procedure): Eventual<string> {
    const answer = operation.rest.answers === undefined ? undefined : mediaResultOf(result, operation)
    if (answer !== undefined) return mediaContent(answer, operation.name, this.#limits.answerBytes)
    return jsonContent(stringify(result), operation)
  }

  #result(message: Request, content: string, headers?: Response['headers']): Response {
    return { status: 200, text: this.#resultText(message, content), ...(headers && { headers }) }
  }

  #resultText({ id, revision }: Request, content: string): string {
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
      const text = errorText(id, { code, message, ...(data !== undefined && { data }) })
      return { status: revision === CURRENT ? error.status : 200, text }
    }
    if (error instanceof UnauthorizedError) {
      const { failure, tool } = error
      const challenge = failure.challenge ?? tool.challenge
      const headers = challenge === undefined ? {} : { 'WWW-Authenticate': challenge }
      return { status: failure.problem.status, text: errorText(id, problemError(failure)), headers }
    }
    const failure = this.#dispatcher.refuse(error, exchange)
    const status = revision === CURRENT ? failure.problem.status : 200
    return { status, text: errorText(id, problemError(failure)) }
  }

  #placeOf([first, second, ...path]: readonly string[], body: unknown): Int64Place | undefined {
    if (first !== 'params' || second !== 'arguments' || !isJsonObject(body)) return undefined
    const params = isJsonObject(body.params) ? body.params : {}
    const isInner = this.#tools.mode === 'search' && path[0] === 'arguments'
    const { name } = isInner && isJsonObject(params.arguments) ? params.arguments : params
    const graph = this.#tools.all.get(String(name))?.procedure.operation.int64?.params
    return graph && { graph, path: isInner ? path.slice(1) : path }
  }
}

/** A message that has a response. */
interface Request extends Message {
  readonly id: Id
  readonly isOfBatch: boolean
}

/** A call of an operation. */
interface ToolCall {
  readonly name: unknown
  readonly args: JsonObject
  /** Numbers in the arguments that a double does not hold. */
  readonly inexact: readonly Violation[]
}

function serverOf({ title, version }: Contract): object {
  return { name: title, version }
}

const capabilities = { tools: {} }

const ARGUMENTS = '/params/arguments/'
