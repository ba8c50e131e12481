import { expect, test } from 'vitest'
import { apiOf } from '../fixtures/api.js'
import { served, serveNode } from '../fixtures/serve.js'
import type { Context } from './api/context.js'

const tell = { method: 'GET', path: '/tell' } as const

test('a handler reads the method, the headers and the address of the request that a call came by', async () => {
  const handlers = { default: { tell: (_: unknown, { request }: Context<unknown>) => request ?? 'none' } }
  const api = apiOf({ tell }, { handlers })
  const server = await served(serveNode(api))
  const headers = { 'X-Tenant': 'acme' }
  const rest = await server.ask('/tell', { headers })
  expect(rest.json).toMatchObject({ method: 'GET', headers: { 'x-tenant': 'acme' }, address: '127.0.0.1' })
  const call = { jsonrpc: '2.0', id: 1, method: 'tell' }
  expect((await server.rpc(call, headers)).json.result).toMatchObject({
    method: 'POST',
    headers: { 'x-tenant': 'acme' },
    address: '127.0.0.1',
  })
  expect(await api.call('tell', {})).toBe('none')
})

test('a handler receives the argument of run, each call of a batch its own', async () => {
  let calls = 0
  const api = apiOf(
    { tell },
    {
      handlers: { default: { tell: (_: unknown, { state }: Context<unknown>) => state } },
      around: (_: unknown, run: (state: unknown) => Promise<unknown>) => run({ call: ++calls }),
    },
  )
  const server = await served(serveNode(api))
  expect((await server.ask('/tell')).json).toEqual({ call: 1 })
  const batch = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'tell' }))
  expect((await server.rpc(batch)).json).toMatchObject([{ result: { call: 2 } }, { result: { call: 3 } }])
  expect(await api.call('tell', {})).toEqual({ call: 4 })
})

test('logs an undeclared code that a handler throws, but never a built-in one', async () => {
  const warnings: string[] = []
  const logger = { error: () => {}, warn: (_: object, message: string) => warnings.push(message) }
  const codes = ['too_late', 'not_found']
  const handlers = {
    default: {
      tell: (_: unknown, { problem }: Context<unknown>) => {
        throw problem(codes.shift() ?? '', 'No.')
      },
    },
  }
  const errors = { too_late: { title: 'Too late', status: 409, rpc: -32050 } }
  const api = apiOf({ tell }, { handlers, logger }, {}, errors)
  await expect(api.call('tell', {})).rejects.toMatchObject({ problem: { code: 'too_late', detail: 'No.' } })
  await expect(api.call('tell', {})).rejects.toMatchObject({ code: 'not_found' })
  expect(warnings).toEqual(['tell answered too_late, which the document does not declare for it'])
})

test('a problem has extension members, which cannot replace its own', async () => {
  const handlers = {
    default: {
      tell: (_: unknown, { problem }: Context<unknown>) => {
        throw problem('conflict', 'Too much.', { limit: 5, status: 200, code: 'fine' })
      },
    },
  }
  const server = await served(serveNode(apiOf({ tell }, { handlers })))
  const rest = await server.ask('/tell')
  const same = { limit: 5, status: 409, code: 'conflict', detail: 'Too much.' }
  expect([rest.status, rest.json]).toMatchObject([409, same])
  expect((await server.rpc({ jsonrpc: '2.0', id: 1, method: 'tell' })).json.error.data).toMatchObject(same)
})
