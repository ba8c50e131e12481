import { fileURLToPath } from 'node:url'
import type { Contract } from 'duet-runtime'
import { builtInErrors } from 'duet-runtime/catalogue'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emit } from '../emit/emit.js'
import { loadDocument } from '../load/load.js'
import { buildModel } from '../model/build/build.js'
import type { Model } from '../model/model.js'
import { exampleCalls } from '../samples/example-call.js'
import { sentRequest } from '../samples/sent-request.js'
import { contractOf } from './contract.js'
import { type Mock, startMock } from './server.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const json = { 'Content-Type': 'application/json' }
const key = { 'X-Api-Key': 'any' }

let model: Model
let contract: Contract
let mock: Mock

beforeAll(async () => {
  const file = 'spec/1.0.0/openapi.yaml'
  const { document, files } = loadDocument(file, { cwd: root })
  const built = document && buildModel(document).model
  if (built === undefined) throw new Error('The billing document has no model')
  model = built
  contract = await contractOf(await emit(model, files, file))
  mock = await startMock(model, contract, { host: '127.0.0.1', port: 0, seed: '1' })
})

afterAll(() => mock.close())

async function get(target: string, headers: Record<string, string> = key) {
  const response = await fetch(`${mock.url}${target}`, { headers })
  return { status: response.status, body: await response.json(), headers: response.headers }
}

async function rpc(method: string, params: object, headers: Record<string, string> = key, url = mock.url) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers: { ...json, ...headers }, body })
  return { status: response.status, body: await response.json() }
}

describe('a mock of the billing service', () => {
  it('shows the reference, with the documents that it links to', async () => {
    const page = await fetch(`${mock.url}/reference`)
    expect(page.url).toBe(`${mock.url}/reference/`)
    const start = await fetch(`${mock.url}/`, { headers: { accept: 'text/html' } })
    expect([start.status, start.url]).toEqual([200, `${mock.url}/reference/`])
    expect((await fetch(`${mock.url}/`)).status).toBe(405)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const html = await page.text()
    expect(html).toContain('<a href="clients.html#clients.get">')
    const linked = [...html.matchAll(/(?:src|href)="([^"#:]+?)"/g)].flatMap(([, href]) => href ?? [])
    const files = linked.filter((href) => !href.includes('/reference/'))
    expect(files).toEqual(expect.arrayContaining(['reference.js', 'reference.css', '../openrpc.json']))
    for (const href of files) expect((await fetch(new URL(href, page.url))).status, href).toBe(200)
    expect((await fetch(`${mock.url}/reference/none.html`)).status).toBe(404)
  })

  it('answers every operation over both protocols, alike', async () => {
    const call = exampleCalls(model)
    for (const operation of model.operations) {
      const { params } = call(operation)
      const { target, ...request } = await sentRequest(operation, params)
      const authorization = { Authorization: 'Bearer any' }
      const response = await fetch(`${mock.url}${target}`, {
        ...request,
        headers: { ...request.headers, ...key, ...authorization },
      })
      expect(response.status, operation.name).toBe(operation.rest.status)
      const result = await response.json()
      expect(contract.validators[operation.name]?.result(result)).toBe(true)
      const answer = await rpc(operation.name, params, { ...key, ...authorization })
      expect(answer.body.result, operation.name).toEqual(result)
    }
    expect(model.operations).toHaveLength(6)
  })

  it('returns the examples of the document', async () => {
    expect((await get('/clients/1')).body).toEqual({
      id: 1,
      name: 'Aurora Calling',
      credit: 250.5,
      currency: 'EUR',
    })
  })

  it('validates params like the service', async () => {
    const { status, body } = await get('/clients/none')
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path: '/id', keyword: 'type' }] })
    const answer = await rpc('clients.get', { id: 1, x: 1 })
    expect(answer.body.error).toMatchObject({ code: -32602, data: { code: 'validation_failed' } })
    expect((await get('/nowhere')).status).toBe(404)
  })

  it('returns datetimes in the requested zone', async () => {
    const at = '/accounting/currencies/exchange-rate?from=EUR&to=USD&__tz=Asia/Tokyo'
    expect((await get(at)).body.effective_from).toMatch(/\+09:00$/)
  })

  it('accepts any credential, but requires one', async () => {
    expect((await get('/clients/1', { 'X-Api-Key': 'whatever' })).status).toBe(200)
    expect((await get('/clients/1', {})).body).toMatchObject({ status: 401, code: 'unauthenticated' })
    expect((await rpc('clients.get', { id: 1 }, {})).body.error.data.code).toBe('unauthenticated')
  })

  it('fails with the code that a header names, over both protocols', async () => {
    const asked = { ...key, 'X-Mock-Error': 'rate_limited' }
    expect(await get('/clients/1', asked)).toMatchObject({
      status: 429,
      body: { code: 'rate_limited', detail: 'Requested by X-Mock-Error.' },
    })
    expect((await rpc('clients.get', { id: 1 }, asked)).body.error).toMatchObject({
      code: -32029,
      data: { code: 'rate_limited' },
    })
    const refused = { ...key, 'X-Mock-Error': 'invalid_api_key' }
    expect((await get('/clients/1', refused)).status).toBe(401)
    expect((await rpc('clients.get', { id: 1 }, refused)).status).toBe(401)
    expect((await get('/clients/1')).status).toBe(200)
  })

  it.each(['toString', 'not-found', '404'])('says so where X-Mock-Error is %s', async (code) => {
    const { status, body } = await get('/clients/1', { ...key, 'X-Mock-Error': code })
    expect(status).toBe(400)
    // The last one is the document's own.
    const codes = [...Object.keys(builtInErrors), 'invalid_credentials'].sort()
    expect(body.detail).toBe(`X-Mock-Error is not a code of the catalogue: ${codes.join(', ')}.`)
  })

  it('waits for the time in a header, over both protocols', async () => {
    for (const call of [
      () => get('/clients/1', { ...key, 'X-Mock-Delay': '200' }),
      () => rpc('clients.get', { id: 1 }, { ...key, 'X-Mock-Delay': '200' }),
    ]) {
      const start = performance.now()
      expect((await call()).status).toBe(200)
      expect(performance.now() - start).toBeGreaterThanOrEqual(199)
    }
  })

  it.each(['-1', '1.5', '60001', 'long', '00'])('says so where X-Mock-Delay is %s', async (delay) => {
    const { status, body } = await get('/clients/1', { ...key, 'X-Mock-Delay': delay })
    expect(status).toBe(400)
    expect(body.detail).toBe('X-Mock-Delay is not a number of milliseconds from 0 to 60000.')
  })

  it('can be called from pages of every origin', async () => {
    const origin = 'http://localhost:5173'
    const preflight = await fetch(`${mock.url}/clients/1`, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'PATCH',
        'Access-Control-Request-Headers': 'x-api-key',
      },
    })
    expect(preflight.status).toBe(204)
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'PATCH',
      'access-control-allow-headers': 'x-api-key',
    })
    const answer = await get('/clients/1', { ...key, Origin: origin })
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    expect((await get('/clients/1')).headers.get('access-control-allow-origin')).toBeNull()
  })

  it('offers the documents, and rpc.discover', async () => {
    expect((await rpc('rpc.discover', {})).body.result.openrpc).toMatch(/^1\./)
  })

  it('refuses calls of web pages if it listens for other hosts', async () => {
    const open = await startMock(model, contract, { host: '0.0.0.0', port: 0, seed: '1' })
    try {
      const url = open.url.replace('0.0.0.0', '127.0.0.1')
      const response = await fetch(`${url}/clients/1`, { headers: { ...key, Origin: 'http://x.test' } })
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, null])
    } finally {
      await open.close()
    }
  })
})

