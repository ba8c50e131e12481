import type { Way } from '../../change/place.js'
import { type Claim, dueTo } from './attribution.js'
import { type Refusal, said, violationAt } from './refusal.js'

/** Describes the part of a refusal that the change causes. Undefined if it has another cause. */
export type Cause = (refusal: Pick<Refusal, 'violations'> & Partial<Refusal>) => string | undefined

/**
 * A refusal for a path, or else for a value around it, that no rival change explains. It is told by the keyword that
 * changed: other branches of a union refuse the value for reasons of their own.
 */
export function causedAt(
  way: Way,
  orAround = true,
  own?: Claim | undefined,
  rivals: readonly Claim[] = [],
): Cause {
  return ({ violations, taker }) => {
    const due = dueTo(violations, own, rivals)
    if (taker !== undefined) return undefined
    const changed = due.filter(({ keyword }) => own?.keywords.includes(keyword))
    const found = violationAt(changed, way, orAround) ?? violationAt(due, way, orAround)
    return found && said(found)
  }
}

/** A refusal with one of these statuses or JSON-RPC codes. */
export function causedBy(codes: readonly number[]): Cause {
  return ({ status = 0, rpcCode, title = '', violations }) => {
    const isMeant = codes.includes(status) || (rpcCode !== undefined && codes.includes(rpcCode))
    return isMeant ? textOf({ status, rpcCode, title, violations }) : undefined
  }
}

/** A call that another operation takes. */
export function causedByTaker(name: string): Cause {
  return (refusal) => (refusal.taker === name ? takenBy(name, refusal) : undefined)
}

/** A JSON-RPC call that a REST operation takes or responds to. */
export const causedByRest: Cause = (refusal) => {
  const { status = 0, rpcCode, title = '', taker, violations } = refusal
  return rpcCode === undefined ? textOf({ status, rpcCode, title, taker, violations }) : undefined
}

/** A call that reaches no operation any more, or the wrong one. */
export function causedByLoss(codes: readonly number[]): Cause {
  const refused = causedBy(codes)
  return (refusal) => (refusal.taker === undefined ? refused(refusal) : takenBy(refusal.taker, refusal))
}

/** What the operation does that a call reaches in place of the meant one. */
function takenBy(
  name: string,
  { status = 0, rpcCode, title = '', violations }: Parameters<Cause>[0],
): string {
  if (status < 400 && rpcCode === undefined) return `${name} takes it`
  return `${name} refuses it: ${textOf({ status, rpcCode, title, violations })}`
}

export function textOf(refusal: Refusal): string {
  const { status, rpcCode, title, taker, violations } = refusal
  if (taker !== undefined) return takenBy(taker, refusal)
  const [first] = violations
  return first === undefined ? `${rpcCode ?? status} ${title}` : said(first)
}
