import type { Protocol } from 'duet-runtime'
import { bumpOf } from './bump.js'
import type { Comparison } from './change.js'

export const protocolNames: { readonly [protocol in Protocol]: string } = {
  rest: 'REST',
  jsonrpc: 'JSON-RPC',
}

export const protocols = Object.keys(protocolNames) as readonly Protocol[]

/** A comparison with only the changes that callers of one protocol notice. The verdicts stay those of both. */
export function forProtocol(comparison: Comparison, protocol: Protocol | 'all'): Comparison {
  if (protocol === 'all') return comparison
  const changes = comparison.changes.filter(({ protocols }) => protocols.includes(protocol))
  const { old, new: fresh } = comparison
  return { ...comparison, changes, bump: bumpOf(old.version, fresh.version, changes) }
}
