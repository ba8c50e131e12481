import { createHash } from 'node:crypto'
import type { Protocol } from 'duet-runtime'
import type { Change, Proof } from '../change/change.js'
import { reachesHandler } from '../change/handlers.js'

/** The proof of a change for some of its protocols. */
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
    ...others.map((part) => ({
      ...{ ...change, ...part },
      ...{ fingerprint: fingerprintOf(change, part), partOf: change.fingerprint },
    })),
  ]
}

/** The other parts have their own fingerprints, so that a waiver of one does not cover another. */
function fingerprintOf({ fingerprint }: Change, { protocols }: Part): string {
  return createHash('sha256').update(`${fingerprint} ${protocols.join()}`).digest('hex').slice(0, 16)
}

/** Raises an undecided change with a verified proof to breaking: a call was run and refused. */
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
 * Whether a proof makes a dangerous change breaking. Some stay dangerous even with a proof. A property that an open
 * response no longer names: the service may never put another value there. A concrete path next to a template that took
 * its calls, unless the old document lists the value: perhaps callers made none. Query names that no parameter
 * declares: only Duet accepts them. The address of JSON-RPC if REST URLs stay: the document does not name it. A path of
 * which only names may have changed: what its responses lose is reported.
 */
function isDoubtful({ id, direction, evidence }: Change): boolean {
  const hasReason = evidence?.reason !== undefined
  return (!staysDangerous.has(id) || hasReason) && (direction !== 'response' || hasReason)
}

const staysDangerous: ReadonlySet<string> = new Set([
  'endpoint-path-changed',
  'endpoint-shadowed',
  'server-path-changed',
  'request-query-names-refused',
])
