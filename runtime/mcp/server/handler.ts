import type { Contract } from '../../contract/contract.js'
import type { HttpRequest } from '../../contract/http-request.js'
import { type Int64Place, withExactInt64 } from '../../contract/int64.js'
import type { Json } from '../../contract/parsed-json.js'
import { ProblemError } from '../../contract/problem.js'
import { withinBytes } from '../../contract/problem-size.js'
import { type BodyRules, readJson } from '../../http/body.js'
import type { Exchange } from '../../http/exchange.js'
import { checkMediaType } from '../../http/media-type.js'
import { type InexactNumbers, inexactByCall } from '../../jsonrpc/server/numbers.js'
import type { Limits, McpOptions } from '../../server/api.js'
import { challengeOf } from '../../server/authenticate.js'
import type { Dispatcher, Encoding } from '../../server/dispatch.js'
import { mediaResultOf } from '../../server/media-result.js'
import type { Failure } from '../../server/outcome/outcome.js'
import type { Procedure } from '../../server/procedure.js'
import { type Eventual, whenKnown } from '../../values/eventual.js'
import { jsonText } from '../../values/json-text.js'
import { isJsonObject } from '../../values/object.js'
import { failureContent, jsonContent, mediaContent } from './content.js'
import { kinds, McpError } from './mcp-error.js'
import { type Id, idOf, type Message, readMessage } from './message.js'
import { CURRENT, META, OLDER, REVISIONS } from './revisions.js'
import { bindArguments } from './tool-call.js'
import { type ServedTool, Tools } from './tools.js'

