import type { Contract } from '../../contract/contract.js'
import { type Int64Place, withExactInt64 } from '../../contract/int64.js'
import type { Json } from '../../contract/parsed-json.js'
import { MAX_PATH } from '../../contract/pointer.js'
import { ProblemError } from '../../contract/problem.js'
import { cut, REFUSAL_BYTES } from '../../contract/problem-size.js'
import { type BodyRules, readJson } from '../../http/body.js'
import { acceptsEvents } from '../../http/events.js'
import type { Exchange } from '../../http/exchange.js'
import { checkMediaType } from '../../http/media-type.js'
import type { Limits } from '../../server/api/limits.js'
import { challengeOf } from '../../server/authenticate.js'
import type { Deadline } from '../../server/deadline.js'
import type { Dispatcher, Encoding } from '../../server/dispatch.js'
import type { Procedure } from '../../server/procedure.js'
import { isPieces, jsonOfMediaResult, rpcMediaResultOf } from '../../server/result/media-result.js'
import { type Eventual, whenKnown } from '../../values/eventual.js'
import { isJsonObject } from '../../values/object.js'
import { bindParams, type Envelope, type Id, readEnvelope } from './bind.js'
import { DISCOVER } from './discover.js'
import { type Method, methodsOf } from './methods.js'
import { type InexactNumbers, inexactByCall } from './numbers.js'
import {
  type CallResponse,
  errorText,
  flatten,
  resultText,
  sendAnswer,
  sendBatch,
  sendSingle,
} from './respond.js'
import { type PieceStream, responseEvents } from './stream.js'

/** Answers JSON-RPC 2.0 requests: reads the envelopes, dispatches the calls, and writes the responses. */
export class JsonRpcHandler<Principal> {
  readonly endpoint: { readonly path: string; readonly method: string }
  readonly #methods: ReadonlyMap<string, Method>
  readonly #hasInt64: boolean
  readonly #dispatcher: Dispatcher<Principal>
  readonly #limits: Limits
  readonly #bodies: BodyRules
  /** `WWW-Authenticate` for unknown methods. */
  readonly #challenge: string | undefined

