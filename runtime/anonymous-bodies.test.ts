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
const tooLong = 'A body without valid credentials may have at most 16384 bytes.'

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

  test('refuses a long body without valid credentials, for any operation', async () => {
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

  test('reads a short body, whole or in chunks; public operations read it with any credentials', async () => {
    for (const headers of [{}, chunked, bad, { ...bad, ...chunked }]) {
      expect((await put('short', headers)).json).toEqual({ note: ['short'] })
      expect((await api.rpc(call('notes.put', { note: 'short' }), headers)).json.result).toEqual({
        note: 'short',
      })
    }
  })

  test('reads a long body with valid credentials, for any operation', async () => {
    for (const headers of [key, { Authorization: 'Bearer token' }, { ...key, ...chunked }]) {
      expect((await put(long, headers)).json).toEqual({ note: [long] })
      expect((await api.rpc(call('notes.put', { note: long }), headers)).json.result).toEqual({ note: long })
    }
  })

  test('refuses a long body with invalid credentials, because of these', async () => {
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

  test('one valid credential among several suffices', async () => {
    const both = { ...bad, Authorization: 'Bearer token' }
    expect((await put(long, both)).json).toEqual({ note: [long] })
  })

  test('calls the hook again for the actual operation', async () => {
    hook.mockClear()
    await api.rpc(call('clients.update', { id: 7, credit: 1, x: long }), key)
    expect(hook.mock.calls.map(([, { operation }]) => operation)).toEqual(['clients.get', 'clients.update'])
  })
})

test('does not parse a long body without valid credentials', async () => {
  const api = await served(serveNode(billing()))
  expect(
    (await api.rpc(`{"jsonrpc":"2.0","id":1,"method":"notes.put","params":{"note":"${long}`)).status,
  ).toBe(413)
})

test('the anonymous limit is an option of the api', async () => {
  const api = await served(serveNode(billing({ limits: { anonymousBodyBytes: 21_000 } })))
  expect((await api.rpc(call('notes.put', { note: long }))).json.result).toEqual({ note: long })
  expect((await api.rpc(call('notes.put', { note: `${long}${long}` }))).status).toBe(413)
})

test('without security, bodies have a single limit', async () => {
  const contract = contractOf({ 'notes.put': { path: '/notes', params: { type: 'object' } } })
  const { notes } = handlers
  const api = await served(serveNode(createApiOf<AnyTypes, unknown>(contract, { handlers: { notes } })))
  expect((await api.rpc(call('notes.put', { note: long }))).json.result).toEqual({ note: long })
})
