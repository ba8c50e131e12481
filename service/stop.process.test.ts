import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { creditOf, dataDirectory, serve, serviceFile } from './testing/process.js'

describe.runIf(existsSync(serviceFile))('the service as a process that is to end', () => {
  const data = dataDirectory()

  it('ends running calls on SIGTERM, takes no new ones, and exits with 0', async () => {
    const { url, child, ended } = await serve({ DATA_DIR: data.path })
    const apiKey = await data.keyOf('reseller-a')
    const body = JSON.stringify({ credit: 77.5 })
    // The call is under way while its body is still to come.
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let received = ''
    socket.on('data', (data) => {
      received += data
    })
    socket.write(
      `PATCH /clients/1 HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${apiKey}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 3)}`,
    )
    await delay(100)
    child.kill('SIGTERM')
    await delay(100)
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
    socket.write(body.slice(3))
    await once(socket, 'close')
    expect(received).toMatch(/^HTTP\/1\.1 200 /)
    expect(received).toMatch(/^connection: close\r$/im)
    expect(await ended).toEqual({ code: 0, signal: null })
    const again = await serve({ DATA_DIR: data.path })
    expect(await creditOf(again.url, apiKey, 1)).toBe(77.5)
  })

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('exits at once on a second %s', async (signal, code) => {
    const { url, child, ended } = await serve({ DATA_DIR: data.path })
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{')
    await delay(100)
    child.kill(signal)
    await delay(100)
    child.kill(signal)
    expect(await ended).toEqual({ code, signal: null })
  })

  it('does not wait for calls longer than SHUTDOWN_TIMEOUT', async () => {
    const { url, child, ended } = await serve({ DATA_DIR: data.path, SHUTDOWN_TIMEOUT: '1' })
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{')
    await delay(100)
    const start = performance.now()
    child.kill('SIGTERM')
    expect(await ended).toEqual({ code: 0, signal: null })
    expect(performance.now() - start).toBeGreaterThan(900)
    expect(performance.now() - start).toBeLessThan(4_000)
  })
})
