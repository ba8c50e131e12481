import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { type Overload, watchOverload } from './overload.js'

const requestOf = (headers: object = {}) => ({ headers }) as IncomingMessage
const responseOf = () => new EventEmitter() as ServerResponse

describe('overload', () => {
  let overload: Overload
  const enter = (request: IncomingMessage, response: ServerResponse) => {
    const why = overload.look(request)
    if (why === undefined) overload.take(request, response)
    return why
  }
  afterEach(() => overload.stop())

  it('takes as many requests as it may, and more when answers are done', () => {
    overload = watchOverload({ inFlight: 2, lagMs: 500 })
    const first = responseOf()
    expect(enter(requestOf(), first)).toBeUndefined()
    expect(enter(requestOf(), responseOf())).toBeUndefined()
    expect(enter(requestOf(), responseOf())).toBe('in_flight')
    expect(overload.inFlight).toBe(2)
    expect(overload.isHalfTaken).toBe(true)
    first.emit('close')
    expect(overload.isHalfTaken).toBe(false)
    expect(enter(requestOf(), responseOf())).toBeUndefined()
  })

  it('counts long bodies as several calls, and takes one whatever its length', () => {
    overload = watchOverload({ inFlight: 10, lagMs: 500 })
    expect(enter(requestOf({ 'content-length': '1048576' }), responseOf())).toBeUndefined()
    expect(overload.inFlight).toBe(65)
    expect(enter(requestOf(), responseOf())).toBe('in_flight')
  })

  it('counts a body of unknown length as the longest', () => {
    overload = watchOverload({ inFlight: 100, lagMs: 500 })
    enter(requestOf({ 'transfer-encoding': 'chunked' }), responseOf())
    expect(overload.inFlight).toBe(65)
  })

  it('counts a batch as the calls that it may hold, and a single call as one', () => {
    const weightOf = (length: number) => {
      const request = { ...requestOf({ 'content-length': String(length) }), method: 'POST', url: '/' }
      const response = responseOf()
      enter(request as IncomingMessage, response)
      const weight = overload.inFlight
      response.emit('close')
      return weight
    }
    overload = watchOverload({ inFlight: 1_000, lagMs: 500 })
    expect(weightOf(180)).toBe(1)
    expect(weightOf(8_000)).toBe(32)
    // No batch holds more than a hundred.
    expect(weightOf(200_000)).toBe(1 + 100 + 12)
  })

  it('lasts where no call could be taken for a second, and not through a burst', async () => {
    overload = watchOverload({ inFlight: 1, lagMs: 60_000 })
    const [burst, long] = [responseOf(), responseOf()]
    enter(requestOf(), burst)
    await delay(700)
    burst.emit('close')
    enter(requestOf(), long)
    await delay(700)
    expect(overload.isLasting).toBe(false)
    await expect.poll(() => overload.isLasting, { timeout: 5_000 }).toBe(true)
    long.emit('close')
    expect(overload.isLasting).toBe(false)
  })

  it('turns away while the event loop lags, and not for one long task', async () => {
    overload = watchOverload({ inFlight: 10, lagMs: 100 })
    await block(2_000)
    expect(overload.lagMs).toBeGreaterThan(0)
    expect(enter(requestOf(), responseOf())).toBeUndefined()
    for (let i = 0; i < 6; i++) await block(400)
    expect(enter(requestOf(), responseOf())).toBe('lag')
    await expect.poll(() => enter(requestOf(), responseOf()), { timeout: 20_000 }).toBeUndefined()
  })
})

async function block(milliseconds: number): Promise<void> {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
  await delay(1)
}
