import { createServer } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { billing } from '../fixtures/billing.js'
import { MAX_FIELDS } from './fields.js'

/**
 * The answer of a server, perhaps with its own limit, to a request with this many header lines. The last one is the
 * key.
 */
async function answerTo(
  lines: number,
  served: 'node:http' | 'Express',
  own?: number,
  head = 'GET /clients/7',
) {
  const api = billing()
  const server = createServer(served === 'node:http' ? api.node() : express().use(api.express()))
  if (own !== undefined) server.maxHeadersCount = own
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1')
  const others = 'a:1\r\n'.repeat(lines - 3)
  socket.write(`${head} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${others}X-Api-Key: good\r\n\r\n`)
  const answer = await text(socket)
  return { status: Number(answer.split(' ')[1]), body: JSON.parse(answer.split('\r\n\r\n')[1] ?? '') }
}

test.each(['node:http', 'Express'] as const)(
  `${MAX_FIELDS} header lines are read; more are 431, even where they are left out (%s)`,
  async (served) => {
    expect((await answerTo(MAX_FIELDS, served)).status).toBe(200)
    expect(await answerTo(MAX_FIELDS + 1, served)).toMatchObject({
      status: 431,
      body: { status: 431, code: 'invalid_request', detail: 'The request has too many header fields.' },
    })
    expect((await answerTo(1500, served)).status).toBe(431)
    expect((await answerTo(1500, served, undefined, 'POST /')).status).toBe(431)
  },
)

test.each([50, 64])(
  'a server that reads %d lines is refused what reaches its limit, since more may have come',
  async (own) => {
    expect((await answerTo(own - 1, 'node:http', own)).status).toBe(200)
    expect((await answerTo(own, 'node:http', own)).status).toBe(431)
    expect((await answerTo(own + 100, 'node:http', own)).status).toBe(431)
  },
)

test('a server without a limit still has this one', async () => {
  expect((await answerTo(MAX_FIELDS, 'node:http', 0)).status).toBe(200)
  expect((await answerTo(3000, 'node:http', 0)).status).toBe(431)
})
