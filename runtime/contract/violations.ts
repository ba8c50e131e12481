import type { Validator, ValidatorError } from './contract.js'
import { MAX_PATH, pointerTo } from './pointer.js'
import type { Violation } from './problem-details.js'
import { cut } from './problem-size.js'

/** Most violations of one problem. */
export const MAX_VIOLATIONS = 50

/** Adds a violation, up to the limit. */
export function report(violations: Violation[], violation: Violation): void {
  if (violations.length < MAX_VIOLATIONS) violations.push(violation)
}

/** Adds violations for numbers that a double does not hold. Stops searching at the limit. */
export function reportInexact(
  violations: Violation[],
  pointers: Iterable<string>,
  pathOf: (pointer: string) => string,
  isRounded?: boolean,
): void {
  for (const pointer of pointers) {
    if (violations.length >= MAX_VIOLATIONS) return
    violations.push(inexact(pathOf(pointer), isRounded))
  }
}

/**
 * The violation of a number that a double would round: money is never rounded silently. `isRounded`: a body
 * parser may have rounded it already, so the original digits are unknown.
 */
export function inexact(path: string, isRounded = false): Violation {
  return {
    path,
    keyword: 'exact',
    message: isRounded
      ? 'must be a number of at most 15 digits'
      : 'must be a number that a double holds exactly',
  }
}

/** The violation of one param that was sent in two places with different values. */
export function conflict(path: string): Violation {
  return { path, keyword: 'conflict', message: 'must have the same value wherever it is sent' }
}

/** The violation of a single value that was sent more than once. */
export function duplicate(path: string): Violation {
  return { path, keyword: 'duplicate', message: 'must be sent once' }
}

/** The violation of an undeclared name, in the validators' words. */
export function undeclared(path: string): Violation {
  return { path, keyword: 'additionalProperties', message: 'must NOT have additional properties' }
}

/** The violation of a header that is not a single entity tag. */
export function noEntityTag(path: string): Violation {
  return { path, keyword: 'entity-tag', message: NO_ENTITY_TAG }
}

const NO_ENTITY_TAG = 'must be one entity tag in quotation marks, neither weak nor a list, or *'

/** The violation of a datetime whose UTC text has no four-digit year. */
export function outOfRange(path: string): Violation {
  return { path, keyword: 'datetime', message: 'must fall within the years 0000 to 9999 in UTC' }
}

/** The violation of `__tz` (seed section 1). */
export function unknownTimezone(): Violation {
  return { path: '/__tz', keyword: 'timezone', message: 'must be a time zone name of the IANA database' }
}

/**
 * Combines the reader's violations with those of the validator's last run. A value that the reader reported
 * is not reported twice, but an int64 that lost digits has the validator's message, which says what to do.
 */
export function violationsOf(validator: Validator, read: readonly Violation[]): readonly Violation[] {
  const violations = read.slice(0, MAX_VIOLATIONS)
  const places = new Map(read.map(({ path }, index) => [path, index]))
  for (const [index, error] of (validator.errors ?? []).entries()) {
    if (isExplained(error, validator.errors?.[index - 1])) continue
    const { keyword, params } = error
    const path = pathOf(error)
    const place = places.get(path)
    const known = place === undefined ? undefined : violations[place]
    if (place === undefined) report(violations, { path, keyword, message: messageOf(error) })
    else if (known?.keyword === 'exact' && params.format === 'int64')
      violations[place] = { ...known, message: messageOf(error) }
  }
  return violations
}

/**
 * Whether the errors before it say what a failed `if` means. AJV reports those of `then` and `else` first; callers know
 * neither.
 */
function isExplained({ keyword, instancePath }: ValidatorError, before: ValidatorError | undefined): boolean {
  return keyword === 'if' && before !== undefined && `${before.instancePath}/`.startsWith(`${instancePath}/`)
}

/** AJV's message, or the allowed values, if there are few. */
function messageOf({ keyword, params, message = 'must be valid' }: ValidatorError): string {
  const allowed = keyword === 'const' ? [params.allowedValue] : keyword === 'enum' ? params.allowedValues : []
  if (!Array.isArray(allowed) || allowed.length > MAX_ALLOWED || !allowed.every(isPlain)) return message
  if (allowed.length === 0) return message
  return `must be ${allowed.length === 1 ? '' : 'one of '}${allowed.join(', ')}`
}

const MAX_ALLOWED = 20

/** In a list, an empty text or one with a comma or a space would look like two values. */
function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string'
    ? /^[^\s,]{1,40}$/.test(value)
    : ['number', 'boolean'].includes(typeof value)
}

/** Reports a missing or unknown property at its own path, not at its object's. */
function pathOf({ instancePath, params }: ValidatorError): string {
  const path = cut(instancePath, MAX_PATH)
  for (const name of PROPERTY_PARAMS) {
    const property = params[name]
    if (typeof property === 'string') return pointerTo(path, property)
  }
  return path
}

/** Where AJV's error objects name the property at fault. */
const PROPERTY_PARAMS = [
  'missingProperty',
  'additionalProperty',
  'unevaluatedProperty',
  'propertyName',
] as const
