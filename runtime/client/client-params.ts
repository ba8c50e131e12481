import { isBinary } from '../contract/binaries.js'
import type { ErrorCatalogue } from '../contract/catalogue.js'
import { exactInt64 } from '../contract/int64.js'
import type { Int64Positions, Operation } from '../contract/operation.js'
import { pointerTo } from '../contract/pointer.js'
import { ProblemError } from '../contract/problem.js'
import type { Violation } from '../contract/problem-details.js'
import { isJsonObject } from '../values/object.js'
import { ownError } from './client-problem.js'

/**
 * Copies the params without undefined members, takes entity tags out of their quotation marks, and adds `__tz` if
 * there is none.
 *
 * @throws TypeError if params are not an object; ApiError `validation_failed` for a value that JSON cannot
 * represent: a BigInt, or an object that contains itself
 */
export function namedParams(
  operation: Operation,
  errors: ErrorCatalogue,
  params: unknown,
  timezone: string | undefined,
): Readonly<Record<string, unknown>> {
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params))) {
    throw new TypeError(`The params of ${operation.name} must be an object`)
  }
  const named: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(params ?? {})) {
    if (value !== undefined) named[name] = value
  }
  for (const { param, entityTag } of operation.rest.parameters) {
    if (entityTag === true && Object.hasOwn(named, param)) named[param] = opaqueText(named[param])
  }
  if (timezone !== undefined && !Object.hasOwn(named, '__tz')) named.__tz = timezone
  const violations: Violation[] = []
  const { int64 } = operation
  findUnwritable(named, '', new Set(), violations, int64 !== undefined)
  if (violations.length === 0) return int64 === undefined ? named : exactParams(named, int64)
  throw ownError(new ProblemError('validation_failed', { violations }), operation.name, errors)
}

/**
 * The text of an entity tag, so that a caller may pass on the header `ETag` of a response. The text itself has no
 * quotation marks (RFC 9110 section 8.8.3). A weak tag stays as it is, and is refused: it identifies no exact version.
 */
function opaqueText(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/^"([^"]*)"$/, '$1') : value
}

function exactParams(params: Record<string, unknown>, { as, params: graph }: Int64Positions) {
  return exactInt64(params, as, graph) as Record<string, unknown>
}

const noBigInt =
  'must be JSON, which has no BigInt; integers of format int64 may be, if the client is generated with "int64": "bigint" in duet.config.json'

/** Collects the values that JSON cannot represent. */
function findUnwritable(
  value: unknown,
  pointer: string,
  above: Set<unknown>,
  violations: Violation[],
  takesBigInt: boolean,
): void {
  if (typeof value === 'bigint') {
    if (takesBigInt) return
    violations.push({ path: pointer, keyword: 'json', message: noBigInt })
    return
  }
  const isList = Array.isArray(value)
  // `toJSON` runs only when the call is sent.
  if (!isList && (!isJsonObject(value) || isBinary(value) || typeof value.toJSON === 'function')) return
  if (above.has(value)) {
    violations.push({
      path: pointer,
      keyword: 'json',
      message: 'must be JSON, which cannot contain itself',
    })
    return
  }
  above.add(value)
  for (const [name, member] of Object.entries(value)) {
    findUnwritable(member, pointerTo(pointer, name), above, violations, takesBigInt)
  }
  above.delete(value)
}
