import type { IncomingMessage } from 'node:http'
import { ProblemError } from 'duet-runtime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Hasher } from '../identity/hash-line.js'
import type { Identity } from '../identity/identity.js'
import { hashMs } from '../identity/password.js'
import { credentialsIn } from '../server/credentials-in.js'
import type { RateCounts } from '../storage/tables/rate-counts.js'
import { Admission } from './admission.js'
import { processorAmount } from './policies.js'
import { createRateLimiter, type RateLimiter } from './rate-limiter.js'

/** How many hashes begin in so many milliseconds, which count in whole microseconds. */
const hashesIn = (milliseconds: number) =>
  Math.ceil(processorAmount(milliseconds) / processorAmount(hashMs()))

/** Good API keys are `bk_` and the id of their user. */
const identity = {
  async authenticate({ apiKey = '' }: { apiKey?: string }) {
    const userId = Number(/^bk_(\d+)$/.exec(apiKey)?.[1])
    if (Number.isNaN(userId)) throw new ProblemError('invalid_api_key')
    return { userId }
  },
  /** Hashes without waiting. The password `right` is right. */
  async login(_login: string, password: string, hasher?: Hasher) {
    hasher?.begin?.()
    if (password !== 'right') throw new ProblemError('invalid_credentials' as never)
    return hasher
  },
  async verify(_login: string, _password: string, hasher?: Hasher) {
    hasher?.begin?.()
  },
} as unknown as Identity

