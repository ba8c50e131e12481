// @module-tag long

import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { dataDirectory } from '../test/service-process.js'
import { callUntilClosed } from './testing/callers.js'
import { creditOf, serve, serviceFile } from './testing/process.js'

/** Number of stops of a node under load. More stops find rare failures. */
const stops = Number(process.env.STOPS ?? 2)

/** Resolves when the port accepts no more connections. */
const closed = (url: string) =>
  expect
    .poll(() =>
      fetch(`${url}/healthz`).then(
        () => 'open',
        () => 'closed',
      ),
    )
    .toBe('closed')

describe.runIf(existsSync(serviceFile))('the service as a process that shuts down', () => {
  const data = dataDirectory()

  it('ends running calls on SIGTERM, takes no new ones, and exits with 0', async () => {
    const { url, child, ended } = await serve({ DATA_DIR: data.path })
    const apiKey = await data.keyOf('reseller-a')
    const body = JSON.stringify({ credit: 77.5 })
    // The call is in progress while its body is missing.
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let received = ''
    socket.on('data', (data) => {
      received += data
    })
    socket.write(
      `PATCH /clients/1 HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${apiKey}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 3)}`,
    )
    await delay(100)
    child.kill('SIGTERM')
    await closed(url)
    socket.write(body.slice(3))
    await once(socket, 'close')
    expect(received).toMatch(/^HTTP\/1\.1 200 /)
    expect(received).toMatch(/^connection: close\r$/im)
    expect(await ended).toEqual({ code: 0, signal: null })
    const again = await serve({ DATA_DIR: data.path })
    expect(await creditOf(again.url, apiKey, 1)).toBe(77.5)
  })

  it('resets no arrived call, with kept connections and pipelining, and exits soon', async () => {
    const calls: Record<string, number> = { lost: 0, unaccepted: 0 }
    for (let stop = 0; stop < stops; stop++) {
      const { url, child, ended } = await serve({ DATA_DIR: data.path, LOG_LEVEL: 'error' })
      const port = Number(new URL(url).port)
      const request = `GET /clients/1 HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${await data.keyOf('reseller-a')}\r\n\r\n`
      const callers = Array.from({ length: 20 }, (_, i) =>
        callUntilClosed(port, request, i % 4 === 0 ? 5 : 1, i % 3 > 0, calls),
      )
      await delay(300)
      child.kill('SIGTERM')
      expect(await ended).toEqual({ code: 0, signal: null })
      await Promise.all(callers)
    }
    const { 200: served = 0, 503: _refused, unaccepted = 0, ...rest } = calls
    expect(served).toBeGreaterThan(0)
    expect(rest).toEqual({ lost: 0 })
    // No program can empty the backlog and close it atomically, so a few in thousands may be lost.
    expect(unaccepted).toBeLessThanOrEqual(stops)
  })

  it('is unready for SHUTDOWN_DELAY, and keeps serving', async () => {
    const { url, child, ended } = await serve({ DATA_DIR: data.path, SHUTDOWN_DELAY: '1' })
    const apiKey = await data.keyOf('reseller-a')
    child.kill('SIGTERM')
    const ready = async () => (await fetch(`${url}/readyz`)).status
    await expect.poll(ready).toBe(503)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    const answer = await fetch(`${url}/clients/1`, { headers: { 'x-api-key': apiKey } })
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
    expect(await ended).toEqual({ code: 0, signal: null })
  })

  it('ends running calls on SIGHUP too', async () => {
    const { child, ended, errors } = await serve({ DATA_DIR: data.path })
    child.kill('SIGHUP')
    expect(await ended).toEqual({ code: 0, signal: null })
    expect(errors()).toContain('"msg":"stopped"')
  })

  it.each(['SIGUSR1', 'SIGUSR2'] as const)('goes on, without a debugger, on %s', async (signal) => {
    const { url, child, errors } = await serve({ DATA_DIR: data.path })
    child.kill(signal)
    await delay(300)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect(errors()).not.toContain('Debugger')
  })

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('exits at once on a second %s', async (signal, code) => {
    const { url, child, ended } = await serve({ DATA_DIR: data.path })
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    )
    await delay(100)
    child.kill(signal)
    await closed(url)
    child.kill(signal)
    expect(await ended).toEqual({ code, signal: null })
  })

  it('does not wait for calls longer than SHUTDOWN_TIMEOUT', async () => {
    const { url, child, ended } = await serve({ DATA_DIR: data.path, SHUTDOWN_TIMEOUT: '1' })
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    )
    await delay(100)
    const start = performance.now()
    child.kill('SIGTERM')
    expect(await ended).toEqual({ code: 0, signal: null })
    expect(performance.now() - start).toBeGreaterThan(900)
    // Without it calls have ten seconds.
    expect(performance.now() - start).toBeLessThan(9_500)
  })
})
