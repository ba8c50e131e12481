import type { Protocol } from 'duet-runtime'
import type { Json, JsonObject } from '../../../document/document.js'
import { parsed } from '../../../document/json.js'
import { toolMode } from '../../../mcp/tool-mode.js'
import type { Operation } from '../../../model/model.js'
import { rpcTarget } from '../../../model/rpc-target.js'
import { toolCall, toolPath } from '../../../samples/tool-call.js'
import type { Credentials, NewAddress } from '../../change/change.js'
import { protocols as allProtocols, protocolNames, whereOneAddress } from '../../change/protocol.js'
import { isJson } from '../../facts/parts/media.js'
import { shapeOf } from '../../pairing/pairing.js'
import { shortly } from '../../texts/shortly.js'
import { type Arrival, arrivesOtherwise } from './arrival.js'
import { type Cause, textOf } from './causes.js'
import { credentialsOf, withCredentials } from './credentials.js'
import type { HttpRequest } from './exchange.js'
import type { Pair } from './pair.js'
import { posted, type Reception, rpcRequest } from './reception.js'
import { type Refusal, refusalOf } from './refusal.js'
import type { Service } from './service.js'

/** What a value shows: the protocols in which the versions differ, and the reasons why others do not. */
export interface Shown {
  readonly rest?: JsonObject
  readonly jsonrpc?: JsonObject
  readonly mcp?: JsonObject
  readonly credentials?: Credentials
  /** The path of the old version's base URL, with which addresses begin. */
  readonly basePath?: string
  /** The path that receives the envelope, if that is not the service's root. */
  readonly jsonrpcPath?: string
  /** The path that receives a call of a tool. */
  readonly mcpPath?: string
  readonly newAddress?: NewAddress
  /** What the rejecting version says. */
  readonly rejects: string
  /** The number of its violations, including those of other changes. */
  readonly violations: number
  readonly reasons: readonly string[]
  /** Whether both versions accept the call, but read different values from it. */
  readonly isReadOtherwise?: boolean
}

/** A response of another operation in the new version that the called one never gave. Undefined if none is known. */
export type NewResponse = (taker: string) => Json | undefined

/** Sends a call with these params to both versions, as a caller of the old version does. */
export async function call(
  pair: Pair,
  params: JsonObject,
  protocols: readonly Protocol[],
  cause: Cause,
  arrival?: Arrival,
  newAnswer?: NewResponse,
): Promise<Shown> {
  const { before } = pair
  const reasons: string[] = []
  const refusals = new Map<Protocol, string>()
  const newAddress: { [protocol in Protocol]?: string } = {}
  let violations = 0
  let isReadOtherwise = false
  const send = async (
    protocol: Protocol,
    request: HttpRequest,
    newUrl: string,
    ask: (service: Service, request: HttpRequest) => Promise<Reception>,
  ): Promise<boolean> => {
    const named = protocolNames[protocol]
    const old = await ask(await pair.old.service(), withCredentials(pair, request))
    if (old.reached !== before.name) {
      reasons.push(`the old version rejects it over ${named}: ${textOf(refusalBy(old, before))}`)
      return false
    }
    const fresh = await ask(await pair.new.service(), withCredentials(pair, { ...request, url: newUrl }))
    if (fresh.reached === pair.after.name) {
      const other = arrival && arrivesOtherwise(arrival, protocol, [old.params, fresh.params])
      isReadOtherwise ||= other !== undefined
      reasons.push(
        other === undefined
          ? `both versions accept it over ${named}`
          : `over ${named} the new version ${other}`,
      )
      return false
    }
    const refusal = refusalBy(await spoken(fresh, request, newUrl), pair.after)
    // What a REST operation returns to JSON-RPC callers is never a response that they know.
    const isAnswered = fresh.reached !== undefined && pair.keeps !== 'path of JSON-RPC'
    const other = isAnswered && refusal.taker !== undefined ? newAnswer?.(refusal.taker) : undefined
    const isKnown = isAnswered && other === undefined
    const found = isKnown ? undefined : cause(refusal)
    if (isKnown)
      reasons.push(`over ${named} ${textOf(refusal)}, and no response was found that callers do not know`)
    else if (found === undefined)
      reasons.push(`over ${named} the new version already says ${textOf(refusal)}`)
    else {
      refusals.set(protocol, other === undefined ? found : `${found} and answers ${shortly(other)}`)
      violations += refusal.violations.length
    }
    return found !== undefined
  }
  /** A refusal with its reason: the answer to a HEAD has no body. */
  const spoken = async (silent: Reception, request: HttpRequest, url: string): Promise<Reception> => {
    if (request.method !== 'HEAD' || silent.reached !== undefined) return silent
    const service = await pair.new.service()
    const sent = withCredentials(pair, { ...request, url, method: 'GET' })
    for (const other of [await service.receiveAsGet(sent), await service.receive(sent)])
      if (other.answer.status === silent.answer.status) return other
    return silent
  }
  let rest: JsonObject | undefined
  if (protocols.includes('rest')) {
    const isRouted = before.routed && pair.after.routed
    const { restRequest } = await import('./request.js')
    const target = isRouted
      ? await restRequest(before, params)
      : 'requests over REST reach another operation, whose path matches them, too'
    if (typeof target === 'string') reasons.push(target)
    else {
      const written = pair.hasBareCommas === true ? withBareCommas(target) : target
      const request = { ...written, url: pair.old.model.basePath + written.url }
      const newUrl = newBasePath(pair, 'rest') + written.url
      if (await send('rest', request, newUrl, (service, sent) => service.receive(sent))) {
        rest = shownRequest(pair, request)
        if (newUrl !== request.url) newAddress.rest = withCredentials(pair, { ...request, url: newUrl }).url
      }
    }
  }
  let jsonrpc: JsonObject | undefined
  const { rpc } = before
  if (protocols.includes('jsonrpc') && rpc !== false) {
    const request = rpcRequest(rpc, params, rpcTarget(pair.old.model))
    const { rpcPath } = pair.keeps === 'path of JSON-RPC' ? pair.old.model : pair.new.model
    const newUrl = rpcTarget({ basePath: newBasePath(pair, 'jsonrpc'), rpcPath })
    const isShown = await send('jsonrpc', request, newUrl, (service, sent) => service.called(rpc, sent))
    if (isShown) jsonrpc = JSON.parse(request.body)
    if (isShown && newUrl !== request.url) newAddress.jsonrpc = newUrl
  }
  const asTool = protocols.includes('mcp') ? toolCall(before, params, toolMode(pair.old.model)) : undefined
  let mcp: JsonObject | undefined
  const mcpPath = pair.old.model.basePath + toolPath
  if (asTool !== undefined) {
    const newUrl = newBasePath(pair, 'mcp') + toolPath
    const ask = (service: Service, sent: HttpRequest): Promise<Reception> =>
      service.calledAsTool(before.tool?.name ?? '', sent)
    if (await send('mcp', posted(asTool, mcpPath), newUrl, ask)) {
      mcp = asTool
      if (newUrl !== mcpPath) newAddress.mcp = newUrl
    }
  }
  const { basePath } = pair.old.model
  const rpcAddress = rpcTarget(pair.old.model)
  const sent = credentialsOf(pair)
  const isSecured = sent.query !== '' || Object.keys(sent.headers).length > 0
  return {
    ...shown({ rest, jsonrpc, mcp }, refusals, reasons, violations),
    isReadOtherwise,
    ...(basePath !== '' && { basePath }),
    ...(jsonrpc !== undefined && rpcAddress !== '/' && { jsonrpcPath: rpcAddress }),
    ...(mcp !== undefined && { mcpPath }),
    ...(Object.keys(newAddress).length > 0 && { newAddress }),
    ...(isSecured && { credentials: sent }),
  }
}

