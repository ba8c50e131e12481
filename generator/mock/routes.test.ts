import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emit } from '../emit/emit.js'
import { lint } from '../lint/lint.js'
import { loadDocument } from '../load/load.js'
import { buildModel } from '../model/build/build.js'
import { contractOf } from './contract.js'
import { type Mock, startMock } from './server.js'

const answering = (text: string) =>
  `responses: { '200': { description: ok, content: { application/json: { example: ${text} } } } }`
const parameter = (name: string, place = 'path') =>
  `{ name: ${name}, in: ${place}, required: true, schema: { type: string } }`

const text = `
openapi: 3.1.0
info: { title: Odd paths, version: 1.0.0 }
paths:
  /:
    post: { operationId: rootPost, ${answering('root')} }
  /#Action=Start:
    get: { operationId: start, parameters: [${parameter('Action', 'query')}], ${answering('started')} }
  /#Action=Stop:
    get: { operationId: stop, parameters: [${parameter('Action', 'query')}], ${answering('stopped')} }
  /token:
    post: { x-rpc-method: token.issue, ${answering('issued')} }
  /token#refresh:
    post: { x-rpc-method: token.refresh, ${answering('refreshed')} }
  /alone#only:
    get: { x-rpc-method: alone.get, ${answering('alone')} }
  /a/{x}/b:
    get: { x-rpc-method: late.get, parameters: [${parameter('x')}], ${answering('late')} }
  /a/b/{y}:
    get: { x-rpc-method: early.get, parameters: [${parameter('y')}], ${answering('early')} }
  /same/{z}:
    get: { x-rpc-method: same.first, parameters: [${parameter('z')}], ${answering('first')} }
  /same/{a}:
    get: { x-rpc-method: same.second, parameters: [${parameter('a')}], ${answering('second')} }
  /endless:
    get: { x-rpc-method: endless.get, responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Self' } } } } } }
    post: { x-rpc-method: endless.create, requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Self' } } } }, ${answering('never')} }
  /hello:
    get:
      x-rpc-method: hello.get
      parameters: [{ name: Accept-Language, in: header, schema: { enum: [en, de] } }]
      ${answering('hello')}
  /spaced/{user id}:
    get: { x-rpc-method: spaced.get, parameters: [${parameter("'user id'")}], ${answering('spaced')} }
components:
  schemas:
    Self: { type: object, required: [self], properties: { self: { $ref: '#/components/schemas/Self' } } }
`

let mock: Mock
let codes: readonly string[]

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'duet-routes-'))
  writeFileSync(join(folder, 'openapi.yaml'), text)
  const { document, files } = loadDocument('openapi.yaml', { cwd: folder })
  rmSync(folder, { recursive: true })
  if (document === undefined) throw new Error('The document cannot be read')
  const { model, diagnostics } = buildModel(document)
  if (model === undefined) throw new Error(JSON.stringify(diagnostics))
  codes = [...lint(document), ...diagnostics].map(({ code }) => code)
  const contract = await contractOf(await emit(model, files, 'openapi.yaml'))
  mock = await startMock(model, contract, { host: '127.0.0.1', port: 0, seed: '1' })
})

afterAll(() => mock.close())

async function rest(method: string, target: string): Promise<unknown> {
  return (await fetch(`${mock.url}${target}`, { method })).json()
}

async function rpc(method: string, params: object = {}): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(`${mock.url}/rpc`, { method: 'POST', headers, body })
  return ((await answer.json()) as { result: unknown }).result
}

