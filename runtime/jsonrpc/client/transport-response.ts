import type { ApiError } from '../../client/client-error.js'
import {
  type ErrorOrigin,
  isProblem,
  placeInProblem,
  readProblem,
  toApiError,
  unknownError,
} from '../../client/client-problem.js'
import type { CallOutcome } from '../../client/transport.js'
import { answeredJson, roundedResult, unexpected } from '../../client/transport-answer.js'
import type { HttpResponse } from '../../client/transport-exchange.js'
import type { ErrorCatalogue } from '../../contract/catalogue.js'
import { failureInt64, type Int64PlaceOf, nativeInt64 } from '../../contract/int64.js'
import type { Operation } from '../../contract/operation.js'
import { fromBase64 } from '../../values/base64.js'
import { isJsonObject } from '../../values/object.js'

export interface SentCall {
  readonly id: number
  readonly operation: Operation
}

/**
 * The result in the response to one call, checked against JSON-RPC 2.0 section 5. Only an error may have the
 * id null; `error: null` next to a result counts as no error.
 *
 * @throws ApiError for an error object, and for a problem object without an envelope; TransportError
 * `unexpected_response`
 */
export function rpcResult(sent: SentCall, answer: HttpResponse, errors: ErrorCatalogue): unknown {
  const { name } = sent.operation
  const envelope = readEnvelope(answeredJson(answer, { placeOf: placeOf([sent], answer, errors) })?.value)
  if (envelope === undefined) throw answeredOtherwise(name, answer, errors)
  const isOurs = envelope.id === sent.id || (envelope.id === null && !envelope.ok)
  if (!isOurs) throw unexpected(name, answer, 'the response has the id of another call')
  if (!envelope.ok) throw rpcError(envelope.error, name, [sent.operation], answer, errors)
  if (!isSuccess(answer)) throw unexpected(name, answer, 'a result with the status of an error')
  const error = roundedResult(sent.operation, envelope.result, answer)
  if (error !== undefined) throw error
  return resultOf(sent.operation, envelope.result)
}

/**
 * Matches the responses of a batch by id and returns them in the order of the calls.
 *
 * @throws ApiError if the service refused the whole batch; TransportError `unexpected_response` if a response
 * is malformed, missing, duplicate or has an unknown id
 */
export function batchAnswers(
  sent: readonly SentCall[],
  answer: HttpResponse,
  errors: ErrorCatalogue,
): readonly CallOutcome[] {
  const operations = sent.map(({ operation }) => operation)
  const content = answeredJson(answer, { placeOf: placeOf(sent, answer, errors) })?.value
  if (!Array.isArray(content)) {
    const envelope = readEnvelope(content)
    if (envelope?.ok === false) throw rpcError(envelope.error, 'batch', operations, answer, errors)
    throw answeredOtherwise('batch', answer, errors)
  }
  const byId = new Map<unknown, Envelope>()
  for (const one of content) {
    const envelope = readEnvelope(one)
    if (envelope === undefined) throw unexpected('batch', answer, 'a response is not JSON-RPC 2.0')
    if (byId.has(envelope.id)) throw unexpected('batch', answer, 'two responses have the same id')
    byId.set(envelope.id, envelope)
  }
  if (byId.size !== sent.length) throw unexpected('batch', answer, 'not as many responses as calls')
  return sent.map(({ id, operation }): CallOutcome => {
    const envelope = byId.get(id)
    if (envelope === undefined) throw unexpected('batch', answer, 'a call has no response')
    if (!envelope.ok)
      return { ok: false, error: rpcError(envelope.error, operation.name, [operation], answer, errors) }
    const error = roundedResult(operation, envelope.result, answer)
    return error === undefined
      ? { ok: true, result: resultOf(operation, envelope.result) }
      : { ok: false, error }
  })
}

/**
 * Checks that the service accepted a notification: a success without a body.
 *
 * @throws as {@link rpcResult}
 */
export function checkNotified(operation: Operation, answer: HttpResponse, errors: ErrorCatalogue): void {
  if (isSuccess(answer) && answer.text === '') return
  const envelope = readEnvelope(answeredJson(answer)?.value)
  if (envelope?.ok === false) throw rpcError(envelope.error, operation.name, [operation], answer, errors)
  throw answeredOtherwise(operation.name, answer, errors)
}

/** The result in the form that programs use. If the operation may return a file, a text is base64. */
function resultOf({ rest: { answers }, int64 }: Operation, answered: unknown): unknown {
  const result = int64 === undefined ? answered : nativeInt64(answered, int64.as, int64.result)
  const file = answers?.find(({ kind }) => kind === 'binary')
  const bytes = file === undefined || typeof result !== 'string' ? undefined : fromBase64(result)
  if (file === undefined || bytes === undefined) return result
  return new Blob([bytes], { type: file.type.includes('*') ? '' : file.type })
}

/**
 * The int64 position of a response's number in a result or an error body. Undefined if all int64 integers are
 * numbers.
 */