/** Commas as they are in the URL, the cookies and a form. */
function withBareCommas({ url, headers, body, ...request }: HttpRequest): HttpRequest {
  const bare = (text: string): string => text.replaceAll('%2C', ',')
  const { cookie } = headers
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
  return {
    ...request,
    url: bare(url),
    headers: cookie === undefined ? headers : { ...headers, cookie: bare(cookie) },
    ...(body !== undefined && { body: isForm ? bare(body) : body }),
  }
}

/**
 * The base path of a call in the new version. A base path that moves with everything below it is a change of its own:
 * other changes are shown to callers who follow it. If the path itself changed, the call keeps its URL.
 */
function newBasePath({ old, new: fresh, before, after, keeps }: Pair, protocol: Protocol): string {
  const follows = whereOneAddress.includes(protocol) || shapeOf(before.rest.path) === shapeOf(after.rest.path)
  return follows && keeps !== 'base path' ? fresh.model.basePath : old.model.basePath
}

/** The intended operation refuses a call that another operation takes. */
function refusalBy({ taker, answer }: Reception, { name }: Operation): Refusal {
  return { ...refusalOf(answer), taker: taker === name ? undefined : taker }
}

/** What a value shows, with the texts of its refusals. */
export function shown(
  calls: { readonly [protocol in Protocol]?: JsonObject | undefined },
  refusals: ReadonlyMap<Protocol, string>,
  reasons: readonly string[],
  violations: number,
): Shown {
  const texts = new Set(refusals.values())
  const found = Object.fromEntries(
    allProtocols.flatMap((protocol) => (calls[protocol] === undefined ? [] : [[protocol, calls[protocol]]])),
  )
  // Protocols that refuse in the same words share them.
  const each = Array.from(texts, (text) => {
    const names = [...refusals].flatMap(([protocol, own]) => (own === text ? [protocolNames[protocol]] : []))
    return `${text} (${names.join(', ')})`
  })
  return {
    ...found,
    rejects: `rejects: ${texts.size === 1 ? [...texts].join() : each.join(', ')}`,
    violations,
    reasons,
  }
}

function shownRequest(pair: Pair, request: HttpRequest): JsonObject {
  const { method, url, headers, body } = withCredentials(pair, request)
  return {
    method,
    url,
    headers,
    ...(body !== undefined && { body: shownBody(headers['content-type'], body) }),
  }
}

/** The value of a JSON body. The text of any other body. */
export function shownBody(type: string | undefined, text: string): Json {
  const value = type !== undefined && isJson(type) ? parsed(text) : undefined
  return value === undefined ? text : value
}