/** Answers MCP over HTTP without sessions: lists the tools, and calls operations. */
export class McpHandler<Principal> {
  readonly endpoint = { path: '/mcp', method: 'POST' }
  readonly #contract: Contract
  readonly #tools: Tools
  readonly #hasInt64: boolean
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
    this.#hasInt64 = this.#tools.served.some(({ procedure }) => procedure.operation.int64 !== undefined)
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
    const exact = this.#hasInt64 ? withExactInt64(json, (keys, body) => this.#placeOf(keys, body)) : json
    const inexact = inexactByCall(exact, ARGUMENTS)
    if (Array.isArray(exact.value)) return this.#batch(exchange, exact.value, inexact)
    return whenKnown(this.#message(exchange, exact.value, inexact.get('')), (response) => {
      exchange.measured(() => send(exchange, response))
      return true as const
    })
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
      return [...known, await this.#message(exchange, value, inexact.get(`/${index}`))]
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
      const response = this.#respond(exchange, { ...message, id }, inexact)
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
    if (method === 'tools/call') return this.#call(exchange, message, inexact)
    if (method === 'server/discover' && isCurrent) {
      const discovery = { supportedVersions: REVISIONS, capabilities, ...lasting(true) }
      return this.#result(message, members(discovery))
    }
    if (method === 'initialize' && !isCurrent) {
      const asked = String(params.protocolVersion)
      const protocolVersion = OLDER.includes(asked) ? asked : OLDER[0]
      const serverInfo = serverOf(this.#contract)
      return this.#result(message, members({ protocolVersion, capabilities, serverInfo }))
    }
    if (method === 'ping' && !isCurrent) return this.#result(message, '')
    throw new McpError(kinds.unknownMethod, 'The server has no such method.')
  }

  /** The tools that the caller's credentials may call. */
  #listed(exchange: Exchange<Principal>, message: Request): Eventual<Response> {
    if (message.params.cursor !== undefined)
      throw new McpError(kinds.invalidParams, 'There is no such cursor: the list has one page.')
    const { served } = this.#tools
    const isPublic = served.every(({ procedure }) => !procedure.secured)
    return whenKnown(this.#callable(exchange, served), (callable) => {
      const texts = callable.map(({ binding }) => this.#tools.textOf(binding.name))
      const list = `"tools":[${texts.join(',')}]`
      return this.#result(message, `${list},${members(lasting(isPublic))}`)
    })
  }

  /** @throws what a call would throw if the credentials permit none */
  async #callable(
    exchange: Exchange<Principal>,
    tools: readonly ServedTool[],
  ): Promise<readonly ServedTool[]> {
    const callable: ServedTool[] = []
    let refusal: Refused | undefined
    for (const tool of tools) {
      try {
        await exchange.principal(tool.procedure)
        callable.push(tool)
      } catch (error) {
        refusal ??= { error, tool }
      }
    }
    if (callable.length > 0 || refusal === undefined) return callable
    throw new UnauthorizedError(this.#dispatcher.refuse(refusal.error, exchange), refusal.tool)
  }

  #call(
    exchange: Exchange<Principal>,
    message: Request,
    inexact: InexactNumbers | undefined,
  ): Eventual<Response> {
    const { name, arguments: args = {} } = message.params
    if (typeof name !== 'string') throw new McpError(kinds.invalidParams, '`name` must be a string.')
    const tool = this.#tools.get(name)
    if (tool === undefined)
      throw new McpError(kinds.invalidParams, `There is no tool ${JSON.stringify(name.slice(0, 100))}.`)
    if (!isJsonObject(args)) throw new McpError(kinds.invalidParams, '`arguments` must be an object.')
    const { procedure, binding, headers } = tool
    const encoding: Encoding<string> = {
      bind: () => bindArguments(args, binding, inexact?.params ?? []),
      encode: (result) => this.#content(result, procedure),
      encodeText: (text) => jsonContent(text, procedure.operation),
    }
    const outcome = this.#dispatcher.dispatch(procedure, exchange, encoding)
    return whenKnown(outcome, (known) => {
      if (known.problem === undefined) return this.#result(message, known.result, headers)
      if (isOfHttp(known)) throw new UnauthorizedError(known, tool)
      // Clients of older revisions check whatever is structured against the schema of a success.
      const isStructured = message.revision === CURRENT || binding.structured === undefined
      return this.#result(message, failureContent(known, isStructured), headers)
    })
  }

  #content(result: unknown, { operation, stringify }: Procedure): Eventual<string> {
    const answer = operation.rest.answers === undefined ? undefined : mediaResultOf(result, operation)
    if (answer !== undefined) return mediaContent(answer, operation.name, this.#limits.answerBytes)
    return jsonContent(stringify(result), operation)
  }

  #result({ id, revision }: Request, content: string, headers?: Response['headers']): Response {
    const all = [
      ...(revision === CURRENT ? ['"resultType":"complete"'] : []),
      ...(content === '' ? [] : [content]),
      ...(revision === CURRENT ? [this.#meta] : []),
    ].join(',')
    const text = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${all}}}`
    return { status: 200, text, ...(headers && { headers }) }
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
    const name = isJsonObject(body.params) ? body.params.name : undefined
    const graph = this.#tools.get(String(name))?.procedure.operation.int64?.params
    return graph && { graph, path }
  }
}

type Request = Message & { readonly id: Id }

interface Response {
  readonly status: number
  /** Absent: none. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface Refused {
  readonly error: unknown
  readonly tool: ServedTool
}

/** A refusal that HTTP knows, so that clients ask for credentials. */
class UnauthorizedError extends Error {
  readonly failure: Failure
  readonly tool: ServedTool

  constructor(failure: Failure, tool: ServedTool) {
    super('The credentials are refused')
    this.failure = failure
    this.tool = tool
  }
}

function isOfHttp({ problem, challenge }: Failure): boolean {
  return problem.status === 401 || (problem.status === 403 && challenge !== undefined)
}

function serverOf({ title, version }: Contract): object {
  return { name: title, version }
}

/** How long a client may keep what it learned, and whether it may show it to other users. */
function lasting(isPublic: boolean): object {
  return { ttlMs: LASTING_MS, cacheScope: isPublic ? 'public' : 'private' }
}

function members(object: object): string {
  return JSON.stringify(object).slice(1, -1)
}

function problemError(failure: Failure): object {
  const { problem, definition } = failure
  // Codes of this range are the specification's own.
  const code =
    definition.rpc <= -32020 && definition.rpc >= -32099 ? kinds.invalidRequest.code : definition.rpc
  return { code, message: problem.title, data: withinBytes(problem) }
}

function errorText(id: Id | undefined, error: object): string {
  const known = id === undefined ? '' : `"id":${JSON.stringify(id)},`
  return `{"jsonrpc":"2.0",${known}"error":${jsonText(error)}}`
}

function send<Principal>(exchange: Exchange<Principal>, { status, text, headers }: Response): void {
  if (text === undefined) exchange.send(status, {}, '')
  else exchange.send(status, { 'Content-Type': 'application/json', ...headers }, text)
}

/**
 * A page of another site must not call tools in its reader's name. The host of the request says nothing: a site may
 * give its own name to this address.
 *
 * @throws ProblemError `forbidden`
 */
function checkOrigin({ headers: { origin } }: HttpRequest, allowed: ReadonlySet<string>): void {
  if (origin === undefined || allowed.has(origin)) return
  if (URL.canParse(origin) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname)) return
  const detail = 'Pages of this origin may not call tools. The option mcp.origins lists those that may.'
  throw new ProblemError('forbidden', { detail })
}

const capabilities = { tools: {} }

const ARGUMENTS = '/params/arguments/'

/** Five minutes. */
const LASTING_MS = 300_000
