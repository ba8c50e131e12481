import { createHash } from 'node:crypto'
import type { Change, Protocol } from '../change.js'
import { reachesHandler } from '../handlers.js'
import { protocolNames } from '../report/words.js'

/**
 * What a proof makes of a change that nothing decided: over the protocols where a call was run and refused it breaks, over
 * the others it stays what it was. A property that an open answer no longer names stays dangerous whatever proves it: nothing
 * says that the service will put another value there. So does a path beside a template that took its calls: nothing says that
 * anybody made any. So does the address of JSON-RPC where every URL of REST stays: the document does not name it.
 */
export function raised(change: Change): Change[] {
  const { id, level, proof, direction, evidence, protocols } = change
  if (level !== 'dangerous' || proof.status !== 'verified') return [change]
  if (staysDangerous.has(id) || (direction === 'response' && evidence?.reason === undefined)) return [change]
  const shown = protocols.filter((protocol) => proof[protocol] !== undefined)
  const others = protocols.filter((protocol) => !shown.includes(protocol))
  const broken = { ...withLevelOf(change), protocols: shown }
  return others.length === 0 ? [broken] : [broken, leftOver(change, shown, others)]
}

const staysDangerous: ReadonlySet<string> = new Set(['endpoint-shadowed', 'server-path-changed'])

/** As a change that breaks: what was doubted is shown now. */
function withLevelOf(change: Change): Change {
  const { id, message, evidence, handlers } = change
  const doubt = `; cannot be decided: ${evidence?.reason}`
  return {
    ...change,
    level: 'breaking',
    message: message.endsWith(doubt) ? message.slice(0, -doubt.length) : message,
    handlers: reachesHandler({ id, level: 'breaking' }) ? handlers : [],
  }
}

function leftOver(change: Change, shown: readonly Protocol[], others: readonly Protocol[]): Change {
  const name = (protocols: readonly Protocol[]): string =>
    protocols.map((protocol) => protocolNames[protocol]).join(', ')
  return {
    ...change,
    protocols: others,
    // Of its own, so that a waiver of the one is none of the other.
    fingerprint: createHash('sha256')
      .update(`${change.fingerprint} ${others.join()}`)
      .digest('hex')
      .slice(0, 16),
    proof: { status: 'unproven', reason: `shown over ${name(shown)} alone, not over ${name(others)}` },
  }
}
