import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { contract, createApi } from '@billing/api/1.0.0'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPages } from './pages.js'

let server: Server
let url: string

/** The API of a generated version, with the pages after it. */
beforeAll(async () => {
  const api = createApi({ handlers: {} as never, authenticate: () => Promise.reject(new Error('unused')) })
  server = createServer(api.node({ fallback: createPages(contract, () => {}) }))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((closed) => server.close(closed)))

it.each(['/', '/openapi.json', '/openrpc.json'])(
  '%s is served in the absolute form that proxies ask for',
  async (path) => {
    const { port } = server.address() as AddressInfo
    const request = get({ host: '127.0.0.1', port, path: url + path })
    const [response] = await once(request, 'response')
    response.resume()
    expect(response.statusCode).toBe(200)
  },
)

it.each(['/', '/openapi.json', '/openrpc.json', '/clients/1'])(
  'every method that Allow names at %s is served there, and no other',
  async (path) => {
    const allow = (await fetch(url + path, { method: 'OPTIONS' })).headers.get('allow')?.split(', ') ?? []
    expect(allow).not.toEqual([])
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const response = await fetch(url + path, { method })
      expect([method, response.status !== 405]).toEqual([method, allow.includes(method)])
      if (response.status === 405) expect(response.headers.get('allow')?.split(', ')).toEqual(allow)
    }
  },
)

it('without a reference, a page names the service and links to the documents, with text of the document escaped', async () => {
  const shop = { title: 'Shop <b>', version: '1.0.0', openapi: () => ({}), openrpc: () => ({}) }
  const plain = createServer(createPages(shop as never, () => {}))
  await new Promise<void>((listening) => plain.listen(0, '127.0.0.1', listening))
  const response = await fetch(`http://127.0.0.1:${(plain.address() as AddressInfo).port}/`)
  const page = await response.text()
  plain.close()
  expect(page).toContain('<h1>Shop &#60;b&#62; 1.0.0</h1>')
  expect(page).toContain('href="/openapi.json"')
  expect(page).toContain('href="/openrpc.json"')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
})

it('an unknown path answers a page to browsers, and a problem to clients', async () => {
  const browser = await fetch(`${url}/nothing`, {
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'x-request-id': 'r1' },
  })
  expect([browser.status, browser.headers.get('content-type'), browser.headers.get('x-request-id')]).toEqual([
    404,
    'text/html; charset=utf-8',
    'r1',
  ])
  const text = await browser.text()
  expect(text).toContain('<h1>Page not found</h1>\n<p>Nothing is served at /nothing. Versions: 1.0.0.</p>')
  expect(text).toContain('<a href="/">API reference</a>')
  expect(text).toContain('<a href="/admin/">Administration</a>')
  // Browsers keep quotes and ampersands as they are.
  const hostile = `/<script>alert(1)</script>"'&${'x'.repeat(3000)}`
  const { port } = server.address() as AddressInfo
  const request = get({ host: '127.0.0.1', port, path: hostile, headers: { accept: 'text/html' } })
  const [response] = await once(request, 'response')
  const inert = await (response as IncomingMessage)
    .toArray()
    .then((chunks) => Buffer.concat(chunks).toString())
  expect(inert).toContain('Nothing is served at /&#60;script&#62;alert(1)&#60;/script&#62;&#34;&#39;&#38;xx')
  expect(inert).not.toContain('<script')
  expect(inert).not.toContain('x'.repeat(201))
  for (const accept of ['*/*', 'application/json, text/html', 'text/htmlx']) {
    const client = await fetch(`${url}/nothing`, { headers: { accept } })
    expect([accept, client.status, client.headers.get('content-type')]).toEqual([
      accept,
      404,
      'application/problem+json',
    ])
  }
  // No route and no page has a path that is not UTF-8.
  const broken = await fetch(`${url}/%ff`, { headers: { accept: 'text/html' } })
  expect([broken.status, await broken.text()]).toEqual([
    404,
    expect.stringContaining('<h1>Page not found</h1>'),
  ])
  expect((await fetch(`${url}/%ff`)).status).toBe(400)
  const post = await fetch(`${url}/nothing`, { method: 'POST', headers: { accept: 'text/html' } })
  expect(post.headers.get('content-type')).toBe('application/problem+json')
})
