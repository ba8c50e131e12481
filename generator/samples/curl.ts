import type { JsonObject } from '../document/document.js'
import type { Model, Operation } from '../model/model.js'
import { rpcTarget } from '../model/rpc-target.js'
import { credentials, quoted } from './credentials.js'
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
    `${new URL(url).origin}${rpcTarget(model)}${query && `?${query}`}`,
  ])
}

function command(words: readonly string[]): string {
  return ['curl', ...words.map(quoted)].join(' ')
}
