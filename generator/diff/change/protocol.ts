import type { Protocol } from 'duet-runtime'
import { bumpOf } from './bump.js'
import type { Comparison } from './change.js'

interface ProtocolRow {
  readonly name: string
  /**
   * How a request carries params. `texts`: in the path, the query, headers and a body with a media type. `json`: as one
   * JSON object.
   */
  readonly params: 'texts' | 'json'
  /** How callers address an operation. */
  readonly address: 'path' | 'name'
  /** What callers see of a response. `status`: status, media type and headers. `result`: one result or error code. */
  readonly response: 'status' | 'result'
}

/** What facts depend on, so that they name no protocol. */
const rows: { readonly [protocol in Protocol]: ProtocolRow } = {
  rest: { name: 'REST', params: 'texts', address: 'path', response: 'status' },
  jsonrpc: { name: 'JSON-RPC', params: 'json', address: 'name', response: 'result' },
}

export const protocols = Object.keys(rows) as readonly Protocol[]
export const protocolNames = byProtocol((protocol) => rows[protocol].name)

export const whereTexts = where('params', 'texts')
export const whereJson = where('params', 'json')
export const wherePaths = where('address', 'path')
export const whereNames = where('address', 'name')
export const whereStatuses = where('response', 'status')
export const whereResults = where('response', 'result')

function where<Column extends keyof ProtocolRow>(
  column: Column,
  value: ProtocolRow[Column],
): readonly Protocol[] {
  return protocols.filter((protocol) => rows[protocol][column] === value)
}

/** Whether one of the protocols is in a list. */
export function among(named: readonly Protocol[], list: readonly Protocol[]): boolean {
  return named.some((protocol) => list.includes(protocol))
}

/** Whether all protocols are in a list. */
export function isOnly(named: readonly Protocol[], list: readonly Protocol[]): boolean {
  return named.every((protocol) => list.includes(protocol))
}

export function byProtocol<Value>(of: (protocol: Protocol) => Value): {
  readonly [protocol in Protocol]: Value
} {
  const entries = protocols.map((protocol) => [protocol, of(protocol)] as const)
  return Object.fromEntries(entries) as { readonly [protocol in Protocol]: Value }
}

/** A comparison with only the changes that callers of one protocol notice. The verdicts stay those of both. */
export function forProtocol(comparison: Comparison, protocol: Protocol | 'all'): Comparison {
  if (protocol === 'all') return comparison
  const changes = comparison.changes.filter(({ protocols }) => protocols.includes(protocol))
  const { old, new: fresh } = comparison
  return { ...comparison, changes, bump: bumpOf(old.version, fresh.version, changes) }
}