describe('the share of the processor', () => {
  let now = 0
  beforeEach(() => {
    now = 600_000
  })
  const open: RateLimiter[] = []
  afterEach(() => Promise.all(open.splice(0).map((limiter) => limiter.stop())))

  /** A node that allows a tenth of a core: one second in ten. */
  function node(counts?: RateCounts, processorShare = 10): { admission: Admission; limiter: RateLimiter } {
    const limiter = createRateLimiter({ counts, now: () => now })
    open.push(limiter)
    const admission = new Admission({
      identity,
      limiter,
      callsPerMinute: 0,
      failuresPerMinute: 2,
      anonymousPerMinute: 0,
      processorShare,
      credentialsOf: credentialsIn,
      subjectOf: ({ headers }) => String(headers['x-forwarded-for'] ?? 'here'),
      setHeaders: () => {},
      onLimited: () => {},
      onFailedSignIn: () => {},
    })
    return { admission, limiter }
  }
  const request = (headers: Record<string, string> = {}) => ({ headers }) as unknown as IncomingMessage
  const of = (user: number) => request({ 'x-api-key': `bk_${user}` })
  const authenticate = (admission: Admission, given: IncomingMessage) =>
    admission.authenticate({ apiKey: String(given.headers['x-api-key']) }, {
      request: given,
    } as unknown as Parameters<Admission['authenticate']>[1])
  const signIn = (
    admission: Admission,
    login: string,
    given: IncomingMessage,
    password = 'wrong',
  ): Promise<unknown> => admission.identity.login(login, password, given)
  const refusal = {
    code: 'rate_limited',
    detail: '1000 ms of processor time in 10 s are allowed. Try again in 11 s.',
    retryAfter: 11,
  }

  it('counts for the user, and refuses before the next body is read', async () => {
    const { admission } = node()
    const first = of(7)
    await authenticate(admission, first)
    admission.countWork(first, 999.9)
    expect(admission.enter(of(7))).toBeUndefined()
    admission.countWork(first, 0.2)
    expect(admission.enter(of(7))?.()).toMatchObject(refusal)
    expect(() => admission.admitWork(first)).toThrow(expect.objectContaining(refusal))
    await expect(authenticate(admission, of(7))).rejects.toMatchObject(refusal)
    expect(() => admission.admit({ principal: { userId: 7 }, request: first } as never)).toThrow()
    await authenticate(admission, of(8))
    expect([admission.enter(of(8)), admission.enter(request())]).toEqual([undefined, undefined])
    now += 11_000
    expect(admission.enter(of(7))).toBeUndefined()
  })

  it('counts requests that are no call for the user of a recently good key', async () => {
    const { admission } = node()
    await authenticate(admission, of(7))
    admission.countWork(of(7), 1_000)
    expect(admission.enter(of(7))).toBeDefined()
    expect(admission.enter(request())).toBeUndefined()
  })

  it('counts anonymous requests for the address, and never refuses a good key', async () => {
    const { admission } = node()
    const from = (address: string, headers = {}) => request({ 'x-forwarded-for': address, ...headers })
    const half = { code: 'rate_limited', detail: expect.stringContaining('500 ms of processor time') }
    admission.countWork(from('a', { 'x-api-key': 'bk_wrong' }), 300)
    admission.countWork(from('a'), 200)
    expect(admission.enter(from('a'))?.()).toMatchObject(half)
    expect(() => admission.admitWork(from('a'))).toThrow(expect.objectContaining({ code: 'rate_limited' }))
    expect(admission.enter(from('b'))).toBeUndefined()
    const unknown = from('a', { 'x-api-key': 'bk_7' })
    expect(admission.enter(unknown)).toBeUndefined()
    expect(() => admission.admitWork(unknown)).not.toThrow()
    await authenticate(admission, unknown)
    // Each wrong key counts as a failure of the address, and two are allowed.
    for (let i = 0; i < 2; i++) expect(admission.enter(from('a', { 'x-api-key': 'bk_no' }))).toBeUndefined()
    expect(admission.enter(from('a', { 'x-api-key': 'bk_no' }))?.()).toMatchObject(half)
    expect(admission.enter(from('a', { 'x-api-key': 'bk_7' }))).toBeUndefined()
  })

  it('is shared by all nodes', async () => {
    const amounts = new Map<string, number>()
    const counts: RateCounts = {
      async add(given) {
        return given.map(({ key, starts, amount }) => {
          expect(Number.isSafeInteger(amount)).toBe(true)
          const total = (amounts.get(`${key}@${starts}`) ?? 0) + amount
          amounts.set(`${key}@${starts}`, total)
          return { key, starts, amount: total }
        })
      },
      async forget() {},
    }
    const [one, two] = [node(counts), node(counts)]
    for (const { admission } of [one, two]) {
      const given = of(7)
      await authenticate(admission, given)
      admission.countWork(given, 600.0004)
    }
    expect(one.admission.enter(of(7))).toBeUndefined()
    for (const { limiter } of [one, two, one]) await limiter.share()
    one.admission.countWork(of(7), 0.1)
    await one.limiter.share()
    expect([one, two].map(({ admission }) => admission.enter(of(7)) === undefined)).toEqual([false, false])
  })

  it('counts each password that is tried, before it is hashed, whatever credential comes along', async () => {
    const { admission } = node()
    let logins = 0
    const hashed = async (given: () => IncomingMessage) => {
      for (let count = 0; count < 1_000; count++) {
        const error = await signIn(admission, `login ${logins++}`, given()).then(
          nothing,
          (failure) => failure,
        )
        if (error.code === 'invalid_credentials') continue
        expect(error).toMatchObject({ code: 'rate_limited', retryAfter: expect.any(Number) })
        return count
      }
      return Number.POSITIVE_INFINITY
    }
    const from = (address: string, headers = {}) => request({ 'x-forwarded-for': address, ...headers })
    expect(await hashed(() => from('a'))).toBe(hashesIn(500))
    expect(await hashed(() => from('a'))).toBe(0)
    const doubted = from('a', { 'x-api-key': 'bk_wrong' })
    expect(admission.enter(doubted)).toBeUndefined()
    expect(await hashed(() => doubted)).toBe(0)
    await expect(admission.verify(from('a'), 'login', 'password')).rejects.toMatchObject({
      code: 'rate_limited',
    })
    // A session of the administration is a credential without a user.
    const visitor = from('b', { cookie: 'x' })
    await admission.find(visitor, 'token', async () => 'session')
    expect(await hashed(() => visitor)).toBe(hashesIn(500))
    await authenticate(admission, of(7))
    expect(await hashed(() => of(7))).toBe(hashesIn(1_000))
    expect(await signIn(admission, 'login', from('c'), 'right')).toBeDefined()
  })

  it('of an address that has signed in with a login is its own for that login, and goes first', async () => {
    const { admission } = node()
    const from = (address: string) => request({ 'x-forwarded-for': address })
    const first = await signIn(admission, 'ann', from('a'), 'right')
    expect(first).toMatchObject({ subject: 'a', isKnown: false })
    const usedUp = { code: 'rate_limited' }
    admission.countWork(from('a'), 500)
    await expect(signIn(admission, 'bob', from('a'), 'right')).rejects.toMatchObject(usedUp)
    const known = await signIn(admission, 'ann', from('a'), 'right')
    expect(known).toMatchObject({ subject: expect.not.stringMatching(/^a$/), isKnown: true })
    expect(await signIn(admission, 'ann', from('b'), 'right')).toMatchObject({ isKnown: false })
    for (let count = 2; count < hashesIn(500); count++) await signIn(admission, 'ann', from('a'), 'right')
    await signIn(admission, 'ann', from('a'), 'right')
    await expect(signIn(admission, 'ann', from('a'), 'right')).rejects.toMatchObject(usedUp)
  })

  it('leaves an address its own failures of a login with which it has signed in', async () => {
    const { admission } = node()
    const from = (address: string) => request({ 'x-forwarded-for': address })
    await signIn(admission, 'ann', from('a'), 'right')
    await expect(signIn(admission, 'ann', from('b'))).rejects.toMatchObject({ code: 'invalid_credentials' })
    // One failure of a login is allowed.
    await expect(signIn(admission, 'ann', from('c'), 'right')).rejects.toMatchObject({ code: 'rate_limited' })
    expect(await signIn(admission, 'ann', from('a'), 'right')).toBeDefined()
    await expect(signIn(admission, 'ann', from('a'))).rejects.toMatchObject({ code: 'invalid_credentials' })
    await expect(signIn(admission, 'ann', from('a'), 'right')).rejects.toMatchObject({ code: 'rate_limited' })
  })

  it('is unlimited if 0', async () => {
    const { admission } = node(undefined, 0)
    await authenticate(admission, of(7))
    admission.countWork(of(7), 1e9)
    expect(admission.enter(of(7))).toBeUndefined()
  })
})

const nothing = () => undefined
