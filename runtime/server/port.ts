import { type Bound, takeTimezone } from '../contract/bound.js'
import type { HttpRequest } from '../contract/http-request.js'
import { withExactInt64 } from '../contract/int64.js'
import { parseJson } from '../contract/json.js'
import type { Operation } from '../contract/operation.js'
import { ProblemError } from '../contract/problem.js'
import type { Violation } from '../contract/problem-details.js'
import { reportInexact } from '../contract/violations.js'
import { type Eventual, whenKnown } from '../values/eventual.js'
import { isJsonObject } from '../values/object.js'
import { requestIdOf } from '../values/request-id.js'
import type { Limits } from './api/limits.js'
import type { ApiOptions } from './api/options.js'
import type { Port, PortCall } from './api/port-call.js'
import { Authentication } from './authenticate.js'
import type { Caller, Dispatcher } from './dispatch.js'
import type { Procedure } from './procedure.js'
import { jsonOfMediaResult, rpcMediaResultOf } from './result/media-result.js'

/**
 * @param protocol name of the protocol in logs and contexts
 * @throws Error for a name that a protocol of Duet's might have
 */
export function portOf<Principal>(
  protocol: `x-${string}`,
  dispatcher: Dispatcher<Principal>,
  procedures: ReadonlyMap<string, Procedure>,
  options: Pick<ApiOptions<unknown, Principal>, 'authenticate' | 'scopes'>,
  limits: Limits,
): Port {
  // Types do not bind JavaScript.
  if (typeof protocol !== 'string' || !/^x-./.test(protocol))
    throw new Error(
      `api.port needs a name that begins with x-, such as 'x-lines', not ${JSON.stringify(protocol)}`,
    )
  return {
    operations: new Map([...procedures].map(([name, { operation }]) => [name, operation])),
    async call(call) {
      const caller = new PortCaller<Principal>(protocol, call, options)
      const procedure = procedures.get(call.operation)
      if (procedure === undefined)
        return { problem: dispatcher.refuse(new ProblemError('unknown_operation'), caller).problem }
      const outcome = await dispatcher.dispatch<string>(procedure, caller, {
        bind: () => bind(call.params, procedure.operation, limits),
        encode: (result) => textOf(result, procedure, limits.answerBytes),
        encodeText: (text) => text,
      })
      return outcome.problem === undefined ? { result: outcome.result } : { problem: outcome.problem }
    },
  }
}

/** A call of a port. Its headers are all that it has of a request. */
class PortCaller<Principal> implements Caller<Principal> {
  readonly protocol: `x-${string}`
  readonly requestId: string
  readonly signal: AbortSignal
  readonly request: HttpRequest
  readonly #authentication: Authentication<Principal>

  constructor(
    protocol: `x-${string}`,
    { headers = {}, signal = new AbortController().signal, requestId, address }: PortCall,
    options: Pick<ApiOptions<unknown, Principal>, 'authenticate' | 'scopes'>,
  ) {
    this.protocol = protocol
    this.requestId = requestIdOf(requestId)
    this.signal = signal
    this.request = { headers, rawHeaders: Object.entries(headers).flat(), socket: { remoteAddress: address } }
    this.#authentication = new Authentication(this.request, options)
  }

  principal({ alternatives, operation: { name } }: Procedure): Eventual<Principal | undefined> {
    const { requestId, signal, request } = this
    return this.#authentication.principal(alternatives, ({ scopes }) => ({
      ...{ operation: name, scopes, requestId, signal, request },
    }))
  }

  failed(): void {}

  measured<Result>(work: () => Result): Result {
    return work()
  }
}

/**
 * @throws ProblemError `parse_error`, `payload_too_large` beyond the limits, or `validation_failed` for params that are no
 * object
 */
function bind(text = '{}', { int64 }: Operation, { bodyBytes, bodyValues }: Limits): Bound {
  if (Buffer.byteLength(text) > bodyBytes)
    throw new ProblemError('payload_too_large', { detail: `Params may have at most ${bodyBytes} bytes.` })
  const json = parseJson(text, bodyValues)
  const graph = int64?.params
  const { value, inexact, isRounded } =
    graph === undefined ? json : withExactInt64(json, (path) => ({ graph, path }))
  const violations: Violation[] = []
  reportInexact(violations, inexact, (pointer) => pointer, isRounded)
  if (isJsonObject(value)) return { timezone: takeTimezone(value), params: value, violations }
  throw new ProblemError('validation_failed', {
    violations: [{ path: '', keyword: 'type', message: 'must be object' }],
  })
}

function textOf(result: unknown, { operation, stringify }: Procedure, limit: number): Eventual<string> {
  const answer = operation.rest.answers === undefined ? undefined : rpcMediaResultOf(result, operation)
  if (answer === undefined) return stringify(result)
  return whenKnown(jsonOfMediaResult(answer, operation, limit), (text) => JSON.stringify(text))
}
