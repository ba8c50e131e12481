import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { jsonrpc } from '../jsonrpc/transport.js'
import { rest } from '../rest/transport.js'
import { builtInErrors } from './catalogue.js'
import { createClientOf } from './client.js'
import type { Auth } from './client-auth.js'
import type { CallOptions } from './client-options.js'
import type { Operation } from './operation.js'
import { type IssuedToken, renewingToken } from './token.js'

const ask = async (auth: Auth) => (await auth.headers({ operations: [] })).Authorization

describe('a token', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Counts what is asked; tokens are named after it: o1, o2, r1. */
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

  test('is obtained once for calls at the same time', async () => {
    const { asked, auth } = issuer(3_600_000)
    expect(await Promise.all([ask(auth), ask(auth), ask(auth)])).toEqual([
      'Bearer o1',
      'Bearer o1',
      'Bearer o1',
    ])
    expect(await ask(auth)).toBe('Bearer o1')
    expect(asked.obtain).toBe(1)
  })

  test('is renewed from 60 s before its end, once, while the old one serves', async () => {
    const { asked, auth } = issuer(3_600_000)
    await ask(auth)
    vi.advanceTimersByTime(3_600_000 - 60_001)
    expect(await ask(auth)).toBe('Bearer o1')
    expect(asked.renew).toBe(0)
    vi.advanceTimersByTime(1)
    expect(await Promise.all([ask(auth), ask(auth)])).toEqual(['Bearer o1', 'Bearer o1'])
    await settle()
    expect(await ask(auth)).toBe('Bearer r1')
    expect(asked).toMatchObject({ obtain: 1, renew: 1, renewed: 'o1' })
  })

  test('of a short life is renewed in the last tenth of it', async () => {
    const { asked, auth } = issuer(10_000)
    await ask(auth)
    vi.advanceTimersByTime(8999)
    await ask(auth)
    expect(asked.renew).toBe(0)
    vi.advanceTimersByTime(1)
    await ask(auth)
    expect(asked.renew).toBe(1)
  })

  test('is renewed as early as the margin says, at most at half of its life', async () => {
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

  test('that has ended is obtained anew, not renewed', async () => {
    const { asked, auth } = issuer(40_000)
    await ask(auth)
    vi.advanceTimersByTime(40_000)
    expect(await ask(auth)).toBe('Bearer o2')
    expect(asked.renew).toBe(0)
  })

  test.each([-3_600_000, 0, 1])(
    'that seems to end %i ms after it came, the clock being ahead, serves for 30 s unless it is refused',
    async (life) => {
      const { asked, auth } = issuer(life)
      asked.isRenewing = false
      for (let call = 0; call < 5; call += 1) {
        expect(await ask(auth)).toBe('Bearer o1')
        await settle()
        vi.advanceTimersByTime(100)
      }
      expect(asked).toMatchObject({ obtain: 1, renew: 0 })
      expect(auth.refused?.(await auth.headers({ operations: [] }))).toBe(true)
      expect(await ask(auth)).toBe('Bearer o2')
      vi.advanceTimersByTime(30_000)
      expect(await ask(auth)).toBe('Bearer o3')
    },
  )

  test('whose renewal fails is obtained anew', async () => {
    const { asked, auth } = issuer(10_000)
    asked.isRenewing = false
    await ask(auth)
    vi.advanceTimersByTime(9500)
    expect(await ask(auth)).toBe('Bearer o1')
    await settle()
    expect(await ask(auth)).toBe('Bearer o2')
    expect(asked).toMatchObject({ obtain: 2, renew: 1 })
  })

  test('serves on where nothing newer is to be had, and is asked for once a second at most', async () => {
    const { asked, auth } = issuer(100_000)
    await ask(auth)
    asked.isRenewing = false
    asked.isObtaining = false
    vi.advanceTimersByTime(95_000)
    for (let call = 0; call < 5; call += 1) {
      expect(await ask(auth)).toBe('Bearer o1')
      await settle()
    }
    expect(asked.renew).toBe(1)
    vi.advanceTimersByTime(1000)
    await ask(auth)
    await settle()
    expect(asked.renew).toBe(2)
  })

  test('that cannot be obtained fails the waiting calls, and the next call asks again', async () => {
    const { asked, auth } = issuer(10_000)
    asked.isObtaining = false
    const results = await Promise.allSettled([ask(auth), ask(auth)])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    asked.isObtaining = true
    expect(await ask(auth)).toBe('Bearer o2')
  })

  test('that was refused is obtained anew once, however many calls it failed', async () => {
    const { asked, auth } = issuer(3_600_000)
    const headers = await auth.headers({ operations: [] })
    expect(auth.refused?.(headers)).toBe(true)
    const next = ask(auth)
    expect(auth.refused?.(headers)).toBe(true)
    expect(await next).toBe('Bearer o2')
    expect(auth.refused?.(headers)).toBe(true)
    expect(await ask(auth)).toBe('Bearer o2')
    expect(asked).toMatchObject({ obtain: 2, renew: 0 })
  })

  test.each([
    ['a datetime', '2026-01-01T01:00:00+01:00'],
    ['seconds', 1_767_225_600],
    ['milliseconds', 1_767_225_600_000],
    ['a Date', new Date('2026-01-01T00:00:00Z')],
  ])('may end at a time given as %s', async (_, expiresAt) => {
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

  test('whose end is no time is refused', async () => {
    const auth = renewingToken({ obtain: async () => ({ token: 't', expiresAt: 'soon' }) })
    await expect(ask(auth)).rejects.toThrow('expiresAt of the token is no time: soon')
  })
})

describe('a client with a renewing token', () => {
  interface Client {
    readonly clients: { update(params?: object, options?: CallOptions): Promise<string> }
    readonly auth: {
      authenticate(params?: object, options?: CallOptions): Promise<IssuedToken>
      refresh(params?: object, options?: CallOptions): Promise<IssuedToken>
    }
  }

  function operation(name: string, isPublic: boolean): Operation {
    const path = `/${name.replace('.', '/')}`
    return {
      name,
      source: '#',
      rest: { method: 'POST', path, parameters: [], status: 200 },
      rpc: name,
      security: isPublic ? [] : [{ jwt: [] }],
      errors: [],
      idempotent: false,
      datetimes: {},
    }
  }
  const contract = {
    operations: {
      'clients.update': operation('clients.update', false),
      'auth.authenticate': operation('auth.authenticate', true),
      'auth.refresh': operation('auth.refresh', false),
    },
    errors: builtInErrors,
  }

  const closing: (() => void)[] = []
  afterEach(() => {
    for (const close of closing.splice(0)) close()
  })

  /** Issues tokens a1, a2, ..., knows only the newest, and tells who called what with which. */
  async function service(life: number) {
    const state = { issued: 0, valid: '', calls: [] as string[] }
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request.setEncoding('utf8')) body += chunk
      const isRpc = request.url === '/'
      const { id, method } = isRpc
        ? JSON.parse(body)
        : { id: 0, method: request.url?.slice(1).replace('/', '.') }
      const token = request.headers.authorization?.replace('Bearer ', '')
      state.calls.push(`${method} ${token ?? '-'}`)
      const isRefused = method !== 'auth.authenticate' && token !== state.valid
      let result: unknown = `updated with ${token}`
      if (!isRefused && method !== 'clients.update') {
        state.issued += 1
        state.valid = `a${state.issued}`
        result = { token: state.valid, expiresAt: new Date(Date.now() + life).toISOString() }
      }
      const problem = {
        type: 'urn:problem-type:invalid_token',
        title: 'Invalid token',
        status: 401,
        code: 'invalid_token',
      }
      const error = { code: -32005, message: 'Invalid token', data: problem }
      const content = isRefused ? problem : result
      response.writeHead(isRefused && !isRpc ? 401 : 200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify(isRpc ? { jsonrpc: '2.0', id, ...(isRefused ? { error } : { result }) } : content),
      )
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    closing.push(() => {
      server.close()
      server.closeAllConnections()
    })
    return { state, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }

  describe.each(['rest', 'jsonrpc'] as const)('over %s', (protocol) => {
    const connect = async (life: number, isPassingOptions = true) => {
      const { address, state } = await service(life)
      const transport = protocol === 'rest' ? rest(address) : jsonrpc(address)
      const client: Client = createClientOf<Client>(contract, {
        transport,
        auth: renewingToken({
          margin: life / 2,
          obtain: (options) => client.auth.authenticate({}, isPassingOptions ? options : {}),
          renew: (_, options) => client.auth.refresh({}, isPassingOptions ? options : {}),
        }),
      })
      return { client, state }
    }

    test('obtains it through the same client, without asking itself', async () => {
      const { client, state } = await connect(60_000)
      const results = await Promise.all([client.clients.update(), client.clients.update()])
      expect(results).toEqual(['updated with a1', 'updated with a1'])
      expect(state.calls).toEqual(['auth.authenticate -', 'clients.update a1', 'clients.update a1'])
    })

    test.each([true, false])(
      'renews it with the old one before it ends, given options: %s',
      async (isPassing) => {
        const { client, state } = await connect(2000, isPassing)
        await client.clients.update()
        await new Promise((resolve) => setTimeout(resolve, 1050))
        await client.clients.update().catch(() => {})
        await vi.waitFor(() => expect(state.issued).toBe(2))
        expect(state.calls).toContain('auth.refresh a1')
        await vi.waitFor(async () => expect(await client.clients.update()).toBe('updated with a2'))
        expect(state.calls.filter((call) => call.startsWith('auth.authenticate'))).toHaveLength(1)
      },
    )

    test('obtains another where the service refuses it, and repeats the call once', async () => {
      const { client, state } = await connect(60_000)
      await client.clients.update()
      state.valid = 'revoked'
      expect(await client.clients.update()).toBe('updated with a2')
      expect(state.calls.slice(2)).toEqual(['clients.update a1', 'auth.authenticate -', 'clients.update a2'])
    })

    test('gives up where the service refuses the new one too', async () => {
      const { address, state } = await service(60_000)
      const transport = protocol === 'rest' ? rest(address) : jsonrpc(address)
      const expiresAt = new Date(Date.now() + 60_000)
      const auth = renewingToken({ obtain: async () => ({ token: 'forged', expiresAt }) })
      const client = createClientOf<Client>(contract, { transport, auth })
      await expect(client.clients.update()).rejects.toMatchObject({ code: 'invalid_token' })
      expect(state.calls).toEqual(['clients.update forged', 'clients.update forged'])
    })
  })

  test('says so where obtaining needs the very token it is to obtain', async () => {
    const { address } = await service(60_000)
    const client: Client = createClientOf<Client>(contract, {
      transport: rest(address),
      auth: renewingToken({ obtain: () => client.auth.refresh() }),
    })
    await expect(client.clients.update()).rejects.toThrow('pass it the options it was given')
  })

  test('says so in time where it needs that token only after a while', async () => {
    const { address } = await service(60_000)
    const client: Client = createClientOf<Client>(contract, {
      transport: rest(address),
      timeout: 50,
      auth: renewingToken({
        obtain: async () => {
          await Promise.resolve()
          return client.auth.refresh()
        },
      }),
    })
    await expect(client.clients.update()).rejects.toMatchObject({
      reason: 'timeout',
      message: expect.stringContaining('a call in obtain needs the options that obtain is given'),
    })
  })

  test('a call that waits for the token ends in its own time', async () => {
    const { address, state } = await service(60_000)
    const client = createClientOf<Client>(contract, {
      transport: rest(address),
      auth: { headers: () => new Promise(() => {}) },
    })
    await expect(client.clients.update({}, { timeout: 50 })).rejects.toMatchObject({ reason: 'timeout' })
    expect(state.calls).toEqual([])
  })

  test('a call that waits for the token ends when it is aborted', async () => {
    const { address } = await service(60_000)
    const client = createClientOf<Client>(contract, {
      transport: rest(address),
      auth: renewingToken({ obtain: () => new Promise(() => {}) }),
    })
    const call = client.clients.update({}, { signal: AbortSignal.timeout(50) })
    await expect(call).rejects.toMatchObject({ reason: 'aborted' })
  })
})
