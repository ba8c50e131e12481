import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ProblemError } from '../contract/problem.js'
import { contractOf } from '../fixtures/contract.js'
import { served, serveNode } from '../fixtures/serve.js'
import { createApiOf } from '../server.js'
import type { Limits } from './api/limits.js'

const media = { type: 'text/event-stream', kind: 'events', data: 'text' } as const
const events = { Accept: 'application/json, text/event-stream' }

/** The lines of the log, and the codes that `onCall` receives, of one stream over REST and then over JSON-RPC. */
async function reported(watch: () => unknown, limits: Partial<Limits> = {}): Promise<string[]> {
  const contract = contractOf({ watch: { method: 'GET', path: '/watch', answers: [media] } })
  const lines: string[] = []
  const line = (_: object, message: string) => void lines.push(message)
  const api = createApiOf(contract, {
    handlers: { default: { watch } },
    limits,
    logger: { error: line, warn: line },
    onCall: ({ code }) => void (code !== undefined && lines.push(code)),
  })
  const server = await served(serveNode(api))
  await fetch(`http://127.0.0.1:${server.port}/watch`)
    .then((response) => response.text())
    .catch(() => {})
  await server.rpc({ jsonrpc: '2.0', id: 1, method: 'watch' }, events)
  return lines
}

const twice = (lines: readonly string[]) => [...lines, ...lines]

it('logs an event whose field has a line break, over each protocol', async () => {
  const lines = await reported(async function* () {
    yield { data: 'a' }
    yield { data: 'b', id: 'two\nlines' }
  })
  expect(lines).toEqual(twice(['A stream broke off', 'internal_error']))
})

it('logs a stream that a limit ends', async () => {
  const lines = await reported(
    async function* () {
      yield { data: 'a' }
      await sleep(100)
    },
    { streamIdleMs: 20 },
  )
  expect(lines).toEqual(
    twice(['A stream broke off: The stream had nothing to send for 20 ms.', 'unavailable']),
  )
})

it('logs a problem that ends a stream', async () => {
  const lines = await reported(async function* () {
    yield { data: 'a' }
    throw new ProblemError('not_found', { detail: 'It was removed.' })
  })
  expect(lines).toEqual(twice(['A stream broke off: It was removed.', 'not_found']))
})
