import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Credential } from './client-auth.js'
import { type IssuedToken, renewingToken } from './token.js'

const ask = async (auth: Credential, refused?: string) => await auth.text(refused)

describe('a token', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Counts the requests for tokens and names tokens after them: o1, o2, r1. */
  function issuer(life: number, margin?: number) {
    const asked = { obtain: 0, renew: 0, renewed: '', isRenewing: true, isObtaining: true }
    const issue = (token: string): IssuedToken => ({ token, expiresAt: Date.now() + life })
    const auth = renewingToken({
      margin,
      obtain: async () => {
        asked.obtain += 1
        if (!asked.isObtaining) throw new Error('no token for you')
        return issue(`o${asked.obtain}`)
      },
      renew: async (token) => {
        asked.renew += 1
        asked.renewed = token
        if (!asked.isRenewing) throw new Error('no renewal')
        return issue(`r${asked.renew}`)
      },
    })
    return { asked, auth }
  }
  const settle = () => vi.advanceTimersByTimeAsync(0)

  test('is obtained once for concurrent calls', async () => {
    const { asked, auth } = issuer(3_600_000)
    expect(await Promise.all([ask(auth), ask(auth), ask(auth)])).toEqual(['o1', 'o1', 'o1'])
    expect(await ask(auth)).toBe('o1')
    expect(asked.obtain).toBe(1)
  })

  test('is renewed once from 60 s before its expiry, while calls use the old one', async () => {
    const { asked, auth } = issuer(3_600_000)
    await ask(auth)
    vi.advanceTimersByTime(3_600_000 - 60_001)
    expect(await ask(auth)).toBe('o1')
    expect(asked.renew).toBe(0)
    vi.advanceTimersByTime(1)
    expect(await Promise.all([ask(auth), ask(auth)])).toEqual(['o1', 'o1'])
    await settle()
    expect(await ask(auth)).toBe('r1')
    expect(asked).toMatchObject({ obtain: 1, renew: 1, renewed: 'o1' })
  })

  test('of a short lifetime is renewed in its last tenth', async () => {
    const { asked, auth } = issuer(10_000)
    await ask(auth)
    vi.advanceTimersByTime(8999)
    await ask(auth)
    expect(asked.renew).toBe(0)
    vi.advanceTimersByTime(1)
    await ask(auth)
    expect(asked.renew).toBe(1)
  })

  test('is renewed as early as the margin says, at most at half of its lifetime', async () => {
    for (const [margin, due] of [
      [3000, 7000],
      [9000, 5000],
    ] as const) {
      const { asked, auth } = issuer(10_000, margin)
      await ask(auth)
      vi.advanceTimersByTime(due - 1)
      await ask(auth)
      expect(asked.renew).toBe(0)
      vi.advanceTimersByTime(1)
      await ask(auth)
      expect(asked.renew).toBe(1)
    }
  })

  test('that has expired is obtained anew, not renewed', async () => {
    const { asked, auth } = issuer(40_000)
    await ask(auth)
    vi.advanceTimersByTime(40_000)
    expect(await ask(auth)).toBe('o2')
    expect(asked.renew).toBe(0)
  })

  test.each([-3_600_000, 0, 1])(
    'that seems to end %i ms after it came, the clock being ahead, serves for 30 s unless it is refused',
    async (life) => {
      const { asked, auth } = issuer(life)
      asked.isRenewing = false
      for (let call = 0; call < 5; call += 1) {
        expect(await ask(auth)).toBe('o1')
        await settle()
        vi.advanceTimersByTime(100)
      }
      expect(asked).toMatchObject({ obtain: 1, renew: 0 })
      expect(await ask(auth, 'o1')).toBe('o2')
      vi.advanceTimersByTime(30_000)
      expect(await ask(auth)).toBe('o3')
    },
  )

  test('whose renewal fails is obtained anew', async () => {
    const { asked, auth } = issuer(10_000)
    asked.isRenewing = false
    await ask(auth)
    vi.advanceTimersByTime(9500)
    expect(await ask(auth)).toBe('o1')
    await settle()
    expect(await ask(auth)).toBe('o2')
    expect(asked).toMatchObject({ obtain: 2, renew: 1 })
  })

  test('stays in use if no newer one is available; renewal is tried at most once a second', async () => {
    const { asked, auth } = issuer(100_000)
    await ask(auth)
    asked.isRenewing = false
    asked.isObtaining = false
    vi.advanceTimersByTime(95_000)
    for (let call = 0; call < 5; call += 1) {
      expect(await ask(auth)).toBe('o1')
      await settle()
    }
    expect(asked.renew).toBe(1)
    vi.advanceTimersByTime(1000)
    await ask(auth)
    await settle()
    expect(asked.renew).toBe(2)
  })

  test('that cannot be obtained fails the waiting calls; the next call tries again', async () => {
    const { asked, auth } = issuer(10_000)
    asked.isObtaining = false
    const results = await Promise.allSettled([ask(auth), ask(auth)])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    asked.isObtaining = true
    expect(await ask(auth)).toBe('o2')
  })

  test('that was refused is obtained anew once, for any number of calls', async () => {
    const { asked, auth } = issuer(3_600_000)
    await ask(auth)
    const next = ask(auth, 'o1')
    expect(await ask(auth, 'o1')).toBe('o2')
    expect(await next).toBe('o2')
    expect(await ask(auth, 'o1')).toBe('o2')
    expect(await ask(auth)).toBe('o2')
    expect(asked).toMatchObject({ obtain: 2, renew: 0 })
  })

  test.each([
    ['a datetime', '2026-01-01T01:00:00+01:00'],
    ['seconds', 1_767_225_600],
    ['milliseconds', 1_767_225_600_000],
    ['a Date', new Date('2026-01-01T00:00:00Z')],
  ])('may have its expiry as %s', async (_, expiresAt) => {
    vi.setSystemTime(new Date('2025-12-31T23:00:00Z'))
    let obtained = 0
    const auth = renewingToken({
      obtain: async () => {
        obtained += 1
        return { token: 't', expiresAt }
      },
    })
    await ask(auth)
    vi.setSystemTime(new Date('2025-12-31T23:58:59Z'))
    await ask(auth)
    expect(obtained).toBe(1)
    vi.setSystemTime(new Date('2026-01-01T00:00:00Z'))
    await ask(auth)
    expect(obtained).toBe(2)
  })

  test('with an invalid expiry is refused', async () => {
    const auth = renewingToken({ obtain: async () => ({ token: 't', expiresAt: 'soon' }) })
    await expect(ask(auth)).rejects.toThrow('expiresAt of the token is not a time: soon')
  })
})
