// @module-tag long

import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningService, startService } from '../service-process.js'
import { KiB, key, MiB, rows } from './bounds-rows.js'
import { send, statusesIn } from './target.js'

// Each place of docs/bounds.md that one request can push: at its bound and at ten times the bound.

let service: RunningService
let apiKey: string
let longestLine = 0
beforeAll(async () => {
  service = await startService({
    TRUST_PROXY: '127.0.0.0/8,10.0.0.0/8',
    LOG_LEVEL: 'info',
    LOG_LIMIT: '0',
    ANONYMOUS_LIMIT: '0',
    FAILURE_LIMIT: '0',
    PROCESSOR_SHARE: '0',
    // A node with a memory leak crashes.
    NODE_OPTIONS: '--max-old-space-size=256',
  })
  apiKey = service.user('reseller-a').apiKey
  let line = ''
  service.process.stderr?.on('data', (text: string) => {
    const lines = (line + text).split('\n')
    line = lines.pop() ?? ''
    for (const each of lines) longestLine = Math.max(longestLine, each.length)
  })
})
afterAll(async () => {
  await service?.stop()
  service?.remove()
})

test.each(Object.entries(rows))('%s: bounded, and linear beyond the bound', async (_name, row) => {
  const { bound, request, at, beyond, answerBytes = 16 * KiB } = row
  const usual = await pushed(request(bound))
  const tenfold = await pushed(request(10 * bound))
  expect([usual.status, tenfold.status]).toEqual([at, beyond])
  for (const { status, text } of [usual, tenfold]) {
    const isRefused = status >= 300 || text.includes('"error"')
    if (isRefused) expect(text.length).toBeLessThan(answerBytes)
  }
  // A refused request costs next to nothing. A request that is read costs as much per byte as at the bound.
  expect(tenfold.cpuSeconds).toBeLessThan(3 * 10 * usual.cpuSeconds + 0.3)
  expect(tenfold.heapBytes).toBeLessThan(220 * MiB)
})

test('no caller input has become a label, and no log line is long', async () => {
  const { text } = await send(service.url, '/metrics')
  const labels = [...text.matchAll(/(?:operation|code|policy)="([^"]*)"/g)].map(([, label = '']) => label)
  expect(new Set(labels).size).toBeLessThan(60)
  expect(labels.filter((label) => label.length > 64 || /^(.)\1+$/.test(label) || label === 'nope')).toEqual(
    [],
  )
  expect(longestLine).toBeGreaterThan(0)
  expect(longestLine).toBeLessThanOrEqual(16 * KiB)
})

/** Sends a request, and measures the node meanwhile. */
async function pushed(request: string) {
  const before = await measured()
  const text = await exchanged(request)
  const after = await measured()
  const [status = 0] = statusesIn(text)
  return { status, text, cpuSeconds: after.cpu - before.cpu, heapBytes: after.heap }
}

async function measured(): Promise<{ readonly cpu: number; readonly heap: number }> {
  const { text } = await send(service.url, '/metrics')
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])
  return { cpu: value('process_cpu_seconds_total'), heap: value('nodejs_heap_size_used_bytes') }
}

/** Everything received until the connection ends. */
function exchanged(request: string): Promise<string> {
  const { hostname, port } = new URL(service.url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', (piece) => {
      text += piece
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
    socket.write(request.replace(key, `X-Api-Key: ${apiKey}`), 'latin1')
  })
}
