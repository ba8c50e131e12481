import type { IncomingHttpHeaders } from 'node:http'
import type { RestBinding } from '../../contract/operation.js'
import { ProblemError } from '../../contract/problem.js'
import { isExpected, isNamed } from '../style/entity-tag.js'

/** A header that makes a request conditional by entity tags. */
export type Precondition = 'if-match' | 'if-none-match'

/** Whether what an operation's preconditions are held against is its own answer: it reads (RFC 9110 section 9.2.1). */
export function isReading({ method }: RestBinding): boolean {
  return reading.has(method)
}

/**
 * The preconditions that nobody could hold against a change before it is made: those of no parameter. What a
 * parameter declares is the handler's. Methods that neither read nor change have none (section 13.2.1).
 */
export function unheldPreconditions(rest: RestBinding): readonly Precondition[] {
  if (isReading(rest) || rest.method === 'OPTIONS' || rest.method === 'TRACE') return []
  const declared = new Set(
    rest.parameters.flatMap((each) => (each.in === 'header' ? [each.name.toLowerCase()] : [])),
  )
  return preconditions.filter((name) => !declared.has(name))
}

/**
 * Refuses a change under a condition of which nobody knows whether it is true (sections 13.1.1 and 13.1.2: a change
 * is not made where it is false).
 *
 * @throws ProblemError `precondition_failed`
 */
export function refuseUnheld(unheld: readonly Precondition[], headers: IncomingHttpHeaders): void {
  for (const name of unheld) {
    if (headers[name] === undefined) continue
    const detail = `${titles[name]} can't be held against this change. Nothing was changed.`
    throw new ProblemError('precondition_failed', { detail })
  }
}

/**
 * Whether who reads has what it would be answered with (section 13.1.2). If-Match comes first (section 13.2.2).
 *
 * @param tag entity tag of the answer, if it has one
 * @throws ProblemError `precondition_failed` where the answer is not what If-Match expects
 */
export function isKnown(tag: string | undefined, headers: IncomingHttpHeaders): boolean {
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
