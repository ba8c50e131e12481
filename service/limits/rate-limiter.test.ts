import { afterEach, describe, expect, it } from 'vitest'
import type { RateCounts } from '../storage/tables/rate-counts.js'
import { createRateLimiter, type RateLimiter } from './rate-limiter.js'

const tenAMinute = { name: 'user', limit: 10, seconds: 60 }

/** Counts in memory, like a database that nodes share. */
function sharedCounts(): RateCounts {
  const amounts = new Map<string, number>()
  return {
    async add(counts) {
      return counts.map(({ key, starts, amount }) => {
        const total = (amounts.get(`${key}@${starts}`) ?? 0) + amount
        amounts.set(`${key}@${starts}`, total)
        return { key, starts, amount: total }
      })
    },
    async forget() {},
  }
}

describe('a rate limiter', () => {
  let now = 0
  const open: RateLimiter[] = []
  const limiterOf = (counts?: RateCounts, onError?: (error: unknown) => void) => {
    now = 600_000
    const limiter = createRateLimiter({ counts, now: () => now, ...(onError && { onError }) })
    open.push(limiter)
    return limiter
  }
  afterEach(() => Promise.all(open.splice(0).map((limiter) => limiter.stop())))
  const takeAll = (limiter: RateLimiter, times: number, subject = '7') =>
    Array.from({ length: times }, () => limiter.take(tenAMinute, subject).allowed).filter(Boolean).length

  it('allows as many as the limit, and returns the remainder', () => {
    const limiter = limiterOf()
    expect(limiter.take(tenAMinute, '7')).toEqual({ allowed: true, remaining: 9, seconds: 60 })
    expect(takeAll(limiter, 20)).toBe(9)
    expect(limiter.take(tenAMinute, '7')).toMatchObject({ allowed: false, remaining: 0 })
    expect(takeAll(limiter, 20, '8')).toBe(10)
  })

  it('frees places over time, and one at the announced second', () => {
    const limiter = limiterOf()
    takeAll(limiter, 10)
    now += 60_000
    // At the start of the next window all ten count, after half of it only five.
    expect(limiter.look(tenAMinute, '7')).toMatchObject({ allowed: false, seconds: 6 })
    now += 6_000
    expect(takeAll(limiter, 20)).toBe(1)
    now += 24_000
    expect(takeAll(limiter, 20)).toBe(4)
    now += 120_000
    expect(takeAll(limiter, 20)).toBe(10)
  })

  it('announces a second of the next window if this one is used up', () => {
    const limiter = limiterOf()
    now += 20_000
    takeAll(limiter, 10)
    const { seconds } = limiter.look(tenAMinute, '7')
    now += (seconds - 1) * 1000
    expect(limiter.look(tenAMinute, '7').allowed).toBe(false)
    now += 1000
    expect(limiter.look(tenAMinute, '7').allowed).toBe(true)
  })

  it('knows the counts of other nodes after sharing', async () => {
    const counts = sharedCounts()
    const one = limiterOf(counts)
    const two = limiterOf(counts)
    expect(takeAll(one, 6)).toBe(6)
    expect(takeAll(two, 1)).toBe(1)
    await one.share()
    await two.share()
    expect(takeAll(two, 20)).toBe(3)
    // `one` does not know yet what `two` has allowed since.
    expect(takeAll(one, 1)).toBe(1)
    await one.share()
    await two.share()
    await one.share()
    expect(one.look(tenAMinute, '7').allowed).toBe(true)
    one.take(tenAMinute, '7')
    await one.share()
    expect(one.look(tenAMinute, '7').allowed).toBe(false)
  })

  it('learns the previous window of other nodes with its first call', async () => {
    const counts = sharedCounts()
    const one = limiterOf(counts)
    const two = limiterOf(counts)
    now += 59_000
    takeAll(one, 10)
    await one.share()
    // After a quarter of the next window, three quarters of the ten still count.
    now += 16_000
    expect(takeAll(two, 1)).toBe(1)
    await two.share()
    expect(takeAll(two, 20)).toBe(1)
  })

  it('learns late counts of a window that is over', async () => {
    const counts = sharedCounts()
    const one = limiterOf(counts)
    const two = limiterOf(counts)
    takeAll(one, 4)
    takeAll(two, 1)
    now += 60_000
    takeAll(two, 1)
    await two.share()
    await one.share()
    now += 1_000
    takeAll(two, 1)
    await two.share()
    now += 29_000
    // Half of the five of the previous window count, and the two since then.
    expect(takeAll(two, 20)).toBe(5)
  })

  it('uses its own counts while it cannot share them, and shares them later', async () => {
    const counts = sharedCounts()
    let away = true
    const errors: unknown[] = []
    const add: RateCounts['add'] = (given) => (away ? Promise.reject(new Error('away')) : counts.add(given))
    const limiter = limiterOf({ ...counts, add }, (error) => errors.push(error))
    takeAll(limiter, 4)
    await limiter.share()
    expect(takeAll(limiter, 20)).toBe(6)
    away = false
    await limiter.share()
    expect(errors).toHaveLength(1)
    const other = createRateLimiter({ counts, now: () => now })
    open.push(other)
    other.take(tenAMinute, '7')
    await other.share()
    expect(other.look(tenAMinute, '7').allowed).toBe(false)
  })

  it('counts amounts, of which the last may exceed the limit, and shares them', async () => {
    const counts = sharedCounts()
    const one = limiterOf(counts)
    const two = limiterOf(counts)
    expect(one.take(tenAMinute, '7', 8)).toMatchObject({ allowed: true, remaining: 2 })
    expect(one.take(tenAMinute, '7', 40)).toMatchObject({ allowed: true, remaining: 0 })
    expect(one.take(tenAMinute, '7', 40)).toMatchObject({ allowed: false })
    two.take(tenAMinute, '7', 1)
    await one.share()
    await two.share()
    expect(two.look(tenAMinute, '7').allowed).toBe(false)
    // The 49 count for the rest of the next minute, so one fits after 49 of 60 seconds.
    now += 108_000
    expect(two.look(tenAMinute, '7').allowed).toBe(false)
    now += 2_000
    expect(two.look(tenAMinute, '7').allowed).toBe(true)
  })

  it('removes returned counts', () => {
    const limiter = limiterOf()
    takeAll(limiter, 10)
    limiter.giveBack(tenAMinute, '7')
    expect(takeAll(limiter, 20)).toBe(1)
  })

  it('is unlimited if the limit is 0', () => {
    const limiter = limiterOf()
    const none = { ...tenAMinute, limit: 0 }
    expect(Array.from({ length: 50 }, () => limiter.take(none, '7').allowed)).not.toContain(false)
  })

  it('keeps a bounded number of subjects', { tags: 'long' }, () => {
    const limiter = limiterOf()
    takeAll(limiter, 10, 'first')
    for (let i = 0; i < 100_000; i++) limiter.take(tenAMinute, `made-up-${i}`)
    expect(limiter.look(tenAMinute, 'first').allowed).toBe(true)
  })
})