  /** Throws an Error for a method without an operation. */
  constructor(
    contract: Contract,
    procedures: ReadonlyMap<string, Procedure>,
    dispatcher: Dispatcher<Principal>,
    limits: Limits,
    bodies: BodyRules,
  ) {
    this.endpoint = { path: contract.rpcPath ?? '/', method: 'POST' }
    this.#dispatcher = dispatcher
    this.#limits = limits
    this.#bodies = bodies
    this.#challenge = challengeOf([], contract)
    this.#methods = methodsOf(contract, procedures)
    this.#hasInt64 = [...this.#methods.values()].some(
      ({ procedure }) => procedure.operation.int64 !== undefined,
    )
  }

  answer(exchange: Exchange<Principal>): Eventual<true> {
    const refused = (error: unknown): true => {
      this.refuse(exchange, error)
      return true
    }
    let json: Eventual<Json | undefined>
    try {
      checkMediaType(exchange.request, MEDIA_TYPES)
      const rule = exchange.bodyRule(this.#bodies)
      json = whenKnown(rule instanceof Promise ? this.#inTime(rule) : rule, (known) =>
        readJson(exchange.request, known),
      )
    } catch (error) {
      return refused(error)
    }
    return json instanceof Promise
      ? json.then((read) => exchange.measured(() => this.#answer(exchange, read)), refused)
      : this.#answer(exchange, json)
  }

  #answer(exchange: Exchange<Principal>, json: Json | undefined): Eventual<true> {
    if (json === undefined) {
      this.refuse(exchange, new ProblemError('parse_error', { detail: 'The body is empty.' }))
      return true
    }
    const exact = this.#hasInt64 ? withExactInt64(json, (keys, body) => this.#placeOf(keys, body)) : json
    if (Array.isArray(exact.value)) return this.#batch(exchange, exact.value, exact)
    const answer = this.#call(exchange, exact.value, inexactByCall(exact).get(''))
    return whenKnown(answer, (known) => exchange.measured(() => sendSingle(exchange, known)))
  }

  /** The int64 position of a body's number in the params of its call. */
  #placeOf(keys: readonly string[], body: unknown): Int64Place | undefined {
    const [first = '', ...others] = keys
    const [call, [member, ...path]] = Array.isArray(body) ? [body[Number(first)], others] : [body, keys]
    const method =
      isJsonObject(call) && member === 'params' ? this.#methods.get(String(call.method)) : undefined
    const graph = method?.procedure.operation.int64?.params
    return graph && { graph, path }
  }

  #inTime<Result>(work: Promise<Result>): Promise<Result> {
    return this.#dispatcher.deadline()?.within(work) ?? work
  }

  /** Answers a request that contains no valid call. Whatever serves an endpoint passes its `headers`, such as Allow. */
  refuse(
    exchange: Exchange<Principal>,
    error: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    const failure = this.#dispatcher.refuse(error, exchange)
    const status = failure.definition.rpcStatus ?? 200
    const accept = status === 415 ? { 'Accept-Post': 'application/json', 'Accept-Encoding': 'identity' } : {}
    const asked = status === 401 && this.#challenge !== undefined && { 'WWW-Authenticate': this.#challenge }
    sendAnswer(exchange, status, errorText(null, failure), { ...headers, ...accept, ...asked })
  }

  /** Section 6: responses in the order of their calls; if there are none, there is no array either. */
  #batch(exchange: Exchange<Principal>, calls: readonly unknown[], json: Json): Eventual<true> {
    const { batchLength, batchParallel } = this.#limits
    if (calls.length === 0 || calls.length > batchLength) {
      const detail = `A batch has 1 to ${batchLength} calls.`
      this.refuse(exchange, new ProblemError('invalid_request', { detail }))
      return true
    }
    const inexact = inexactByCall(json)
    const answers = new Array<CallResponse>(calls.length)
    const batch: Batch = {
      deadline: this.#dispatcher.deadline(),
      refusalBytes: REFUSAL_BYTES / calls.length,
      isDiscovered: false,
    }
    let next = 0
    const work = (): Eventual<void> => {
      while (next < calls.length) {
        const i = next++
        const numbers = inexact.size === 0 ? undefined : inexact.get(`/${i}`)
        const answer = this.#call(exchange, calls[i], numbers, batch)
        if (answer instanceof Promise) {
          return answer.then((known) => {
            flatten(known)
            answers[i] = known
            return work()
          })
        }
        answers[i] = answer
      }
    }
    const waiting: Promise<void>[] = []
    while (next < calls.length && waiting.length < batchParallel) {
      const worker = work()
      if (worker !== undefined) waiting.push(worker)
    }
    if (waiting.length === 0) return sendBatch(exchange, answers)
    return Promise.all(waiting).then(() => exchange.measured(() => sendBatch(exchange, answers)))
  }

  #call(
    exchange: Exchange<Principal>,
    value: unknown,
    inexact: InexactNumbers | undefined,
    batch?: Batch,
  ): Eventual<CallResponse> {
    const envelope = readEnvelope(value, inexact)
    if ('refusal' in envelope) {
      const failure = this.#dispatcher.refuse(envelope.refusal, exchange)
      return { text: errorText(envelope.id, failure, batch?.refusalBytes), failure, method: undefined }
    }
    const { id } = envelope
    const refusal = exchange.choice?.refusal
    const method = refusal === undefined ? this.#methods.get(envelope.method) : undefined
    if (method === undefined) {
      const error = refusal ?? unknownMethod(envelope.method)
      const failure = this.#dispatcher.refuse(error, exchange)
      return {
        text: id === undefined ? undefined : errorText(id, failure, batch?.refusalBytes),
        failure,
        method: undefined,
      }
    }
    if (batch !== undefined && id !== undefined && envelope.method === DISCOVER) {
      // The document is long, anonymous callers may request it, and all responses of a batch are in memory
      // together.
      if (batch.isDiscovered) {
        const detail = `A batch may call ${DISCOVER} only once.`
        const failure = this.#dispatcher.refuse(new ProblemError('invalid_request', { detail }), exchange)
        return { text: errorText(id, failure, batch.refusalBytes), failure, method }
      }
      batch.isDiscovered = true
    }
    return this.#dispatch(exchange, envelope, method, batch)
  }

  #dispatch(
    exchange: Exchange<Principal>,
    envelope: Envelope,
    method: Method,
    batch: Batch | undefined,
  ): Eventual<CallResponse> {
    const { id } = envelope
    const streams =
      batch === undefined && id !== undefined && method.streams && acceptsEvents(exchange.request)
    const encoding: Encoding<string | PieceStream | undefined> = {
      sendsPieces: streams,
      bind: () => bindParams(envelope),
      encode: (result, procedure) => {
        // The generator of a stream runs only as it is read, and a notification has the effects of a call.
        if (id === undefined)
          return isPieces(result)
            ? whenKnown(this.#text(null, result, procedure), () => undefined)
            : undefined
        if (!streams || !isPieces(result)) return this.#text(id, result, procedure)
        const failureOf = (error: unknown) => this.#dispatcher.failureInStream(error, exchange, procedure)
        return { pieces: result, ...procedure, failureOf }
      },
      encodeText: (text) => (id === undefined ? undefined : resultText(id, text)),
    }
    const outcome = this.#dispatcher.dispatch(method.procedure, exchange, encoding, batch?.deadline)
    return whenKnown(outcome, (known): CallResponse => {
      if (known.problem === undefined) {
        const { result } = known
        if (typeof result !== 'object') return { text: result, failure: undefined, method }
        return { text: undefined, stream: responseEvents(id ?? null, result), failure: undefined, method }
      }
      const text = id === undefined ? undefined : errorText(id, known, batch?.refusalBytes)
      return { text, failure: known, method }
    })
  }

  #text(id: Id, result: unknown, procedure: Procedure): string | Promise<string> {
    const { operation, stringify } = procedure
    const answer = operation.rest.answers === undefined ? undefined : rpcMediaResultOf(result, operation)
    if (answer === undefined) return resultText(id, stringify(result))
    return jsonOfMediaResult(answer, operation, this.#limits.answerBytes).then((text) =>
      resultText(id, JSON.stringify(text)),
    )
  }
}

/** What the calls of a batch share. */
interface Batch {
  readonly deadline: Deadline | undefined
  /** Space for the violations of one call's params, in bytes. */
  readonly refusalBytes: number
  isDiscovered: boolean
}

/** Older media types that JSON-RPC clients send (JSON-RPC over HTTP, draft of 2008). */
const MEDIA_TYPES: ReadonlySet<string> = new Set(['application/json-rpc', 'application/jsonrequest'])

function unknownMethod(name: string): ProblemError {
  const shown = JSON.stringify(cut(name, MAX_PATH))
  return new ProblemError('unknown_operation', {
    detail: `There is no method ${shown}. ${DISCOVER} lists the methods.`,
  })
}
