import { isBinary } from './binaries.js'
import type { ErrorCatalogue } from './catalogue.js'
import { ownError } from './client-problem.js'
import { isJsonObject } from './object.js'
import type { Operation } from './operation.js'
import { ProblemError, type Violation } from './problem.js'
import { pointerTo } from './violations.js'

/**
 * A copy of the params, without members that are undefined, with `__tz` where the params have none.
 *
 * @throws TypeError for params that are no object; ApiError `validation_failed` for a value that no protocol
 * can carry, which JSON has no text for: a BigInt, and an object that holds itself
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
  if (timezone !== undefined && !Object.hasOwn(named, '__tz')) named.__tz = timezone
  const violations: Violation[] = []
  findUnwritable(named, '', new Set(), violations)
  if (violations.length === 0) return named
  throw ownError(new ProblemError('validation_failed', { violations }), operation.name, errors)
}

/** Collects what JSON.stringify would throw a bare TypeError for. */
function findUnwritable(value: unknown, pointer: string, above: Set<unknown>, violations: Violation[]): void {
  if (typeof value === 'bigint') {
    violations.push({ path: pointer, keyword: 'json', message: 'must be JSON, which has no BigInt' })
    return
  }
  const isList = Array.isArray(value)
  // What writes itself is asked only when it is sent.
  if (!isList && (!isJsonObject(value) || isBinary(value) || typeof value.toJSON === 'function')) return
  if (above.has(value)) {
    violations.push({
      path: pointer,
      keyword: 'json',
      message: 'must be JSON, which holds nothing twice in itself',
    })
    return
  }
  above.add(value)
  for (const [name, member] of Object.entries(value)) {
    findUnwritable(member, pointerTo(pointer, name), above, violations)
  }
  above.delete(value)
}
