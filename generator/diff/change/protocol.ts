import type { Protocol } from 'duet-runtime'
import { listed } from '../../project/terminal.js'
import { bumpOf } from './bump.js'
import type { Comparison, Paired, Verdict, Verdicts } from './change.js'
import { type Met, placeAmong } from './place.js'
import type { Endpoint, Side } from './side.js'

interface ProtocolRow {
  readonly name: string
  /**
   * How a request carries params. `texts`: in the path, the query, headers and a body with a media type. `json`: as one
   * JSON object.
   */
  readonly params: 'texts' | 'json'
  /** How callers address an operation. */
  readonly address: 'path' | 'name' | 'tool'
  /** What callers see of a response. `status`: status, media type and headers. `result`: one result or error code. */
  readonly response: 'status' | 'result'
  /** Whether callers can reach an operation, or receive a message. */
  readonly offers: (endpoint: Endpoint) => boolean
}

/** What facts depend on, so that they name no protocol. */
const rows: { readonly [protocol in Protocol]: ProtocolRow } = {
  rest: { name: 'REST', params: 'texts', address: 'path', response: 'status', offers: () => true },
  jsonrpc: {
    ...{ name: 'JSON-RPC', params: 'json', address: 'name', response: 'result' },
    offers: ({ webhook, expression, rpc }) => (webhook && expression === undefined) || rpc !== false,
  },
  mcp: {
    ...{ name: 'MCP', params: 'json', address: 'tool', response: 'result' },
    offers: ({ isTool }) => isTool,
  },
}

export const protocols = Object.keys(rows) as readonly Protocol[]
export const protocolNames = byProtocol((protocol) => rows[protocol].name)

export const whereTexts = where('params', 'texts')
export const whereJson = where('params', 'json')
export const wherePaths = where('address', 'path')
export const whereNames = where('address', 'name')
export const whereTools = where('address', 'tool')
/** Protocols with one address for all calls: it moves with the base path. */
export const whereOneAddress = protocols.filter((protocol) => !wherePaths.includes(protocol))
export const whereStatuses = where('response', 'status')
export const whereResults = where('response', 'result')

function where<Column extends keyof ProtocolRow>(
  column: Column,
  value: ProtocolRow[Column],
): readonly Protocol[] {
  return protocols.filter((protocol) => rows[protocol][column] === value)
}

/** The protocols of callers who find an operation by its path, or by its name. Undefined: all. */
export function following(callers: Paired['callers']): readonly Protocol[] | undefined {
  return callers && (callers === 'path' ? wherePaths : whereOneAddress)
}

/** REST and JSON-RPC, and MCP if one of the documents has tools. */
export function servedProtocols(...sides: readonly Side[]): readonly Protocol[] {
  const hasTools = sides.some(({ endpoints }) => endpoints.some(({ isTool }) => isTool))
  return hasTools ? protocols : protocols.filter((protocol) => !whereTools.includes(protocol))
}

/** The protocols of a finding that callers of the operation can use. */
export function callableProtocols(
  named: readonly Protocol[],
  endpoint: Endpoint,
  found: Met = { id: 'endpoint-added', direction: null, path: '' },
): Protocol[] {
  const isUnseen = !isOnly(named, whereTools) && isInUnseen(endpoint, found)
  return named.filter(
    (protocol) => rows[protocol].offers(endpoint) && !(isUnseen && whereTools.includes(protocol)),
  )
}

/** Whether something is in a param that agents do not send. */
function isInUnseen({ unseen = [], modelled }: Endpoint, found: Met): boolean {
  if (unseen.length === 0 || modelled === undefined || found.direction !== 'request') return false
  const [param] = placeAmong(found, modelled)
  return param !== undefined && unseen.includes(param)
}

/** The operation for callers who could reach it before: what is new over a protocol has no callers there yet. */
export function asCalled(before: Endpoint, after: Endpoint): Endpoint {
  const rpc = before.rpc === false ? false : after.rpc
  const unseen = [...(before.unseen ?? []), ...(after.unseen ?? [])]
  return { ...after, rpc, isTool: before.isTool && after.isTool, unseen }
}

/**
 * The protocols that identify a change. Whether an operation is a tool does not, so that a fingerprint outlives a tool
 * that is added or removed.
 */
export function identifying(named: readonly Protocol[]): readonly Protocol[] {
  const others = named.filter((protocol) => !whereTools.includes(protocol))
  return others.length === 0 ? named : others
}

/** The protocols of both lists. */
export function joined(one: readonly Protocol[], other: readonly Protocol[]): readonly Protocol[] {
  return protocols.filter((protocol) => one.includes(protocol) || other.includes(protocol))
}

/** Whether one of the protocols is in a list. */
export function among(named: readonly Protocol[], list: readonly Protocol[]): boolean {
  return named.some((protocol) => list.includes(protocol))
}

/** Whether all protocols are in a list. */
export function isOnly(named: readonly Protocol[], list: readonly Protocol[]): boolean {
  return named.every((protocol) => list.includes(protocol))
}

/** `REST`, `JSON-RPC and MCP`. Empty if callers over REST and JSON-RPC notice: then all do who can. */
export function someNames(named: readonly Protocol[]): string {
  const isOfAll = protocols.every((protocol) => whereTools.includes(protocol) || named.includes(protocol))
  return isOfAll ? '' : namesOf(named)
}

export function namesOf(named: readonly Protocol[]): string {
  return listed(named.map((protocol) => protocolNames[protocol]))
}

/** Verdicts in the order of the table. */
export function verdictRows(
  verdicts: Verdicts,
): { readonly protocol: Protocol; readonly name: string; readonly verdict: Verdict }[] {
  return protocols.flatMap((protocol) => {
    const verdict = verdicts[protocol]
    return verdict === undefined ? [] : [{ protocol, name: protocolNames[protocol], verdict }]
  })
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
