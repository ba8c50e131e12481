import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ProblemError } from '../../contract/problem.js'
import { type AnyTypes, contractOf } from '../../fixtures/contract.js'
import { serveNode, served as untilEnd } from '../../fixtures/serve.js'
import { servers } from '../../fixtures/servers.js'
import type { Limits } from '../../server/api/limits.js'
import { createApiOf } from '../../server.js'

type Watch = (params: unknown, context: { readonly signal: AbortSignal }) => AsyncGenerator<unknown>

const media = [
  ['events', { type: 'text/event-stream', kind: 'events', data: 'text' }],
  ['lines', { type: 'application/jsonl', kind: 'lines' }],
  ['bytes', { type: 'application/zip', kind: 'binary' }],
] as const

function apiOf(watch: Watch, answer: (typeof media)[number][1] = media[0][1], limits: Partial<Limits> = {}) {
  const contract = contractOf({ watch: { method: 'GET', path: '/watch', answers: [answer] } })
  const codes: unknown[] = []
  const api = createApiOf<AnyTypes, unknown, unknown, string>(contract, {
    handlers: { default: { watch } },
    limits,
    logger: false,
    onCall: ({ code }) => void codes.push(code),
  })
  return { api, codes }
}

describe.each(servers)('a stream over REST under %s', (_, serve) => {
  it.each(media)('of %s has the status of a problem before its first piece', async (_, answer) => {
    const { api, codes } = apiOf(async function* () {
      await sleep(5)
      if (codes.length === 0) throw new ProblemError('not_found', { detail: 'No such feed.' })
      yield new Uint8Array()
    }, answer)
    const server = await untilEnd(serve(api))
    const { status, json } = await server.ask('/watch')
    expect([status, json]).toMatchObject([404, { code: 'not_found', detail: 'No such feed.' }])
    expect(codes).toEqual(['not_found'])
    expect((await server.ask('/watch')).status).toBe(200)
  })

  it('runs no generator for HEAD', async () => {
    let runs = 0
    const { api } = apiOf(async function* () {
      runs += 1
      await new Promise(() => {})
    })
    const server = await untilEnd(serve(api))
    expect([(await server.ask('/watch', { method: 'HEAD' })).status, runs]).toEqual([200, 0])
  })
})

it('a stream whose first piece takes long has its headers and comments before it', async () => {
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const watch: Watch = async function* () {
    await begun
    yield { data: 'a' }
    yield { data: 'b' }
  }
  const { api } = apiOf(watch, media[0][1], { streamKeepAliveMs: 10 })
  const server = await untilEnd(serveNode(api))
  const response = await fetch(`http://127.0.0.1:${server.port}/watch`)
  const texts: string[] = []
  for await (const bytes of response.body as AsyncIterable<Uint8Array> & ReadableStream) {
    texts.push(new TextDecoder().decode(bytes))
    begin()
  }
  expect(texts.join('')).toMatch(/^(?::\n)+data: a\n\ndata: b\n\n$/)
})

it('a stream whose caller leaves before the first piece ends', async () => {
  const events: string[] = []
  const { api, codes } = apiOf(async function* (_, { signal }) {
    try {
      events.push('begun')
      await once(signal, 'abort')
      yield { data: 'late' }
    } finally {
      events.push('ended')
    }
  })
  const server = await untilEnd(serveNode(api))
  const sent = request({ port: server.port, host: '127.0.0.1', path: '/watch' })
  sent.on('error', () => {})
  sent.end()
  await expect.poll(() => events).toEqual(['begun'])
  sent.destroy()
  await expect.poll(() => events).toEqual(['begun', 'ended'])
  await expect.poll(() => codes).toEqual(['internal_error'])
})
