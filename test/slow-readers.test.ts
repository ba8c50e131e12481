// @module-tag long

import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { contractOf } from '../generator/mock/contract.js'
import { serveNode } from '../runtime/fixtures/serve.js'
import { createApiOf } from '../runtime/index.js'
import { generate } from './scenarios/scenario.js'

const document = `openapi: 3.2.0
paths:
  /news:
    get:
      operationId: news.watch
      x-mcp: true
      responses:
        '200':
          description: Events
          content:
            text/event-stream:
              itemSchema: { type: object, required: [data], properties: { data: { type: string } } }
`

const post = (path: string, method: string, params: object, more = '') => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`
}

it.each([
  ['REST', 'GET /news HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
  ['JSON-RPC', post('/', 'news.watch', {})],
  [
    'MCP',
    post(
      '/mcp',
      'tools/call',
      { name: 'news_watch', _meta: { progressToken: 1 } },
      'MCP-Protocol-Version: 2025-11-25\r\n',
    ),
  ],
])('a caller over %s that does not read holds the handler back, and is closed', async (_, request) => {
  const { files } = await generate(document)
  let sent = 0
  let ended = (): void => {}
  const over = new Promise<void>((resolve) => {
    ended = resolve
  })
  async function* watch() {
    try {
      for (;;) {
        sent += 1
        yield { data: 'x'.repeat(1000) }
      }
    } finally {
      ended()
    }
  }
  const limits = { streamStallMs: 200, answerBytes: 1024 * 1024 * 1024 }
  const api = createApiOf(await contractOf(files), { handlers: { news: { watch } }, limits, logger: false })
  const { port, close } = await serveNode(api)
  onTestFinished(close)
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(request)
  socket.pause()
  await over
  // What the kernel and the streams hold: some megabytes, not an endless stream.
  expect(sent).toBeGreaterThan(16)
  expect(sent).toBeLessThan(50_000)
})
