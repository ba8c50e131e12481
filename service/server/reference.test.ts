import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPages } from './pages.js'
import { referenceFiles } from './reference.js'

const contractOf = (version: string) =>
  ({ title: 'Shop', version, openapi: () => ({ version }), openrpc: () => ({}) }) as never
const page = '<!doctype html>\n<html lang="en">\n<head>\n<title>'
let directory: string
let server: Server
let url: string

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'duet-reference-'))
  for (const version of ['1.0.0', '1.1.0']) {
    mkdirSync(join(directory, version, 'reference'), { recursive: true })
    const files = {
      'index.html': `${page}${version}`,
      'items.html': page,
      'data.js': '[]',
      'reference.css': 'a{}',
    }
    for (const [name, text] of Object.entries({ ...files, 'notes.txt': 'private' }))
      writeFileSync(join(directory, version, 'reference', name), text)
    writeFileSync(join(directory, version, 'manifest.json'), '{}')
  }
  mkdirSync(join(directory, '2.0.0'))
  const pagesOf = (version: string) =>
    createPages(contractOf(version), () => {}, { reference: referenceFiles(version, directory) })
  server = createServer((request, response) => {
    const { url = '' } = request
    const [, version = '1.1.0', target = url] = /^\/(\d\.\d\.0)(\/.*)/.exec(url) ?? []
    pagesOf(version)(request, response, target)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  await new Promise((closed) => server.close(closed))
  rmSync(directory, { recursive: true })
})

describe('the served reference', () => {
  it.each([
    ['/reference/', 'text/html; charset=utf-8', `${page}1.1.0`],
    ['/reference/index.html', 'text/html; charset=utf-8', `${page}1.1.0`],
    ['/1.0.0/reference/', 'text/html; charset=utf-8', `${page}1.0.0`],
    ['/1.1.0/reference/items.html', 'text/html; charset=utf-8', page],
    ['/reference/data.js', 'text/javascript; charset=utf-8', '[]'],
    ['/reference/reference.css', 'text/css; charset=utf-8', 'a{}'],
    ['/1.0.0/openapi.json', 'application/json', '{"version":"1.0.0"}'],
  ])('is at %s', async (path, type, text) => {
    const answer = await fetch(url + path)
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      type,
      text,
    ])
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it.each([
    ['/reference', '/reference/'],
    ['/1.0.0/reference', '/1.0.0/reference/'],
    ['/reference?theme=dark', '/reference/?theme=dark'],
  ])('leads from %s to %s', async (path, location) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(url + path, { method, redirect: 'manual' })
      expect([answer.status, answer.headers.get('location')]).toEqual([308, location])
    }
    expect((await fetch(url + path, { method: 'POST' })).status).toBe(405)
  })

  it('is the start page, with working links', async () => {
    const text = await (await fetch(`${url}/`)).text()
    expect(text).toBe(`${page.replace('<head>', '<head><base href="reference/">')}1.1.0`)
  })

  it('leads from the start page of each version to where keys come from', () => {
    for (const version of ['1.0.0', '1.1.0', '2.0.0-rc.1']) {
      const files = referenceFiles(version)
      for (const path of ['/', '/reference/', '/reference/index.html'])
        expect(files.get(path)?.content().text).toContain(
          'from the <a href="/admin/">administration area</a> (System / Users)',
        )
    }
  })

  it('allows pages only their own scripts, and calls to any service', async () => {
    const { headers } = await fetch(`${url}/reference/`)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src *; base-uri 'self'; form-action 'none'",
    )
  })

  it('answers 304 to a client that has the page', async () => {
    const etag = (await fetch(`${url}/reference/`)).headers.get('etag') ?? ''
    const again = await fetch(`${url}/reference/`, { headers: { 'if-none-match': `"other", W/${etag}` } })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    const other = await fetch(`${url}/reference/`, { headers: { 'if-none-match': '"other"' } })
    expect(other.status).toBe(200)
  })

  it('answers HEAD without a body and refuses other methods', async () => {
    const head = await fetch(`${url}/reference/`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const post = await fetch(`${url}/reference/`, { method: 'POST' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('names the whole path of a page that a version does not have', async () => {
    const answer = await fetch(`${url}/1.1.0/reference/nope.html`)
    expect(await answer.json()).toMatchObject({
      detail: expect.stringContaining('Nothing is served at /1.1.0/reference/nope.html.'),
    })
  })

  it.each([
    '/reference/notes.txt',
    '/1.0.0/manifest.json',
    '/2.0.0/reference/',
    '/2.0.0/reference',
    '//reference',
    '/reference/%2e%2e/manifest.json',
    '/reference/..%2fmanifest.json',
    '/reference//index.html',
    '/constructor',
  ])('serves nothing at %s', async (path) => {
    expect((await fetch(url + path)).status).toBe(404)
  })
})
