import { expect } from 'vitest'
import type { Change, Proof } from '../../generator/diff/change/change.js'
import { isJson } from '../../generator/diff/facts/parts/media.js'
import type { JsonObject } from '../../generator/document/document.js'
import type { Served } from './served.js'

type Verified = Extract<Proof, { status: 'verified' }>

/** Sends the call of a proof to both versions, or has both give its answer, and expects the verdicts that it names. */
export async function rerun(change: Change, old: Served, fresh: Served): Promise<void> {
  const { proof } = change
  if (proof.status !== 'verified') throw new Error('There is no proof to run')
  expect(proof.rest ?? proof.jsonrpc, 'a request or an answer').toBeDefined()
  if (change.direction === 'response') await answers(change, proof, old, fresh)
  else await calls(change, proof, old, fresh)
}

async function calls(change: Change, { rest, jsonrpc, ...proof }: Verified, old: Served, fresh: Served) {
  expect(proof.old).toBe('accepts')
  for (const [protocol, request, newAddress] of [
    ['REST', rest, proof.newAddress?.rest],
    ['JSON-RPC', jsonrpc && { ...asHttp(jsonrpc), url: proof.jsonrpcPath ?? '/' }, proof.newAddress?.jsonrpc],
  ] as const) {
    if (request === undefined) continue
    const moved = newAddress === undefined ? request : { ...request, url: newAddress }
    const [accepted, refused] = [await send(old, request), await send(fresh, moved)]
    expect(accepted.reached, `${change.id} by the old version`).toHaveLength(1)
    expect(refused.reached, `${change.id} by the new version`).toEqual([])
    const { text } = refused
    expect(messagesOf(text)).toContain(claimOf(proof.new, protocol))
  }
}

/** What a proof says of one protocol. */
export function claimOf(text: string, protocol: string): string {
  const said = text.replace(/^rejects: /, '')
  const each = said.matchAll(/(.*?) \(((?:(?:REST|JSON-RPC|MCP)(?:, )?)+)\)(?:, |$)/gs)
  const own = [...each].find(([, , protocols = '']) => protocols.split(', ').includes(protocol))
  return own?.[1] ?? said
}

/** Of the violations in a problem, whichever the protocol. */
function messagesOf(text: string): string[] {
  const { error, ...problem } = JSON.parse(text)
  const errors: { path: string; message: string }[] = (error?.data ?? problem).errors ?? []
  return errors.map(({ path, message }) => `${path} ${message}`.trim())
}

async function answers(
  change: Change,
  { value, rest, jsonrpc, ...proof }: Verified,
  old: Served,
  fresh: Served,
) {
  expect(proof.new).toBe('accepts')
  const name = change.operation ?? ''
  for (const version of [old, fresh]) version.results.set(name, value)
  const path = fresh.model.operations.find((operation) => operation.name === name)?.rest.path ?? ''
  const get = { method: 'GET', url: path, headers: {} }
  if (rest !== undefined) {
    const given = await send(fresh, get)
    expect({ status: given.status, body: JSON.parse(given.text) }).toEqual({
      status: rest.status,
      body: rest.body,
    })
    expect((await send(old, get)).status).toBe(500)
  }
  if (jsonrpc !== undefined) {
    const call = asHttp({ jsonrpc: '2.0', id: 1, method: name, params: {} })
    expect(JSON.parse((await send(fresh, call)).text)).toEqual(jsonrpc)
    expect(JSON.parse((await send(old, call)).text).error.code).toBe(-32603)
  }
}

function asHttp(envelope: JsonObject): JsonObject {
  return { method: 'POST', url: '/', headers: { 'content-type': 'application/json' }, body: envelope }
}

interface Received {
  readonly status: number
  readonly text: string
  /** Names of the operations whose handlers it called. */
  readonly reached: readonly string[]
}

async function send({ url, reached }: Served, request: JsonObject): Promise<Received> {
  const { body } = request
  const headers = request.headers as Record<string, string>
  reached.length = 0
  const response = await fetch(url + String(request.url), {
    method: String(request.method),
    headers,
    ...(body !== undefined && {
      body: isJson(headers['content-type'] ?? '') ? JSON.stringify(body) : String(body),
    }),
  })
  return { status: response.status, text: await response.text(), reached: [...reached] }
}
