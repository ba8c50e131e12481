import type { IncomingMessage } from 'node:http'
import { type Answer, answerOf } from '../core/answer.js'
import { type Alternative, challengeOf } from '../core/authenticate.js'
import type { Contract } from '../core/contract.js'
import type { Dispatcher, Encoding } from '../core/dispatch.js'
import { type Eventual, whenKnown } from '../core/eventual.js'
import type { Failure, Success } from '../core/outcome.js'
import { ProblemError } from '../core/problem.js'
import type { Procedure } from '../core/procedure.js'
import type { BodyRule } from '../http/body.js'
import { deprecationHeaders } from '../http/deprecation.js'
import type { Exchange } from '../http/exchange.js'
import { isDecodable } from '../http/target.js'
import { RestBinder } from './bind.js'
import { entityTagOf, isNamed } from './entity-tag.js'
import { sendAnswer, sendProblem, sendResult } from './respond.js'
import { type Match, Router } from './router.js'

/** Answers REST requests: finds the operation, has it called, and writes its result or its problem. */
export class RestHandler<Principal> {
  readonly #router: Router<Endpoint>
  readonly #dispatcher: Dispatcher<Principal>

  /** Throws an Error for routes that can't be told apart or lead to no operation. */
  constructor(
    contract: Contract,
    procedures: ReadonlyMap<string, Procedure>,
    dispatcher: Dispatcher<Principal>,
    bodies: BodyRule,
  ) {
    this.#dispatcher = dispatcher
    this.#router = new Router(
      contract.routes.map(({ method, path, query, operation }) => {
        const procedure = procedures.get(operation.name)
        if (procedure === undefined)
          throw new Error(`${method} ${path} leads to no operation of the contract`)
        return { method, path, query, target: endpointOf(procedure, contract, bodies) }
      }),
    )
  }

  /** Methods that a request target's path knows; empty for an unknown path. */
  allowed(target: string): readonly string[] {
    return this.#router.allowed(target)
  }

  /** Answers a request whose path may be anything; false where no operation stands at its method and path. */
  answer(exchange: Exchange<Principal>): Eventual<boolean> {
    const match = this.#router.find(exchange.request.method ?? '', exchange.url)
    return match !== undefined && this.#call(exchange, match)
  }

  /** Answers a request that no operation stands for: 204 to OPTIONS, 405, 404, or 400 for a path that is no text. */
  refuse(exchange: Exchange<Principal>, allowed: readonly string[]): void {
    const { url } = exchange
    const headers: Record<string, string> = allowed.length > 0 ? { Allow: allowed.join(', ') } : {}
    if (allowed.length > 0 && exchange.request.method === 'OPTIONS') exchange.send(204, headers)
    else sendProblem(exchange, this.#dispatcher.refuse(refusal(url, allowed), exchange), headers)
  }

  #call(exchange: Exchange<Principal>, { target, values }: Match<Endpoint>): Eventual<true> {
    const { procedure, binder } = target
    const { entityTag } = procedure.operation.rest
    let tag: string | undefined
    const tagged = (result: unknown): void => {
      if (entityTag !== undefined) tag = entityTagOf(result, entityTag)
    }
    const encoding: Encoding<string | Answer> = {
      bind: () => binder.bind(exchange.request, exchange.url, values),
      encode(result) {
        tagged(result)
        return contentOf(result, procedure)
      },
      encodeText(text, result) {
        tagged(result)
        return text
      },
    }
    return whenKnown(this.#dispatcher.dispatch(procedure, exchange, encoding), (outcome) => {
      if (outcome.problem === undefined) return sendSuccess(exchange, target, outcome, tag)
      sendProblem(exchange, outcome, failureHeaders(target, outcome))
      return true
    })
  }
}

