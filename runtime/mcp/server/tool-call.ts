import { type Bound, takeTimezone } from '../../contract/bound.js'
import type { HttpRequest } from '../../contract/http-request.js'
import type { Operation, ToolBinding } from '../../contract/operation.js'
import { pointerTo } from '../../contract/pointer.js'
import type { Violation } from '../../contract/problem-details.js'
import { undeclared } from '../../contract/violations.js'
import { acceptsEvents } from '../../http/events.js'
import { isStreaming } from '../../server/result/media-result.js'
import { isJsonObject, type JsonObject, setMember } from '../../values/object.js'

/** A call of an operation. */
export interface ToolCall {
  readonly name: unknown
  readonly args: JsonObject
  /** Numbers in the arguments that a double does not hold. */
  readonly inexact: readonly Violation[]
}

/**
 * The arguments of a call as params: what every call has is added, and refused if the caller sends it.
 *
 * @param inexact numbers in the arguments that a double does not hold
 */
export function bindArguments(
  params: JsonObject,
  { fixed = {}, hidden = [] }: ToolBinding,
  inexact: readonly Violation[],
): Bound {
  const own = [...Object.keys(fixed), ...hidden].filter((name) => Object.hasOwn(params, name))
  const timezone = takeTimezone(params)
  for (const [name, value] of Object.entries(fixed)) setMember(params, name, structuredClone(value))
  const violations = own.map((name) => undeclared(pointerTo('', name)))
  return { timezone, params, violations: [...inexact, ...violations] }
}

/**
 * What a caller named its request by, to learn of its progress. Undefined: it does not want to, or takes no events, or
 * the operation does not stream.
 */
export function progressTokenOf(
  { _meta: meta }: JsonObject,
  operation: Operation,
  request: HttpRequest,
): string | number | undefined {
  const token = isJsonObject(meta) ? meta.progressToken : undefined
  const isToken = typeof token === 'string' || Number.isSafeInteger(token)
  return isToken && isStreaming(operation) && acceptsEvents(request) ? (token as string | number) : undefined
}
