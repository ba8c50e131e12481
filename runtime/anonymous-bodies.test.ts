import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { authenticate, billing, handlers, key } from './fixtures/billing.js'
import { type AnyTypes, contractOf } from './fixtures/contract.js'
import { type Served, served, serveNode } from './fixtures/serve.js'
import { servers } from './fixtures/servers.js'
import { createApiOf } from './server.js'

const long = 'n'.repeat(20_000)
const call = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
const chunked = { 'Transfer-Encoding': 'chunked' }
const bad = { 'X-Api-Key': 'bad' }
const tooLong = 'A body may have 16384 bytes where no good credentials come with it.'

describe.each(servers)('under %s', (_, serve) => {
  let api: Served
  const hook = vi.fn((credentials: { apiKey?: string; jwt?: string }, _: { operation: string }) =>
    authenticate(credentials),
  )
  beforeAll(async () => {
    api = await serve(billing({ authenticate: hook }))
  })
  afterAll(() => api.close())
  const put = (note: string, headers: Record<string, string> = {}) =>
    api.ask('/notes', { method: 'PUT', headers, body: [note] })

  test('a long body without good credentials is refused, whatever is called', async () => {
    hook.mockClear()
    for (const headers of [{}, chunked]) {
      const rpc = await api.rpc(call('notes.put', { note: long }), headers)
      expect([rpc.status, rpc.json.id, rpc.json.error.data]).toMatchObject([
        413,
        null,
        { code: 'payload_too_large', detail: tooLong },
      ])
      expect(await put(long, headers)).toMatchObject({ status: 413, json: { detail: tooLong } })
    }
    expect(hook).not.toHaveBeenCalled()
  })

  test('a short one is read, in one piece or in many, and by operations that are open to all whatever comes with it', async () => {
    for (const headers of [{}, chunked, bad, { ...bad, ...chunked }]) {
      expect((await put('short', headers)).json).toEqual({ note: ['short'] })
      expect((await api.rpc(call('notes.put', { note: 'short' }), headers)).json.result).toEqual({
        note: 'short',
      })
    }
  })

  test('a long one with good credentials is read, whatever is called', async () => {
    for (const headers of [key, { Authorization: 'Bearer token' }, { ...key, ...chunked }]) {
      expect((await put(long, headers)).json).toEqual({ note: [long] })
      expect((await api.rpc(call('notes.put', { note: long }), headers)).json.result).toEqual({ note: long })
    }
  })

  test('a long one with bad credentials is refused for them', async () => {
    for (const headers of [bad, { ...bad, ...chunked }]) {
      const {
        status,
        json,
        headers: told,
      } = await api.rpc(call('clients.update', { id: 7, x: long }), headers)
      expect([status, json.id, json.error.data.code]).toEqual([401, null, 'invalid_api_key'])
      expect(told['www-authenticate']).toContain('ApiKey')
      expect((await put(long, headers)).json.code).toBe('invalid_api_key')
    }
  })

  test('one of several credentials that is good is enough', async () => {
    const both = { ...bad, Authorization: 'Bearer token' }
    expect((await put(long, both)).json).toEqual({ note: [long] })
  })

  test('the hook is asked again for the operation that is called', async () => {
    hook.mockClear()
    await api.rpc(call('clients.update', { id: 7, credit: 1, x: long }), key)
    expect(hook.mock.calls.map(([, { operation }]) => operation)).toEqual(['clients.get', 'clients.update'])
  })
})

test('a long body without good credentials is not parsed', async () => {
  const api = await served(serveNode(billing()))
  expect(
    (await api.rpc(`{"jsonrpc":"2.0","id":1,"method":"notes.put","params":{"note":"${long}`)).status,
  ).toBe(413)
})

test('how long it may be is a limit of the api', async () => {
  const api = await served(serveNode(billing({ limits: { anonymousBodyBytes: 21_000 } })))
  expect((await api.rpc(call('notes.put', { note: long }))).json.result).toEqual({ note: long })
  expect((await api.rpc(call('notes.put', { note: `${long}${long}` }))).status).toBe(413)
})

test('where no operation has security a body has the one limit', async () => {
  const contract = contractOf({ 'notes.put': { path: '/notes', params: { type: 'object' } } })
  const { notes } = handlers
  const api = await served(serveNode(createApiOf<AnyTypes, unknown>(contract, { handlers: { notes } })))
  expect((await api.rpc(call('notes.put', { note: long }))).json.result).toEqual({ note: long })
})
