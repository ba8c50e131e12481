import { exactJson, type Int64PlaceOf, unsafeInt64 } from '../contract/int64.js'
import type { Operation } from '../contract/operation.js'
import { TransportError } from './client-error.js'
import type { HttpResponse } from './transport-exchange.js'

/**
 * The JSON value of a response. Undefined if its media type is not JSON or its text is not.
 *
 * @param isDeclared whether the document says that the response's media type is JSON, whatever its name
 * @param placeOf the positions of the operation's int64 integers that programs do not have as numbers
 */
export function answeredJson(
  answer: HttpResponse,
  {
    isDeclared = false,
    placeOf,
  }: { readonly isDeclared?: boolean; readonly placeOf?: Int64PlaceOf | undefined } = {},
): { readonly value: unknown } | undefined {
  if (!isDeclared && !/^[^/]+\/(?:[^/]+\+)?json$/.test(answer.mediaType)) return undefined
  try {
    return placeOf === undefined ? { value: JSON.parse(answer.text) } : exactJson(answer.text, placeOf)
  } catch {
    return undefined
  }
}

/**
 * The error of a result with an int64 that the client may have rounded. Undefined if there is none.
 *
 * @param answer undefined for a piece of a stream
 */
export function roundedResult(
  { name, int64Numbers }: Operation,
  value: unknown,
  answer: HttpResponse | undefined,
): TransportError | undefined {
  const pointer = unsafeInt64(value, answer === undefined ? int64Numbers?.piece : int64Numbers?.result)
  if (pointer === undefined) return undefined
  const message = `the result has an integer beyond ±(2^53 - 1) at ${JSON.stringify(pointer)}, which may be rounded: set "int64" to "bigint" or "string" in the client's duet.config.json`
  if (answer !== undefined) return unexpected(name, answer, message)
  return new TransportError('unexpected_response', message, { operation: name })
}

/** The error of a response that is neither a result nor a problem. */
export function unexpected(operation: string, answer: HttpResponse, message: string): TransportError {
  const { status, text, retryAfterMs } = answer
  // A browser shows a redirect as status 0 (Fetch Standard, opaque-redirect filtered response).
  const redirect = status === 0 || (status >= 300 && status < 400)
  const why = redirect ? 'a redirect, which clients do not follow: use the final address' : message
  return new TransportError('unexpected_response', `${why} (HTTP status ${status})`, {
    operation,
    status,
    body: text,
    retryAfterMs,
  })
}