function sendSuccess<P>(
  exchange: Exchange<P>,
  target: Endpoint,
  { result, reply }: Success<string | Answer>,
  tag: string | undefined,
): Eventual<true> {
  const own = reply === undefined ? target.headers : { ...target.headers, ...reply.headers }
  // What a handler says of the answer itself goes before what the document says.
  const headers = tag === undefined || own.etag !== undefined ? own : { ...own, ETag: tag }
  const chosen = reply?.chosen ?? (isKnown(exchange.request, tag) ? 304 : undefined)
  const status = chosen ?? (result === 'null' ? target.emptyStatus : target.status)
  if (target.bare.has(status)) exchange.send(status, { 'Content-Length': '0', ...headers })
  else if (typeof result === 'string') sendResult(exchange, status, result, headers)
  else return sendAnswer(exchange, status, result, headers).then(done)
  return true
}

function done(): true {
  return true
}

/** What one route leads to. */
interface Endpoint {
  readonly procedure: Procedure
  readonly binder: RestBinder
  readonly status: number
  /** Status of a success that answers nothing. */
  readonly emptyStatus: number
  /** Statuses that have no content. */
  readonly bare: ReadonlySet<number>
  /** Headers of every answer. */
  readonly headers: Readonly<Record<string, string>>
  /** `WWW-Authenticate` of a 401. */
  readonly challenge: string | undefined
  /** The header that tells which media type a 415 would have liked. */
  readonly accept: 'Accept' | 'Accept-Patch' | 'Accept-Post'
  /** Media types that a body may have. */
  readonly accepted: string
}

function endpointOf(procedure: Procedure, contract: Contract, bodies: BodyRule): Endpoint {
  const { operation, alternatives } = procedure
  const { method, status, emptyStatus = status, body } = operation.rest
  return {
    procedure,
    binder: new RestBinder(operation, queryCredentials(alternatives), bodies),
    status,
    emptyStatus,
    bare: new Set(operation.rest.bare),
    accepted: body?.media?.map(({ type }) => type).join(', ') ?? 'application/json',
    headers: deprecationHeaders(operation),
    challenge: challengeOf(alternatives, contract),
    accept: method === 'POST' ? 'Accept-Post' : method === 'PATCH' ? 'Accept-Patch' : 'Accept',
  }
}

function queryCredentials(alternatives: readonly Alternative[]): ReadonlySet<string> {
  const schemes = alternatives.flatMap((alternative) => alternative.schemes.map(({ scheme }) => scheme))
  return new Set(
    schemes.flatMap((scheme) => (scheme.type === 'apiKey' && scheme.in === 'query' ? [scheme.name] : [])),
  )
}

/**
 * Whether a caller has what it would be answered with (RFC 9110 section 13.1.2). Only reading answers so: after a
 * change the condition would come too late.
 */
function isKnown({ method, headers }: IncomingMessage, tag: string | undefined): boolean {
  const isReading = method === 'GET' || method === 'HEAD'
  return tag !== undefined && isReading && isNamed(tag, headers['if-none-match'])
}

/** JSON text, or what else the operation answers. */
function contentOf(result: unknown, procedure: Procedure): string | Answer {
  const { operation } = procedure
  const answer = operation.rest.answers === undefined ? undefined : answerOf(result, operation)
  return answer ?? procedure.stringify(result)
}

/** RFC 9110 sections 10.2.3, 15.5.2 and 15.5.16. */
function failureHeaders(
  { headers, challenge, accept, accepted }: Endpoint,
  { problem }: Failure,
): Record<string, string> {
  return {
    ...headers,
    ...(problem.status === 401 && challenge !== undefined && { 'WWW-Authenticate': challenge }),
    ...(problem.retryAfter !== undefined && { 'Retry-After': String(problem.retryAfter) }),
    ...(problem.status === 415 && { [accept]: accepted, 'Accept-Encoding': 'identity' }),
  }
}

function refusal(url: string, allowed: readonly string[]): ProblemError {
  if (allowed.length > 0) return new ProblemError('method_not_allowed')
  if (isDecodable(url)) return new ProblemError('unknown_operation')
  return new ProblemError('invalid_request', { detail: 'The path is not percent-encoded UTF-8.' })
}
