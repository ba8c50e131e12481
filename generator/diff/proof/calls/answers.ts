import type { Protocol } from 'duet-runtime'
import type { Json, JsonObject } from '../../../document/document.js'
import { isObject, parsed } from '../../../document/json.js'
import type { Model, Operation } from '../../../model/model.js'
import type { Sent } from '../../change/change.js'
import { type Shown, shown, shownBody } from './calls.js'
import type { Cause } from './causes.js'
import type { HttpResponse, Undeclared } from './exchange.js'
import type { Pair } from './pair.js'
import type { Delivery } from './reception.js'
import type { Version } from './version.js'

/**
 * Both versions respond with a result that a handler of the new one may return. `streaming`: the operations that stream
 * it, if it is a piece of a result.
 */
export async function answer(
  pair: Pair,
  result: Json,
  protocols: readonly Protocol[],
  cause: Cause,
  sent?: Sent,
  streaming?: Pair,
): Promise<Shown> {
  const isSent = streaming !== undefined
  const { old, new: fresh, before, after } = isSent ? streaming : pair
  const deliver = async (version: Version, operation: Operation): Promise<Delivery> => {
    const service = await version.service()
    return isSent ? service.stream(operation, result) : service.deliver(operation, result)
  }
  const given = await deliver(fresh, after)
  const [first] = given.violations ?? []
  if (given.violations !== undefined)
    return {
      rejects: '',
      violations: 0,
      reasons: [`the new version sends no such response: ${first?.path ?? ''} ${first?.message ?? ''}`],
    }
  const { violations } = await deliver(old, before)
  if (violations === undefined)
    return { rejects: '', violations: 0, reasons: ['both versions accept the response'] }
  const found = cause({ violations })
  const [other] = violations
  if (found === undefined)
    return {
      rejects: '',
      violations: 0,
      reasons: [`the old version rejects the response for ${other?.path ?? ''} ${other?.message ?? ''}`],
    }
  const isFailed = sent !== undefined && isFailure(sent)
  const piece = isSent
    ? undefined
    : sent?.stream && (await import('duet-runtime')).pieceText(result, { ...sent, ...sent.stream })
  const rest = piece === undefined ? given.rest : { ...given.rest, body: piece }
  const rpc = isFailed
    ? errorAnswer(fresh.model, result, statusOf(sent.status ?? 'default'))
    : piece === undefined
      ? parsed(given.jsonrpc.body)
      : { jsonrpc: '2.0', id: 1, result: piece }
  const isCalled = isFailed || piece !== undefined || after.rpc !== false
  const hasRpc = protocols.includes('jsonrpc') && isCalled && isObject(rpc)
  // If the operation also returns bytes, JSON-RPC carries texts as base64, too.
  const isKnown =
    hasRpc &&
    !isFailed &&
    !isSent &&
    piece === undefined &&
    (await old.service()).takes(before, rpc.result ?? null)
  const tool = isFailed
    ? toolFailure(result)
    : piece === undefined
      ? parsed(given.mcp?.body ?? '')
      : textOf(piece)
  const hasTool = protocols.includes('mcp') && isObject(tool)
  return shown(
    {
      rest: protocols.includes('rest')
        ? shownAnswer(rest, isSent ? sent && { ...sent, type: '*' } : sent)
        : undefined,
      jsonrpc: hasRpc && !isKnown ? rpc : undefined,
      mcp: hasTool ? tool : undefined,
    },
    new Map([['rest', found]]),
    isKnown ? ['over JSON-RPC both versions give it as base64'] : [],
    violations.length,
  )
}

/** The new version responds with a result that the old one's document does not describe. */
export async function answerUndeclared(
  { new: fresh, after }: Pair,
  result: Json,
  undeclared: Undeclared,
  type?: string,
): Promise<Shown> {
  const { rest, violations } = await (await fresh.service()).deliver(after, result, type)
  const found = violations === undefined ? undeclared(rest) : undefined
  if (found === undefined)
    return { rejects: '', violations: 0, reasons: ['the old version declares such an answer'] }
  return shown({ rest: shownAnswer(rest) }, new Map([['rest', found]]), [], 1)
}

/** Whether it is the response of a failure, not a result or a message. */
export function isFailure({ status }: Sent): boolean {
  return status !== undefined && !status.startsWith('2')
}

/**
 * JSON-RPC 2.0 section 5.1: a response whose data is a problem or a declared body. Its code is the body's, else the
 * status's.
 */
function errorAnswer({ errors }: Pick<Model, 'errors'>, data: Json, status: number): JsonObject {
  const { code, title } = isObject(data) ? data : {}
  const named = typeof code === 'string' ? errors.get(code) : undefined
  const known = named ?? [...errors.values()].find((definition) => definition.status === status)
  const error = {
    code: known?.rpc ?? internalError,
    message: known?.title ?? (typeof title === 'string' ? title : 'Internal error'),
  }
  return { jsonrpc: '2.0', id: 1, error: { ...error, data } }
}

/** The result of a tool whose operation failed (MCP, `CallToolResult`). */
function toolFailure(data: Json): JsonObject {
  const { result } = textOf(JSON.stringify(data))
  return { jsonrpc: '2.0', id: 1, result: { ...result, isError: true, structuredContent: data } }
}

function textOf(text: string) {
  return { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }] } }
}

/** JSON-RPC 2.0 section 5.1. */
const internalError = -32603

function shownAnswer({ status, headers, body }: HttpResponse, sent?: Sent): JsonObject {
  const { method, url, type: said = '*' } = sent ?? {}
  // The runtime writes one of several JSON media types.
  const type = said.includes('*') ? headers['content-type'] : said
  return {
    ...(method === undefined
      ? { status: sent?.status === undefined ? status : statusOf(sent.status) }
      : { method, ...(url !== undefined && { url }) }),
    headers: type === undefined ? {} : { 'content-type': type },
    ...(body !== '' && { body: shownBody(type, body) }),
  }
}

/** The status for an entry of a document. */
function statusOf(status: string): number {
  return status === 'default' ? 500 : Number(status.replaceAll(/x/gi, '0'))
}
