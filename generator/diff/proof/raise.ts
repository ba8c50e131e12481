import { createHash } from 'node:crypto'
import type { Protocol } from 'duet-runtime'
import type { Change, Proof } from '../change/change.js'
import { reachesHandler } from '../change/handlers.js'

/** What was found of a change over some of its protocols. */
export interface Part {
  readonly protocols: readonly Protocol[]
  readonly proof: Proof
}

/**
 * Splits a breaking change into one for each part, so that each has a proof for all of its protocols. A change that no
 * proof makes breaking stays whole, with the proof of its first part.
 */
export function parted(change: Change, parts: readonly Part[] = []): Change[] {
  const [first, ...others] = parts
  if (first === undefined) return [change]
  if (others.length === 0 || (change.level !== 'breaking' && !isDoubtful(change)))
    return [{ ...change, proof: first.proof }]
  return [
    { ...change, ...first },
    ...others.map((part) => ({ ...change, ...part, fingerprint: fingerprintOf(change, part) })),
  ]
}

/** A fingerprint of its own: a waiver of one part does not cover the other. */
function fingerprintOf({ fingerprint }: Change, { protocols }: Part): string {
  return createHash('sha256').update(`${fingerprint} ${protocols.join()}`).digest('hex').slice(0, 16)
}

/** What a proof makes of a change that nothing decided: a call that was run and refused breaks. */
export function raised(change: Change): Change {
  const { id, level, proof, message, evidence, handlers } = change
  if (level !== 'dangerous' || proof.status !== 'verified' || !isDoubtful(change)) return change
  const doubt = `; cannot be decided: ${evidence?.reason}`
  return {
    ...change,
    level: 'breaking',
    message: message.endsWith(doubt) ? message.slice(0, -doubt.length) : message,
    handlers: reachesHandler({ id, level: 'breaking' }) ? handlers : [],
  }
}

/**
 * Whether a dangerous change breaks where a call shows it. A property that an open answer no longer names stays dangerous
 * whatever proves it: nothing says that the service will put another value there. So does a path beside a template that took its
 * calls: nothing says that anybody made any. So do query names that no parameter declares: only Duet takes them. So does the
 * address of JSON-RPC where URLs of REST stay: the document does not name it.
 */
function isDoubtful({ id, direction, evidence }: Change): boolean {
  return !staysDangerous.has(id) && (direction !== 'response' || evidence?.reason !== undefined)
}

const staysDangerous: ReadonlySet<string> = new Set([
  'endpoint-shadowed',
  'server-path-changed',
  'request-query-names-refused',
])
