import type { IncomingHttpHeaders } from 'node:http'
import type { RestBinding } from '../../contract/operation.js'
import { ProblemError } from '../../contract/problem.js'
import { isExpected, isNamed } from '../style/entity-tag.js'

/** A header that makes a request conditional on entity tags. */
export type Precondition = 'if-match' | 'if-none-match'

/**
 * Whether the api can evaluate the operation's preconditions against its own response: the operation only
 * reads (RFC 9110 section 9.2.1).
 */
export function isReading({ method }: RestBinding): boolean {
  return reading.has(method)
}

/**
 * The preconditions of a change that the api cannot evaluate beforehand: those that no parameter declares. A
 * declared one is up to the handler. Methods that neither read nor change have none (section 13.2.1).
 */
export function unverifiablePreconditions(rest: RestBinding): readonly Precondition[] {
  if (isReading(rest) || rest.method === 'OPTIONS' || rest.method === 'TRACE') return []
  const declared = new Set(
    rest.parameters.flatMap((each) => (each.in === 'header' ? [each.name.toLowerCase()] : [])),
  )
  return preconditions.filter((name) => !declared.has(name))
}

/**
 * Refuses a change whose precondition the api cannot evaluate (sections 13.1.1 and 13.1.2: a change must not
 * happen if the condition is false).
 *
 * @throws ProblemError `precondition_failed`
 */
export function refuseUnverifiable(
  unverifiable: readonly Precondition[],
  headers: IncomingHttpHeaders,
): void {
  for (const name of unverifiable) {
    if (headers[name] === undefined) continue
    const detail = `${titles[name]} cannot be checked for this change. Nothing was changed.`
    throw new ProblemError('precondition_failed', { detail })
  }
}

/**
 * Whether the reader already has this response (section 13.1.2). If-Match comes first (section 13.2.2).
 *
 * @param tag entity tag of the response, if it has one
 * @throws ProblemError `precondition_failed` if the response does not satisfy If-Match
 */
export function isUnmodified(tag: string | undefined, headers: IncomingHttpHeaders): boolean {
  if (!isExpected(tag, headers['if-match'])) {
    throw new ProblemError('precondition_failed', { detail: 'If-Match names another entity tag.' })
  }
  return isNamed(tag, headers['if-none-match'])
}

const preconditions = ['if-match', 'if-none-match'] as const

const titles: Readonly<Record<Precondition, string>> = {
  'if-match': 'If-Match',
  'if-none-match': 'If-None-Match',
}

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'QUERY'])