describe('paths that OpenAPI has no rule for', () => {
  it('distinguishes operations by a fragment that names a query parameter', async () => {
    expect(await rest('GET', '/?Action=Start')).toBe('started')
    expect(await rest('GET', '/?Action=Stop')).toBe('stopped')
    expect(await rest('GET', '/?Action=Wait')).toMatchObject({ status: 405 })
  })

  it('serves an operation with a fragment over REST if no other has its requests, else only over JSON-RPC', async () => {
    expect(await rest('GET', '/alone')).toBe('alone')
    expect(await rest('POST', '/token')).toBe('issued')
    expect(await rpc('token.issue')).toBe('issued')
    expect(await rpc('token.refresh')).toBe('refreshed')
  })

  it('matches the most concrete path first, segment by segment from the left', async () => {
    expect(await rest('GET', '/a/b/b')).toBe('early')
    expect(await rest('GET', '/a/c/b')).toBe('late')
    expect(await rpc('late.get', { x: 'b' })).toBe('late')
  })

  it('matches the first of paths that differ in names alone, and calls the other over JSON-RPC', async () => {
    expect(await rest('GET', '/same/1')).toBe('first')
    expect(await rpc('same.second', { a: '1' })).toBe('second')
  })

  it('names operations with similar paths if no operation has the path', async () => {
    const problem = { status: 404, code: 'unknown_operation', title: 'Unknown operation' }
    expect(await rest('POST', '/tokne?x=1')).toMatchObject({
      ...problem,
      detail: 'No operation has the path /tokne. Similar: POST /token.',
    })
    expect(await rest('GET', '/v1/hello')).toMatchObject({
      detail: 'No operation has the path /v1/hello. Similar: GET /hello.',
    })
    expect(await rest('GET', '/x/y/z/nothing/near')).toMatchObject({
      detail: 'No operation has the path /x/y/z/nothing/near. /reference/ has all operations.',
    })
    expect(await rest('GET', '/rpc')).toMatchObject({ status: 405, detail: expect.stringContaining('POST') })
  })

  describe('a browser', () => {
    const ask = async (path: string, accept = 'text/html,*/*;q=0.8') => {
      const response = await fetch(mock.url + path, { headers: { accept } })
      return [response.status, response.headers.get('content-type'), await response.text()]
    }
    const html = 'text/html; charset=utf-8'
    const pageOf = (path: string, detail = `No operation has the path ${path}.`) => [
      404,
      html,
      expect.stringContaining(
        `<h1>Page not found</h1>\n<p>${detail} /reference/ has all operations.</p>\n<h2>Go on with</h2>\n<ul>\n<li><a href="/reference/">API reference</a><span>`,
      ),
    ]

    it.each(['/nothing', '/%ff'])('gets a page at %s, where nothing is served', async (path) => {
      expect(await ask(path)).toEqual(pageOf(path))
    })

    it('gets a page in place of one that the reference does not have', { tags: 'long' }, async () => {
      expect(await ask('/reference/nothing.html')).toEqual(
        pageOf('/reference/nothing.html', 'Nothing is served at /reference/nothing.html.'),
      )
    })

    it('is led from the address of JSON-RPC to the reference; clients get problems', async () => {
      const page = await fetch(`${mock.url}/rpc`, { headers: { accept: 'text/html' }, redirect: 'manual' })
      expect([page.status, page.headers.get('location')]).toEqual([302, '/reference/'])
      expect((await ask('/rpc', '*/*')).slice(0, 2)).toEqual([405, 'application/problem+json'])
      expect((await ask('/%ff', '*/*')).slice(0, 2)).toEqual([400, 'application/problem+json'])
      expect((await ask('/nothing', '*/*')).slice(0, 2)).toEqual([404, 'application/problem+json'])
    })
  })

  it('has JSON-RPC at another path if POST / is an operation', async () => {
    expect(await rest('POST', '/')).toBe('root')
  })

  it('accepts a name with a space', async () => {
    expect(await rest('GET', '/spaced/7')).toBe('spaced')
    expect(await rpc('spaced.get', { 'user id': '7' })).toBe('spaced')
  })

  it('warns of each', () => {
    expect([...codes].sort()).toEqual(
      [
        ...['path-ambiguous', 'path-ambiguous', 'path-fragment', 'path-of-rpc', 'path-parameter-space'],
        'schema-endless',
      ].sort(),
    )
  })
})

describe('a header that clients set by themselves', () => {
  it('refuses no call that fetch makes, as over JSON-RPC', async () => {
    expect(await rest('GET', '/hello')).toBe('hello')
    expect(await rpc('hello.get')).toBe('hello')
    expect(await rpc('hello.get', { 'Accept-Language': 'fr' })).toBeUndefined()
  })
})

describe('a schema that no value satisfies', () => {
  it('fails the calls that hold one, and no others', async () => {
    expect(await rest('GET', '/endless')).toMatchObject({ status: 501 })
    const body = JSON.stringify({ self: { self: {} } })
    const headers = { 'Content-Type': 'application/json' }
    expect((await fetch(`${mock.url}/endless`, { method: 'POST', headers, body })).status).toBe(400)
    expect(await rest('GET', '/hello')).toBe('hello')
  })
})