function placeOf(
  sent: readonly SentCall[],
  answer: HttpResponse,
  errors: ErrorCatalogue,
): Int64PlaceOf | undefined {
  const hasNone = sent.every(({ operation }) => operation.int64 === undefined)
  if (hasNone && Object.values(errors).every(({ int64 }) => int64 === undefined)) return undefined
  return (keys, value) => {
    const [first = '', ...others] = keys
    const [content, [member, ...path]] = Array.isArray(value) ? [value[Number(first)], others] : [value, keys]
    const envelope = readEnvelope(content)
    const operation = sent.find(({ id }) => id === envelope?.id)?.operation
    if (envelope === undefined || operation === undefined) return undefined
    if (envelope.ok) {
      const graph = member === 'result' ? operation.int64?.result : undefined
      return graph && { graph, path }
    }
    const [part, ...inData] = path
    if (member !== 'error' || part !== 'data') return undefined
    const { error } = envelope
    if (isProblem(error.data)) return placeInProblem(inData, error.data, errors)
    const code = codeOf(error, [operation], answer.status, errors)
    const status = code === undefined ? undefined : errors[code]?.status
    const graph = failureInt64(operation, status ?? answer.status)
    return graph && { graph, path: inData }
  }
}

/** A response object with checked members. */
type Envelope = { readonly id: unknown } & (
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: RpcError }
)

interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

function readEnvelope(value: unknown): Envelope | undefined {
  if (!isJsonObject(value) || value.jsonrpc !== '2.0' || !Object.hasOwn(value, 'id')) return undefined
  const { error, id, result } = value
  const hasResult = Object.hasOwn(value, 'result')
  if (error === undefined || error === null) return hasResult ? { id, ok: true, result } : undefined
  if (hasResult || !isRpcError(error)) return undefined
  return { id, ok: false, error }
}

function isRpcError(value: unknown): value is RpcError {
  return isJsonObject(value) && Number.isInteger(value.code) && typeof value.message === 'string'
}

function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300
}

/**
 * The error of a response without an envelope: a problem object as REST sends it, from a gateway or from
 * HTTP's own rules.
 */
function answeredOtherwise(name: string, answer: HttpResponse, errors: ErrorCatalogue): Error {
  const problem = isSuccess(answer) ? undefined : readProblem(answeredJson(answer)?.value, answer.status)
  if (problem === undefined) return unexpected(name, answer, 'the response is not JSON-RPC 2.0')
  return toApiError(problem, origin(name, answer, errors))
}

function rpcError(
  error: RpcError,
  name: string,
  operations: readonly Operation[],
  answer: HttpResponse,
  errors: ErrorCatalogue,
): ApiError {
  const from = { ...origin(name, answer, errors), rpcCode: error.code }
  const fallback = isSuccess(answer) ? 500 : answer.status
  const hasOwnFormat = operations.some(({ failures }) => failures !== undefined)
  const problem = hasOwnFormat && !isProblem(error.data) ? undefined : readProblem(error.data, fallback)
  if (problem !== undefined) return toApiError(problem, from)
  const code = codeOf(error, operations, answer.status, errors)
  const listed = code === undefined ? undefined : errors[code]
  const title = listed?.title ?? error.message
  const made = {
    ...{ type: `urn:problem-type:${code ?? unknownError}`, code: code ?? unknownError },
    ...{ title, status: listed?.status ?? fallback },
    ...(error.message !== title && { detail: error.message }),
  }
  return toApiError(made, { ...from, body: bodyOf(error, operations, made.status) })
}

function bodyOf({ data }: RpcError, operations: readonly Operation[], status: number): unknown {
  const [operation, another] = operations
  if (operation?.int64 === undefined || another !== undefined) return data
  return nativeInt64(data, operation.int64.as, failureInt64(operation, status))
}

/**
 * The problem code of an RPC code. Several codes may share one; then codes whose title equals the message
 * come first, then those with the response's HTTP status, then those that the operations declare, then the
 * catalogue's order.
 */
function codeOf(
  { code: rpcCode, message }: RpcError,
  operations: readonly Operation[],
  status: number,
  errors: ErrorCatalogue,
): string | undefined {
  const declared = new Set(operations.flatMap((operation) => operation.errors))
  const rank = ([code, definition]: [string, ErrorCatalogue[string]]) =>
    (definition.title === message ? 0 : 4) +
    ((definition.rpcStatus ?? 200) === status ? 0 : 2) +
    (declared.has(code) ? 0 : 1)
  const candidates = Object.entries(errors).filter(([, definition]) => definition.rpc === rpcCode)
  return candidates.sort((left, right) => rank(left) - rank(right))[0]?.[0]
}

function origin(operation: string, answer: HttpResponse, errors: ErrorCatalogue): ErrorOrigin {
  return { operation, errors, retryAfterMs: answer.retryAfterMs }
}
