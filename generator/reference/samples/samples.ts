import { isJson } from '../../diff/facts/parts/media.js'
import { variableOf } from '../../diff/proof/calls/credentials.js'
import { curlOf, curlOfEnvelope, type Separator } from '../../diff/report/curl.js'
import type { JsonObject } from '../../document/document.js'
import { credentialHelper } from '../../model/credential-kinds.js'
import { rpcBelow } from '../../model/rpc-target.js'
import { credentials, quoted } from '../../samples/credentials.js'
import type { SentRequest } from '../../samples/sent-request.js'
import { toolAccept, toolPath } from '../../samples/tool-call.js'
import { goCall } from './go.js'
import { clientCall, fetchCall, toolCallSample } from './javascript.js'
import { neededHeaders } from './needed-headers.js'
import { pythonCall } from './python.js'
import type { SampledModel, SampledOperation, Secret, WireCall } from './wire-call.js'

/** A call in one language, for each protocol that supports it. */
export interface Sample {
  /** `curl`, `fetch`, `client`, `python`, `go`. */
  readonly id: string
  readonly language: string
  readonly rest: string | undefined
  readonly jsonrpc: string | undefined
  /** A call of the tool. Undefined if the operation is none, or the language has no sample of it. */
  readonly mcp: string | undefined
}

/**
 * @param rest the request as the typed client sends it; undefined if REST cannot represent the call
 * @param asTool the message that calls its tool; undefined if agents cannot call it
 * @param module the module of the typed client
 */
export function samplesOf(
  model: SampledModel,
  operation: SampledOperation,
  params: JsonObject,
  rest: SentRequest | undefined,
  asTool: JsonObject | undefined,
  module: string,
): Sample[] {
  const envelope: JsonObject | undefined =
    operation.rpc === false ? undefined : { jsonrpc: '2.0', id: 1, method: operation.rpc, params }
  const rpcPath = rpcBelow(model)
  const sent = credentials(model, operation, variableOf)
  const isBasic = [...sent.shown.values()].some(({ scheme }) => credentialHelper(scheme) === 'basic')
  const headers = sent.headers.filter(([name]) => !(isBasic && name === 'Authorization'))
  const shown = { headers: Object.fromEntries(headers), query: sent.query }
  const secrets = headers.map(([name, value]) => secretOf(name, value))
  const answersJson = isJsonAnswered(operation)
  const overRest =
    rest && rest.content === undefined
      ? keyed({ ...restCall(rest, secrets), isBasic, answersJson }, sent.query)
      : undefined
  const overRpc = envelope && keyed({ ...rpcCall(envelope, rpcPath, secrets), isBasic }, sent.query)
  const toMcp = asTool && rpcCall(asTool, toolPath, secrets)
  const headersToMcp = [...(toMcp?.headers ?? []), ['Accept', toolAccept] as const]
  const overMcp = toMcp && keyed({ ...toMcp, headers: headersToMcp, isBasic }, sent.query)
  const each = (id: string, language: string, write: (call: WireCall) => string): Sample => ({
    id,
    language,
    rest: overRest && write(overRest),
    jsonrpc: overRpc && write(overRpc),
    mcp: overMcp && write(overMcp),
  })
  const envelopeCurl = (message: JsonObject, path: string, credentials = shown): string =>
    laidOut((between) => curlOfEnvelope(message, credentials, between, path) + userOption(isBasic, between))
  return [
    {
      id: 'curl',
      language: 'curl',
      rest: rest && laidOut((between) => curlOfRest(rest, shown, between) + userOption(isBasic, between)),
      jsonrpc: envelope && envelopeCurl(envelope, rpcPath),
      mcp:
        asTool &&
        envelopeCurl(asTool, toolPath, { ...shown, headers: { ...shown.headers, Accept: toolAccept } }),
    },
    {
      id: 'client',
      language: 'TypeScript',
      rest: rest && !hasFile(rest) ? clientCall('rest', model, operation, params, module) : undefined,
      jsonrpc: envelope && clientCall('jsonrpc', model, operation, params, module),
      mcp: overMcp && toolCallSample(overMcp),
    },
    each('fetch', 'fetch', fetchCall),
    each('python', 'Python', pythonCall),
    each('go', 'Go', goCall),
  ]
}

