import type { IncomingHttpHeaders } from 'node:http'
import type { Contract } from '../../contract/contract.js'
import { MAX_PATH } from '../../contract/pointer.js'
import { ProblemError } from '../../contract/problem.js'
import { cut } from '../../contract/problem-size.js'
import type { HandlerReply, OutgoingHeaders } from '../../contract/reply.js'
import { type BodyMemory, type BodyRules, withoutMemory } from '../../http/body.js'
import { deprecationHeaders } from '../../http/deprecation.js'
import type { Exchange } from '../../http/exchange.js'
import { isDecodable, pathOf } from '../../http/target.js'
import type { Limits } from '../../server/api/limits.js'
import { challengeOf } from '../../server/authenticate.js'
import type { Dispatcher, Encoding } from '../../server/dispatch.js'
import type { Failure, Success } from '../../server/outcome/outcome.js'
import type { Procedure } from '../../server/procedure.js'
import { type MediaResult, mediaResultOf } from '../../server/result/media-result.js'
import { type Eventual, whenKnown } from '../../values/eventual.js'
import { entityTagOf } from '../style/entity-tag.js'
import { RestBinder } from './bind.js'
import { begun } from './first-piece.js'
import { jsonTypeOf } from './json-type.js'
import {
  isReading,
  isUnmodified,
  type Precondition,
  refuseUnverifiable,
  unverifiablePreconditions,
} from './preconditions.js'
import { sendAnswer, sendProblem, sendResult } from './respond.js'
import { type Match, Router } from './router.js'

/** Answers REST requests: finds the operation, dispatches the call, and writes its result or its problem. */
export class RestHandler<Principal> {
  readonly #router: Router<Endpoint>
  readonly #dispatcher: Dispatcher<Principal>
  readonly #firstPieceMs: number

  /** Throws an Error for ambiguous routes, and for routes without an operation. */
  constructor(
    contract: Contract,
    procedures: ReadonlyMap<string, Procedure>,
    dispatcher: Dispatcher<Principal>,
    { streamKeepAliveMs }: Limits,
    bodies: BodyRules,
  ) {
    this.#dispatcher = dispatcher
    this.#firstPieceMs = Math.min(FIRST_PIECE_MS, streamKeepAliveMs)
    const tagged = taggedPaths(contract)
    const { memory } = bodies.known
    const unkept = withoutMemory(bodies)
    this.#router = new Router(
      contract.routes.map(({ method, path, query, operation }) => {
        const procedure = procedures.get(operation.name)
        if (procedure === undefined)
          throw new Error(`${method} ${path} leads to no operation of the contract`)
        const target = endpointOf(procedure, contract, tagged.has(path), unkept)
        const kept = memory?.isFor(operation) === true ? { ...target, kept: { memory, bodies } } : target
        return { method, path, query, target: kept }
      }),
    )
  }

  /** The methods of a request target's path; empty for an unknown path. */
  allowed(target: string): readonly string[] {
    return this.#router.allowed(target)
  }

  /** Answers a request to any path. False if no operation has its method and path. */
  answer(exchange: Exchange<Principal>): Eventual<boolean> {
    const match = this.#router.find(exchange.request.method ?? '', exchange.url)
    return match !== undefined && this.#call(exchange, match)
  }

  /**
   * Answers a request without an operation: 204 to OPTIONS, 405, 404, or 400 for a path that is not UTF-8.
   */
  refuse(exchange: Exchange<Principal>, allowed: readonly string[]): void {
    const { url } = exchange
    const headers: Record<string, string> = allowed.length > 0 ? { Allow: allowed.join(', ') } : {}
    if (allowed.length > 0 && exchange.request.method === 'OPTIONS') exchange.send(204, headers)
    else {
      const error = exchange.choice?.refusal ?? refusal(url, allowed)
      sendProblem(exchange, this.#dispatcher.refuse(error, exchange), headers)
    }
  }

  #call(exchange: Exchange<Principal>, { target, values }: Match<Endpoint>): Eventual<true> {
    if (exchange.choice?.refusal !== undefined) {
      sendProblem(exchange, this.#dispatcher.refuse(exchange.choice.refusal, exchange), {})
      return true
    }
    const { procedure, binder, kept, unverifiable } = target
    const { headers } = exchange.request
    const isKept = kept?.memory.isFor(procedure.operation, exchange.request) === true
    const bodies = isKept ? kept.bodies : target.bodies
    let success: Tagged = { status: target.status, tag: undefined, type: target.jsonType }
    const encoding: Encoding<string | MediaResult> = {
      sendsPieces: true,
      bind: () =>
        whenKnown(exchange.bodyRule(bodies), (rule) =>
          binder.bind(exchange.request, exchange.url, values, rule),
        ),
      admit: () => refuseUnverifiable(unverifiable, headers),
      encode: (result, _, reply) => {
        const content = contentOf(result, procedure)
        success = taggedOf(target, headers, content, result, reply)
        // HEAD has the headers alone, and its handler's pieces are never asked for.
        const isBare = exchange.request.method === 'HEAD' || target.bare.has(success.status)
        if (typeof content === 'string' || isBare) return content
        return begun(content, this.#firstPieceMs, exchange.signal)
      },
      encodeText(text, result, reply) {
        success = taggedOf(target, headers, text, result, reply)
        return text
      },
    }
    return whenKnown(this.#dispatcher.dispatch(procedure, exchange, encoding), (outcome) => {
      if (outcome.problem === undefined)
        return exchange.measured(() => sendSuccess(exchange, target, outcome, success))
      sendProblem(exchange, outcome, failureHeaders(target, outcome))
      return true
    })
  }
}

