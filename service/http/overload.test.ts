import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Overload, watchOverload } from './overload.js'
import { TrackedRequest } from './tracked-request.js'

/** The interval of samples. */
const sampleMs = 100

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

  it('accepts requests up to the bound, and more when answers end', () => {
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

  it('counts long bodies as several calls, and accepts one of any length', () => {
    overload = watchOverload({ inFlight: 10, lagMs: 500 })
    expect(enter(requestOf({ 'content-length': '1048576' }), responseOf())).toBeUndefined()
    expect(overload.inFlight).toBe(65)
    expect(enter(requestOf(), responseOf())).toBe('in_flight')
  })

  it('counts a body of unknown length as the longest until it is complete, then by its length', () => {
    const chunked = (bytes: number) => {
      const request = Object.assign(new TrackedRequest(new Socket()), { method: 'POST', url: '/' })
      request.headers['transfer-encoding'] = 'chunked'
      request.push(Buffer.alloc(bytes))
      return request
    }
    overload = watchOverload({ inFlight: 1_000, lagMs: 500 })
    const unfinished = responseOf()
    overload.take(chunked(12), unfinished)
    // A batch may have a hundred calls, and 1 MiB counts as 64 more.
    expect(overload.inFlight).toBe(165)
    unfinished.emit('close')
    const request = chunked(12)
    request.push(null)
    overload.take(request, responseOf())
    expect(overload.inFlight).toBe(1)
  })

  it('counts a batch as the calls that fit into it, and a single call as one', () => {
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
    // No batch has more than a hundred.
    expect(weightOf(200_000)).toBe(1 + 100 + 12)
  })

  describe('over time', () => {
    let now = 0
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      vi.spyOn(performance, 'now').mockImplementation(() => now)
    })
    afterEach(() => {
      vi.useRealTimers()
      vi.restoreAllMocks()
    })
    /** Runs the samples of this many milliseconds, each of them `late` milliseconds late. */
    const pass = (milliseconds: number, late = 0) => {
      for (let passed = 0; passed < milliseconds; passed += sampleMs + late) {
        now += sampleMs + late
        vi.advanceTimersToNextTimer()
      }
    }

    it('is lasting after a second without any accepted call, not after a burst', () => {
      overload = watchOverload({ inFlight: 1, lagMs: 60_000 })
      const [burst, long] = [responseOf(), responseOf()]
      enter(requestOf(), burst)
      pass(700)
      burst.emit('close')
      enter(requestOf(), long)
      pass(700)
      expect(overload.isLasting).toBe(false)
      pass(700)
      expect(overload.isLasting).toBe(true)
      long.emit('close')
      expect(overload.isLasting).toBe(false)
    })

    it('refuses calls while the event loop lags, not for one long task', () => {
      overload = watchOverload({ inFlight: 10, lagMs: 100 })
      pass(1, 2_000)
      expect(overload.lagMs).toBeGreaterThan(0)
      expect(enter(requestOf(), responseOf())).toBeUndefined()
      pass(2_400, 400)
      expect(enter(requestOf(), responseOf())).toBe('lag')
      pass(20_000)
      expect(enter(requestOf(), responseOf())).toBeUndefined()
    })
  })
})
