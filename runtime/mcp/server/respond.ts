import { withinBytes } from '../../contract/problem-size.js'
import { EVENTS } from '../../http/events.js'
import type { Exchange } from '../../http/exchange.js'
import type { Failure } from '../../server/outcome/outcome.js'
import type { Eventual } from '../../values/eventual.js'
import { jsonText } from '../../values/json-text.js'
import { kinds } from './mcp-error.js'
import type { Id } from './message.js'

/** The response to one message. */
export interface Response {
  readonly status: number
  /** Absent: none. */
  readonly text?: string
  /** Instead of a text. */
  readonly events?: AsyncIterable<Uint8Array>
  readonly headers?: Readonly<Record<string, string>>
}

/** The members of an object as JSON text, to add to others. */
export function membersText(object: object): string {
  return JSON.stringify(object).slice(1, -1)
}

/** How long a client may keep what it learned, and whether it may show it to other users. */
export function lasting(isPublic: boolean): object {
  return { ttlMs: LASTING_MS, cacheScope: isPublic ? 'public' : 'private' }
}

/** The error object for a problem. Codes that the specification has for itself are replaced. */
export function problemError({ problem, definition: { rpc } }: Failure): object {
  const code = rpc <= -32020 && rpc >= -32099 ? kinds.invalidRequest.code : rpc
  return { code, message: problem.title, data: withinBytes(problem) }
}

/** The response object for an error. Without a readable id it has none. */
export function errorText(id: Id | undefined, error: object): string {
  const known = id === undefined ? '' : `"id":${JSON.stringify(id)},`
  return `{"jsonrpc":"2.0",${known}"error":${jsonText(error)}}`
}

export function send<Principal>(
  exchange: Exchange<Principal>,
  { status, text, events, headers }: Response,
): Eventual<true> {
  if (events !== undefined)
    return exchange.events(status, { 'Content-Type': EVENTS, ...headers }, events).then(() => true)
  if (text === undefined) exchange.send(status, {}, '')
  else exchange.send(status, { 'Content-Type': 'application/json', ...headers }, text)
  return true
}

/** Five minutes. */
const LASTING_MS = 300_000