/** How long the head of a stream waits for the first piece. Callers wait for it too: `EventSource` opens with it. */
const FIRST_PIECE_MS = 1_000

/** Status, entity tag and JSON type of a success. */
interface Tagged {
  readonly status: number
  readonly tag: string | undefined
  readonly type: string
}

/** Throws `precondition_failed` if the request's preconditions exclude the success. */
function taggedOf(
  target: Endpoint,
  headers: IncomingHttpHeaders,
  content: string | MediaResult,
  result: unknown,
  reply: HandlerReply | undefined,
): Tagged {
  const status = reply?.chosen ?? (content === 'null' ? target.emptyStatus : target.status)
  const { procedure, jsonTypes } = target
  const type =
    jsonTypes === undefined
      ? target.jsonType
      : jsonTypeOf(jsonTypes, procedure.validators, result, headers.accept)
  const { entityTag } = procedure.operation.rest
  if (entityTag === undefined) return { status, tag: undefined, type }
  // The handler's own headers override the document's.
  const tag = reply?.headers.etag ?? entityTagOf(result, entityTag)
  // RFC 9110 section 13.2.1: preconditions apply only to requests that would otherwise succeed.
  const isConditional = target.reads && typeof content === 'string' && status >= 200 && status < 300
  return { status: isConditional && isUnmodified(tag, headers) ? 304 : status, tag, type }
}

function sendSuccess<P>(
  exchange: Exchange<P>,
  target: Endpoint,
  { result, reply }: Success<string | MediaResult>,
  { status, tag, type }: Tagged,
): Eventual<true> {
  const stated = reply === undefined ? target.headers : { ...target.headers, ...reply.headers }
  const own = target.jsonTypes === undefined ? stated : varying(stated)
  const headers = tag === undefined || own.etag !== undefined ? own : { ...own, ETag: tag }
  if (target.bare.has(status)) exchange.send(status, { 'Content-Length': '0', ...headers })
  else if (typeof result === 'string') sendResult(exchange, status, type, result, headers)
  else return sendAnswer(exchange, status, result, headers).then(done)
  return true
}

/** The headers of an answer whose media type the `Accept` header chooses (RFC 9110 section 12.5.5). */
function varying(headers: Readonly<OutgoingHeaders>): OutgoingHeaders {
  return { ...headers, vary: [headers.vary ?? [], 'Accept'].flat().join(', ') }
}

function done(): true {
  return true
}

