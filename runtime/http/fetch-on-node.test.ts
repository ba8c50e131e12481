import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fencesOf } from '../../test/fences.js'
import { billing, key } from '../fixtures/billing.js'
import { type Served, servedAt } from '../fixtures/serve.js'

// The example of docs/service.md, word for word.

let server: Server
let served: Served

beforeAll(async () => {
  const page = readFileSync(new URL('../../docs/service.md', import.meta.url), 'utf8')
  const example = fencesOf(page).find(
    ({ kind, text }) => kind === 'js' && text.includes('createServer('),
  ) ?? { text: '' }
  const code = example.text.replaceAll(/^import .*$/gm, '')
  const here = (listener: RequestListener) => {
    server = createServer(listener)
    return { listen: () => server.listen(0, '127.0.0.1') }
  }
  new Function('api', 'createServer', 'Readable', code)(billing(), here, Readable)
  await new Promise((resolve) => server.once('listening', resolve))
  served = servedAt((server.address() as AddressInfo).port)
})
afterAll(() => server.close())

it('answers calls of both protocols', async () => {
  const { status, headers, json } = await served.ask('/clients/7', { headers: key })
  expect([status, headers['content-type'], json]).toEqual([200, 'application/json', { id: 7, credit: 10 }])
  const body = { credit: 2.5 }
  const patched = await served.ask('/clients/7', { method: 'PATCH', headers: key, body })
  expect(patched.json).toEqual({ id: 7, credit: 2.5 })
  const calls = [1, 2].map((id) => ({
    jsonrpc: '2.0',
    id,
    method: 'lnp.gateways.search',
    params: { limit: id },
  }))
  expect((await served.rpc(calls)).json).toEqual(
    [1, 2].map((id) => ({ jsonrpc: '2.0', id, result: { limit: id, order: [] } })),
  )
})

it('answers without a body, and with problems', async () => {
  expect(await served.ask('/clients/7', { method: 'DELETE', headers: key })).toMatchObject({
    status: 204,
    text: '',
  })
  expect(await served.ask('/clients/7', { method: 'HEAD', headers: key })).toMatchObject({
    status: 200,
    text: '',
  })
  expect((await served.ask('/nothing')).json).toMatchObject({ status: 404, code: 'unknown_operation' })
  expect((await served.rpc('{')).json.error.code).toBe(-32700)
})
