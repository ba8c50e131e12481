import type { SecurityRequirement, SecurityScheme } from 'duet-runtime'
import type { JsonObject } from '../document/document.js'
import { fitsOneRequest } from '../model/credential-kinds.js'
import type { Model, Operation } from '../model/model.js'
import { exampleCalls } from './example-call.js'
import { type SentRequest, sentRequest } from './sent-request.js'

/**
 * Shell commands that call a mock: one operation over REST, and the same one over JSON-RPC. Takes the first
 * read operation that both protocols offer, else the first operation.
 */
export async function curlExamples(model: Model, url: string): Promise<string[]> {
  const reads = model.operations.filter(({ rest, rpc }) => rest.method === 'GET' && rpc !== false)
  const operation = reads.find(({ rest }) => rest.path.includes('{')) ?? reads[0] ?? model.operations[0]
  if (operation === undefined) return []
  const { params } = exampleCalls(model)(operation)
  const request = await sentRequest(operation, params).catch(() => undefined)
  return [
    ...(request === undefined ? [] : [restCommand(model, operation, request, url)]),
    ...(operation.rpc === false ? [] : [rpcCommand(model, operation, operation.rpc, params, url)]),
  ]
}

function restCommand(model: Model, operation: Operation, request: SentRequest, url: string): string {
  const { headers, query } = credentials(model, operation)
  const target = `${request.target}${query && `${request.target.includes('?') ? '&' : '?'}${query}`}`
  const sent = Object.entries(request.headers).filter(([name]) => name !== 'accept')
  return command([
    ...(request.method === 'GET' ? [] : ['-X', request.method]),
    ...[...headers, ...sent].flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    ...(request.body === undefined ? [] : ['-d', request.body]),
    `${url}${target}`,
  ])
}

function rpcCommand(
  model: Model,
  operation: Operation,
  method: string,
  params: JsonObject,
  url: string,
): string {
  const { headers, query } = credentials(model, operation)
  return command([
    ...[...headers, ['content-type', 'application/json']].flatMap(([name, value]) => [
      '-H',
      `${name}: ${value}`,
    ]),
    '-d',
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    `${url}${model.rpcPath}${query && `?${query}`}`,
  ])
}

/** The placeholder for a credential, from its scheme (`apiKey`, or that of an Authorization header) and its name. */
type StandIn = (scheme: string, name: string) => string

interface ShownCredentials {
  readonly headers: readonly (readonly [string, string])[]
  readonly query: string
  /** The placeholder of each credential, by scheme. */
  readonly shown: ReadonlyMap<string, { readonly scheme: SecurityScheme; readonly value: string }>
}

/** Placeholder credentials for the first alternative that a request can satisfy, if it needs any. */
export function credentials(
  { securitySchemes }: Pick<Model, 'securitySchemes'>,
  { security }: Pick<Operation, 'security'>,
  standIn: StandIn = () => 'any',
): ShownCredentials {
  const headers: (readonly [string, string])[] = []
  const query: string[] = []
  const cookies: string[] = []
  const shown = new Map<string, { scheme: SecurityScheme; value: string }>()
  const open = security.some((each) => Object.keys(each).length === 0)
  const isPossible = (each: SecurityRequirement) =>
    fitsOneRequest(Object.keys(each).flatMap((name) => securitySchemes.get(name) ?? []))
  const names = Object.keys((open ? undefined : (security.find(isPossible) ?? security[0])) ?? {})
  const keys = names.filter((name) => securitySchemes.get(name)?.type === 'apiKey')
  for (const name of names) {
    const scheme = securitySchemes.get(name)
    if (scheme?.type === 'mutualTLS' || scheme === undefined) continue
    if (scheme.type !== 'apiKey') {
      const kind = titled(scheme.type === 'http' ? scheme.scheme : 'bearer')
      const value = standIn(kind, 'Authorization')
      headers.push(['Authorization', `${kind} ${value}`])
      shown.set(name, { scheme, value })
      continue
    }
    // If a call has several keys, each needs its own variable.
    const isNamed = keys.length < 2 || /(key|token|secret)$/i.test(scheme.name)
    const value = standIn('apiKey', isNamed ? scheme.name : `${scheme.name}-Key`)
    if (scheme.in === 'query') query.push(`${encodeURIComponent(scheme.name)}=${value}`)
    else if (scheme.in === 'cookie') cookies.push(`${scheme.name}=${value}`)
    else headers.push([scheme.name, value])
    shown.set(name, { scheme, value })
  }
  if (cookies.length > 0) headers.push(['Cookie', cookies.join('; ')])
  return { headers, query: query.join('&'), shown }
}

/** The name of a scheme as RFCs write it: `Bearer`. */
function titled(scheme: string): string {
  return scheme.charAt(0).toUpperCase() + scheme.slice(1)
}

function command(words: readonly string[]): string {
  return ['curl', ...words.map(quoted)].join(' ')
}

/** A text as one word of a POSIX shell. */
export function quoted(word: string): string {
  return /^[\w:/.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