/** The target of one route. */
interface Endpoint {
  readonly procedure: Procedure
  readonly binder: RestBinder
  readonly bodies: BodyRules
  /** How to read bodies that a memory keeps. Undefined: none of the operation. */
  readonly kept?: { readonly memory: BodyMemory; readonly bodies: BodyRules }
  readonly status: number
  /** The media type of a result in JSON. */
  readonly jsonType: string
  /** The media types to choose from, if the result decides. */
  readonly jsonTypes: readonly string[] | undefined
  /** Status of a success without a result. */
  readonly emptyStatus: number
  /** Statuses without content. */
  readonly bare: ReadonlySet<number>
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>
  /** `WWW-Authenticate` of a 401. */
  readonly challenge: string | undefined
  /** The header that lists the accepted media types in a 415. */
  readonly accept: 'Accept' | 'Accept-Patch' | 'Accept-Post'
  /** Media types that a body may have. */
  readonly accepted: string
  /** Whether to evaluate preconditions against the response. */
  readonly reads: boolean
  /** Preconditions that the api cannot evaluate; requests with them are refused. */
  readonly unverifiable: readonly Precondition[]
}

function endpointOf(
  procedure: Procedure,
  contract: Contract,
  isTagged: boolean,
  bodies: BodyRules,
): Endpoint {
  const { operation, alternatives } = procedure
  const {
    method,
    status,
    emptyStatus = status,
    jsonType = 'application/json',
    jsonTypes,
    body,
  } = operation.rest
  return {
    procedure,
    binder: new RestBinder(operation, queryCredentials(contract)),
    bodies,
    status,
    emptyStatus,
    jsonType,
    jsonTypes,
    bare: new Set(operation.rest.bare),
    accepted: body?.media?.map(({ type }) => type).join(', ') ?? 'application/json',
    headers: deprecationHeaders(operation),
    challenge: challengeOf(alternatives, contract),
    reads: isReading(operation.rest),
    unverifiable: isTagged ? unverifiablePreconditions(operation.rest) : [],
    accept: method === 'POST' ? 'Accept-Post' : method === 'PATCH' ? 'Accept-Patch' : 'Accept',
  }
}

/** Paths whose resource has entity tags. */
function taggedPaths({ routes }: Contract): ReadonlySet<string> {
  return new Set(
    routes.flatMap(({ path, operation }) => (operation.rest.entityTag === undefined ? [] : [path])),
  )
}

/** The query parameters of all security schemes: an operation without security ignores the key of a caller. */
export function queryCredentials({ securitySchemes }: Contract): ReadonlySet<string> {
  return new Set(
    Object.values(securitySchemes).flatMap((scheme) =>
      scheme.type === 'apiKey' && scheme.in === 'query' ? [scheme.name] : [],
    ),
  )
}

/** JSON text, or an answer in another media type. */
function contentOf(result: unknown, procedure: Procedure): string | MediaResult {
  const { operation } = procedure
  const answer = operation.rest.answers === undefined ? undefined : mediaResultOf(result, operation)
  return answer ?? procedure.stringify(result)
}

/** RFC 9110 sections 10.2.3, 15.5.2 and 15.5.16. */
function failureHeaders(
  { headers, challenge: own, accept, accepted }: Endpoint,
  { problem, challenge = problem.status === 401 ? own : undefined }: Failure,
): Record<string, string> {
  return {
    ...headers,
    ...(challenge !== undefined && { 'WWW-Authenticate': challenge }),
    ...(problem.retryAfter !== undefined && { 'Retry-After': String(problem.retryAfter) }),
    ...(problem.status === 415 && { [accept]: accepted, 'Accept-Encoding': 'identity' }),
  }
}

function refusal(url: string, allowed: readonly string[]): ProblemError {
  if (allowed.length > 0)
    return new ProblemError('method_not_allowed', { detail: `This path takes ${allowed.join(', ')}.` })
  if (isDecodable(url))
    return new ProblemError('unknown_operation', {
      detail: `No operation has the path ${cut(pathOf(url), MAX_PATH)}.`,
    })
  return new ProblemError('invalid_request', { detail: 'The path is not percent-encoded UTF-8.' })
}
