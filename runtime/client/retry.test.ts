import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { ApiError, TransportError } from './client-error.js'
import { retryAfter, retryDelay } from './retry.js'

const network = new TransportError('network', 'gone', { operation: 'x' })

function answered(status: number, retryAfterMs?: number): ApiError {
  const problem = { type: 'urn:problem-type:x', title: 'X', status, code: 'x' }
  return new ApiError(problem, { operation: 'x', retryAfterMs })
}

test('Retry-After is read as seconds', () => {
  expect(retryAfter('120', 0)).toBe(120_000)
  expect(retryAfter(' 0 ', 0)).toBe(0)
})

test('reads Retry-After as an HTTP-date; one in the past means no wait', () => {
  // RFC 9110 section 10.2.3 uses this date as its example.
  const at = Date.UTC(1999, 11, 31, 23, 59, 59)
  expect(retryAfter('Fri, 31 Dec 1999 23:59:59 GMT', at - 1500)).toBe(1500)
  expect(retryAfter('Fri, 31 Dec 1999 23:59:59 GMT', at + 1500)).toBe(0)
})

test('ignores any other Retry-After', () => {
  for (const text of [null, '', '-1', '1.5', 'soon', '1999-12-31', 'Fri, 99 Foo 1999 23:59:59 GMT']) {
    expect(retryAfter(text, 0)).toBeUndefined()
  }
})

test('the wait is random below a bound that doubles from the base up to the cap', () => {
  fc.assert(
    fc.property(fc.nat(19), (retried) => {
      const delay = retryDelay(network, retried, { retries: 20 }) ?? -1
      expect(delay).toBeGreaterThanOrEqual(0)
      expect(delay).toBeLessThanOrEqual([200, 400, 800, 1600, 3200][retried] ?? 5000)
    }),
  )
  const delays = new Set(Array.from({ length: 20 }, () => retryDelay(network, 0, {})))
  expect(delays.size).toBeGreaterThan(1)
})

test('the bound is 200 ms, 400 ms, 800 ms and so on up to 5 s', () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const delays = [0, 1, 2, 3, 4, 5, 6].map((retried) => retryDelay(network, retried, { retries: 20 }))
  random.mockRestore()
  expect(delays).toEqual([100, 200, 400, 800, 1600, 2500, 2500])
})

test('retries twice by default', () => {
  expect(retryDelay(network, 1, {})).toBeDefined()
  expect(retryDelay(network, 2, {})).toBeUndefined()
  expect(retryDelay(network, 0, { retries: 0 })).toBeUndefined()
})

test('waits as long as the service asks, up to the cap', () => {
  expect(retryDelay(answered(503, 30_000), 0, {})).toBe(30_000)
  expect(retryDelay(answered(503, 30_001), 0, {})).toBeUndefined()
  expect(retryDelay(answered(503, 2000), 0, { maxRetryAfter: 1000 })).toBeUndefined()
})

test('429, 502, 503 and 504 are transient, other statuses are not', () => {
  for (const status of [429, 502, 503, 504]) expect(retryDelay(answered(status), 0, {})).toBeDefined()
  for (const status of [400, 401, 404, 409, 500, 501])
    expect(retryDelay(answered(status), 0, {})).toBeUndefined()
})

test('a lost connection and a timeout are transient; an abort, a malformed response and a bug are not', () => {
  const failure = (reason: 'timeout' | 'aborted' | 'unexpected_response', status?: number) =>
    new TransportError(reason, 'x', { operation: 'x', status })
  expect(retryDelay(network, 0, {})).toBeDefined()
  expect(retryDelay(failure('timeout'), 0, {})).toBeDefined()
  expect(retryDelay(failure('unexpected_response', 502), 0, {})).toBeDefined()
  expect(retryDelay(failure('unexpected_response', 200), 0, {})).toBeUndefined()
  expect(retryDelay(failure('aborted'), 0, {})).toBeUndefined()
  expect(retryDelay(new TypeError('x'), 0, {})).toBeUndefined()
})