function restCall(
  { method, target, headers, body }: SentRequest,
  secrets: readonly Secret[],
): Omit<WireCall, 'answersJson' | 'isBasic'> {
  const sent = sentHeaders(headers)
  const isJson = sent.some(
    ([name, value]) => name === 'Content-Type' && /^application\/(.*\+)?json/.test(value),
  )
  return {
    method,
    target,
    headers: sent,
    secrets,
    body: body === undefined ? undefined : isJson ? { json: JSON.parse(body) } : { text: body },
  }
}

function rpcCall(
  envelope: JsonObject,
  target: string,
  secrets: readonly Secret[],
): Omit<WireCall, 'isBasic'> {
  return {
    method: 'POST',
    target,
    headers: [['Content-Type', 'application/json']],
    secrets,
    body: { json: envelope },
    answersJson: true,
  }
}

function isJsonAnswered({
  rest: { status, statuses = [], emptyStatus, bare = [], answers },
}: SampledOperation): boolean {
  const isEmpty = (one: number): boolean => one === 204 || one === 205 || bare.includes(one)
  return (
    emptyStatus === undefined &&
    ![status, ...statuses].some(isEmpty) &&
    (answers ?? []).every(({ type }) => isJson(type))
  )
}

/** On one line if it is short, else each option on its own line. */
function laidOut(write: (between: Separator) => string): string {
  const line = write(' ')
  return line.length <= 60 ? line : write(' \\\n  ')
}

function curlOfRest(
  { method, target, headers, body, content }: SentRequest,
  shown: { readonly headers: Readonly<Record<string, string>>; readonly query: string },
  between: Separator,
): string {
  const request = {
    method,
    url: withQuery(target, shown.query),
    headers: Object.fromEntries([...Object.entries(shown.headers), ...sentHeaders(headers)]),
    ...(body !== undefined && { body }),
  }
  return [curlOf(request, shown, between), ...contentOptions(content)].join(between)
}

/** The params show a file as its text in base64, which the client takes over JSON-RPC alone. */
function hasFile({ content }: SentRequest): boolean {
  return content instanceof FormData
    ? [...content.values()].some((value) => typeof value !== 'string')
    : content !== undefined
}

/** Parts of a form and files, each read from a file of its name. */
function contentOptions(content: SentRequest['content']): string[] {
  if (content === undefined) return []
  if (content instanceof Blob) return [`--data-binary ${quoted(`@${nameOf(content)}`)}`]
  return Array.from(content, ([name, value]) =>
    typeof value === 'string'
      ? `--form-string ${quoted(`${name}=${value}`)}`
      : `-F ${quoted(`${name}=@${inQuotes(nameOf(value))}`)}`,
  )
}

/** A file that a reader chose, else a word to replace: forms call one without a name `blob` (XHR Standard, FormData). */
function nameOf(file: Blob): string {
  return file instanceof File && file.name !== 'blob' ? file.name : 'FILE'
}

/** A file's name for `-F` (curl, option --form): in quotes where a comma or a semicolon would end it. */
function inQuotes(name: string): string {
  return /[,;"\\]/.test(name) ? `"${name.replaceAll(/["\\]/g, '\\$&')}"` : name
}

/** A key in the query ends the target, where programs can add it. Several keys are left to the reader. */
function keyed(call: WireCall, query: string): WireCall {
  const [, name, variable] = /^([^&]*=)\$([A-Z_]+)$/.exec(query) ?? []
  return name === undefined || variable === undefined
    ? call
    : { ...call, target: withQuery(call.target, name), key: variable }
}

function withQuery(target: string, query: string): string {
  return query === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`
}

function userOption(isBasic: boolean, between: Separator): string {
  return isBasic ? `${between}-u "$API_USER:$API_PASSWORD"` : ''
}

function secretOf(header: string, value: string): Secret {
  const parts = value.split(/\$([A-Z_]+)/)
  const found = parts.map((part, index) => (index % 2 === 0 ? part : { variable: part }))
  return { header, value: found.filter((part) => part !== '') }
}

function sentHeaders(headers: SentRequest['headers']): [name: string, value: string][] {
  return Object.entries(neededHeaders(headers)).map(([name, value]) => [titled(name), value])
}

/** The usual spelling of header names: `Content-Type`. */
function titled(name: string): string {
  return name.replaceAll(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase())
}
