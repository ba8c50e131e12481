import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { builtInErrors } from '../../contract/catalogue.js'
import type { Operation } from '../../contract/operation.js'
import { jsonrpc } from '../../jsonrpc/client/transport.js'
import { rest } from '../../rest/client/transport.js'
import { createClientOf } from '../client.js'
import type { CallOptions } from '../client-options.js'
import { bearer } from './client-auth.js'
import { type IssuedToken, renewingToken } from './token.js'

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
    securitySchemes: { jwt: { type: 'http', scheme: 'bearer' } },
  } as const

  const closing: (() => void)[] = []
  afterEach(() => {
    for (const close of closing.splice(0)) close()
  })

  /** Issues tokens a1, a2, ..., accepts only the newest, and records the calls with their tokens. */
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

    test('obtains it through the same client, without waiting for itself', async () => {
      const { client, state } = await connect(60_000)
      const results = await Promise.all([client.clients.update(), client.clients.update()])
      expect(results).toEqual(['updated with a1', 'updated with a1'])
      expect(state.calls).toEqual(['auth.authenticate -', 'clients.update a1', 'clients.update a1'])
    })

    test.each([true, false])(
      'renews it with the old one before it ends, given options: %s',
      { tags: 'long' },
      async (isPassing) => {
        const { client, state } = await connect(2000, isPassing)
        await client.clients.update()
        await new Promise((resolve) => setTimeout(resolve, 1050))
        await client.clients.update().catch(() => {})
        await expect.poll(() => state.issued).toBe(2)
        expect(state.calls).toContain('auth.refresh a1')
        await expect.poll(() => client.clients.update()).toBe('updated with a2')
        expect(state.calls.filter((call) => call.startsWith('auth.authenticate'))).toHaveLength(1)
      },
    )

    test('obtains another if the service refuses it, and repeats the call once', async () => {
      const { client, state } = await connect(60_000)
      await client.clients.update()
      state.valid = 'revoked'
      expect(await client.clients.update()).toBe('updated with a2')
      expect(state.calls.slice(2)).toEqual(['clients.update a1', 'auth.authenticate -', 'clients.update a2'])
    })

    test('fails if the service refuses the new one too', async () => {
      const { address, state } = await service(60_000)
      const transport = protocol === 'rest' ? rest(address) : jsonrpc(address)
      const expiresAt = new Date(Date.now() + 60_000)
      let obtained = 0
      const obtain = async () => ({ token: `forged${++obtained}`, expiresAt })
      const auth = renewingToken({ obtain })
      const client = createClientOf<Client>(contract, { transport, auth })
      await expect(client.clients.update()).rejects.toMatchObject({ code: 'invalid_token' })
      expect(state.calls).toEqual(['clients.update forged1', 'clients.update forged2'])
    })
  })

  test('reports an obtain function that needs its own token', async () => {
    const { address } = await service(60_000)
    const client: Client = createClientOf<Client>(contract, {
      transport: rest(address),
      auth: renewingToken({ obtain: () => client.auth.refresh() }),
    })
    await expect(client.clients.update()).rejects.toThrow('Pass the options that obtain receives')
  })

  test('reports it in time if it needs the token only later', async () => {
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
      message: expect.stringContaining('calls inside obtain need the options that obtain receives'),
    })
  })

  test('a call that waits for the token has its own timeout', async () => {
    const { address, state } = await service(60_000)
    const client = createClientOf<Client>(contract, {
      transport: rest(address),
      auth: bearer(() => new Promise(() => {})),
    })
    await expect(client.clients.update({}, { timeout: 50 })).rejects.toMatchObject({ reason: 'timeout' })
    expect(state.calls).toEqual([])
  })

  test('a call that waits for the token can be aborted', async () => {
    const { address } = await service(60_000)
    const client = createClientOf<Client>(contract, {
      transport: rest(address),
      auth: renewingToken({ obtain: () => new Promise(() => {}) }),
    })
    const call = client.clients.update({}, { signal: AbortSignal.timeout(50) })
    await expect(call).rejects.toMatchObject({ reason: 'aborted' })
  })
})
