import type { ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sendPieces } from './send-pieces.js'

/** A response whose caller reads a write when it is told to. */
class Unread extends Writable {
  readonly socket = null
  readonly waiting: (() => void)[] = []
  read = 0

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    this.waiting.push(() => {
      this.read += chunk.length
      done()
    })
  }
}

/** A response under a middleware that compresses, which takes no callback. */
class Compressed extends Unread {
  override write(chunk: Uint8Array, ...others: unknown[]): boolean {
    if (others.length > 0) throw new Error('It would be dropped')
    return super.write(chunk)
  }

  override end(...given: unknown[]): this {
    if (given.length > 0) throw new Error('It would be written')
    return super.end()
  }
}

const asResponse = (unread: Unread) => unread as unknown as ServerResponse

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

async function* one(bytes: number) {
  yield new Uint8Array(bytes)
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('ends a response at the bound after its caller read last', async () => {
  const response = new Unread()
  const sent = sendPieces(one(200 * 1024), asResponse(response), 1000)
  await turn()
  vi.advanceTimersByTime(999)
  response.waiting.shift()?.()
  await turn()
  vi.advanceTimersByTime(999)
  expect(response.destroyed).toBe(false)
  vi.advanceTimersByTime(1)
  expect(response.destroyed).toBe(true)
  await sent
  expect(response.read).toBe(64 * 1024)
})

it('needs no callbacks of the response', async () => {
  const response = new Compressed()
  const sent = sendPieces(one(10), asResponse(response), 1000)
  await turn()
  response.waiting.shift()?.()
  await sent
  expect(response.read).toBe(10)
})

it('waits for the next piece as long as it takes', async () => {
  const response = new Unread()
  let next = (): void => {}
  async function* slow() {
    yield new Uint8Array(1)
    await new Promise<void>((resolve) => {
      next = resolve
    })
  }
  const sent = sendPieces(slow(), asResponse(response), 1000)
  await turn()
  response.waiting.shift()?.()
  await turn()
  vi.advanceTimersByTime(10_000)
  next()
  await sent
  expect([response.destroyed, response.read]).toEqual([true, 1])
})
