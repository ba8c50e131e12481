import { exactJson, type Int64PlaceOf } from '../contract/int64.js'
import { TransportError } from './client-error.js'
import type { HttpAnswer } from './transport-exchange.js'

/**
 * The JSON value of a response. Undefined if its media type is not JSON or its text is not.
 *
 * @param isDeclared whether the document says that the response's media type is JSON, whatever its name
 * @param placeOf the positions of the operation's int64 integers that programs do not have as numbers
 */
export function answeredJson(
  answer: HttpAnswer,
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

/** The error of a response that is neither a result nor a problem. */
export function unexpected(operation: string, answer: HttpAnswer, message: string): TransportError {
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
