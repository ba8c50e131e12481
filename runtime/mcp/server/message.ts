import type { HttpRequest } from '../../contract/http-request.js'
import { cut } from '../../contract/problem-size.js'
import type { Deadline } from '../../server/deadline.js'
import { isJsonObject, type JsonObject } from '../../values/object.js'
import { kinds, McpError } from './mcp-error.js'
import { ASSUMED, CURRENT, META, OLDER, REVISIONS } from './revisions.js'

export type Id = string | number

/** One message of a client. */
export interface Message {
  /** Undefined: a notification, or the response to a request that nobody sent. Neither has a response. */
  readonly id: Id | undefined
  readonly method: string
  readonly params: JsonObject
  readonly revision: string
}

/** A message that has a response. */
export interface Request extends Message {
  readonly id: Id
  /** Undefined: the message came alone. */
  readonly batch: Batch | undefined
}

/** What the calls of a batch share. */
export interface Batch {
  readonly deadline: Deadline | undefined
}

/**
 * The id of a message, to answer its faults. Undefined if it has none, or one that cannot be repeated.
 */
export function idOf(value: unknown): Id | undefined {
  if (!isJsonObject(value) || !Object.hasOwn(value, 'id')) return undefined
  const { id } = value
  if (typeof id === 'string') return id.length > MAX_ID ? undefined : id
  return Number.isSafeInteger(id) ? (id as number) : undefined
}

/**
 * Reads a message. The older revisions are recognised by what they lack, so that one address serves all.
 *
 * @throws McpError for a message that its revision does not allow
 */
export function readMessage(value: unknown, request: HttpRequest): Message {
  if (!isJsonObject(value)) throw new McpError(kinds.invalidRequest, 'A message must be an object.')
  const { jsonrpc, method, params = {} } = value
  if (jsonrpc !== '2.0') throw new McpError(kinds.invalidRequest, '`jsonrpc` must be "2.0".')
  const hasMeta =
    isJsonObject(params) && isJsonObject(params._meta) && Object.hasOwn(params._meta, META.revision)
  const stated = request.headers['mcp-protocol-version']
  const isCurrent = hasMeta || (typeof stated === 'string' && stated.trim() >= CURRENT)
  if (method === undefined && !isCurrent && ('result' in value || 'error' in value))
    return { id: undefined, method: '', params: {}, revision: ASSUMED }
  if (typeof method !== 'string') throw new McpError(kinds.invalidRequest, '`method` must be a string.')
  const id = idOf(value)
  if (id === undefined && Object.hasOwn(value, 'id'))
    throw new McpError(
      kinds.invalidRequest,
      `\`id\` must be a whole number, or a text of at most ${MAX_ID} characters.`,
    )
  if (!isJsonObject(params)) throw new McpError(kinds.invalidRequest, '`params` must be an object.')
  if (id === undefined) {
    if (method.startsWith('notifications/'))
      return { id, method, params, revision: isCurrent ? CURRENT : ASSUMED }
    // MCP 2026-07-28, Transports: what a server cannot accept is an HTTP error.
    throw new McpError(kinds.invalidRequest, `\`${cut(method, LONGEST_METHOD)}\` needs an \`id\`.`)
  }
  const revision = isCurrent
    ? currentRevision(method, params, request)
    : olderRevision(method, stated === undefined ? undefined : String(stated).trim())
  return { id, method, params, revision }
}

/** MCP 2026-07-28, Transports: the headers repeat the body, so that proxies need not read it. */
function currentRevision(method: string, params: JsonObject, { headers }: HttpRequest): string {
  const meta = isJsonObject(params._meta) ? params._meta : {}
  const { [META.revision]: revision, [META.capabilities]: capabilities } = meta
  const missing = [
    ...(typeof revision === 'string' ? [] : [META.revision]),
    ...(isJsonObject(capabilities) ? [] : [META.capabilities]),
  ]
  if (typeof revision !== 'string' || missing.length > 0)
    throw new McpError(kinds.invalidEnvelope, `\`_meta\` needs ${missing.join(' and ')}.`, { missing })
  const expected: [string, string][] = [
    ['MCP-Protocol-Version', revision],
    ['Mcp-Method', method],
  ]
  if (method === 'tools/call' && typeof params.name === 'string') expected.push(['Mcp-Name', params.name])
  for (const isSent of [true, false]) {
    for (const [name, value] of expected) {
      const sent = headers[name.toLowerCase()]
      if ((sent === undefined) === isSent) continue
      const text = typeof sent === 'string' ? plain(sent.trim()) : undefined
      if (text !== value) throw new McpError(kinds.headerMismatch, `The header ${name} must repeat the body.`)
    }
    // What the body says of its revision counts before headers that it lacks.
    if (isSent && !REVISIONS.includes(revision))
      throw new McpError(kinds.unsupportedRevision, 'This revision of MCP is not served.', {
        supported: REVISIONS,
        requested: revision,
      })
  }
  return revision
}

function olderRevision(method: string, stated: string | undefined): string {
  if (method === 'initialize' || stated === undefined) return ASSUMED
  if (OLDER.includes(stated)) return stated
  throw new McpError(kinds.unsupportedRevision, 'This revision of MCP is not served.', {
    supported: REVISIONS,
    requested: stated,
  })
}

/** The text of a header that may be base64, for texts that a header cannot have. Undefined: broken base64. */
function plain(text: string): string | undefined {
  const coded = /^=\?base64\?(.*)\?=$/.exec(text)?.[1]
  if (coded === undefined) return text
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(coded)) return undefined
  return new TextDecoder().decode(Uint8Array.from(atob(coded), (letter) => letter.charCodeAt(0)))
}

/** The response repeats it. */
const MAX_ID = 256
const LONGEST_METHOD = 100