describe('an answer that the document does not show', () => {
  it('follows from the seed and the params', async () => {
    const bare = {
      ...model,
      operations: model.operations.map((operation) => ({ ...operation, examples: [] })),
    }
    const answers = async (seed: string): Promise<unknown[]> => {
      const other = await startMock(bare, contract, { host: '127.0.0.1', port: 0, seed })
      const one = await rpc('clients.get', { id: 1 }, key, other.url)
      const two = await rpc('clients.get', { id: 2 }, key, other.url)
      const again = await fetch(`${other.url}/clients/1`, { headers: key })
      expect(await again.json()).toEqual(one.body.result)
      await other.close()
      return [one.body.result, two.body.result]
    }
    const first = await answers('1')
    expect(await answers('1')).toEqual(first)
    expect(await answers('2')).not.toEqual(first)
    expect(first[0]).not.toEqual(first[1])
  })

  it('is a problem if none is valid', async () => {
    const never: Contract = {
      ...contract,
      validators: Object.fromEntries(
        Object.entries(contract.validators).map(([name, { params }]) => [
          name,
          { params, result: Object.assign(() => false, { errors: [] }) },
        ]),
      ),
    }
    const other = await startMock(model, never, { host: '127.0.0.1', port: 0, seed: '1' })
    const { body } = await rpc('clients.get', { id: 1 }, key, other.url)
    await other.close()
    expect(body.error.data).toMatchObject({
      code: 'not_implemented',
      detail: 'The mock has no valid response of clients.get: is not valid. Add an example to the response.',
    })
  })
})
