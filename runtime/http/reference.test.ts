import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { type AnyTypes, contractOf } from '../fixtures/contract.js'
import { served, serveNode } from '../fixtures/serve.js'
import { createApiOf } from '../server.js'
import { referencePages } from './reference.js'

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** An API with the reference that its package has, if any, as a new project serves it. */
function start(
  files: Readonly<Record<string, string>> | undefined,
  basePath?: string,
  openapi: () => object = () => ({ openapi: '3.1.1' }),
) {
  const folder = mkdtempSync(join(tmpdir(), 'duet-pages-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'secret.html'), 'secret')
  if (files !== undefined) mkdirSync(join(folder, 'reference'))
  for (const [name, text] of Object.entries(files ?? {})) writeFileSync(join(folder, 'reference', name), text)
  const contract = {
    ...contractOf(
      { 'tasks.get': { method: 'GET', path: '/tasks' } },
      basePath === undefined ? {} : { basePath },
    ),
    openapi,
    module: pathToFileURL(join(folder, 'index.js')).href,
  }
  const api = createApiOf<AnyTypes, unknown, unknown, string>(contract, {
    handlers: { tasks: { get: () => 'task' } },
  })
  return served(serveNode(api, { fallback: referencePages(contract) }))
}

const files = {
  'index.html': '<!doctype html>',
  'tasks.html': '<p>',
  'data.js': '[]',
  'notes.txt': 'private',
}

it.each([undefined, '/base/v1'])(
  'serves the reference of a package, below no base path: %s',
  async (base) => {
    const { ask } = await start(files, base)
    const index = await ask('/reference/')
    expect([index.status, index.headers['content-type'], index.text]).toEqual([
      200,
      'text/html; charset=utf-8',
      '<!doctype html>',
    ])
    expect(index.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect((await ask('/reference/data.js')).headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect((await ask('/openapi.json')).json).toEqual({ openapi: '3.1.1' })
    const moved = await ask('/reference')
    expect([moved.status, moved.headers.location]).toEqual([308, '/reference/'])
    const head = await ask('/reference/tasks.html', { method: 'HEAD' })
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, '3', ''])
    expect((await ask('/reference/', { method: 'POST' })).status).toBe(404)
    expect((await ask(`${base ?? ''}/tasks`, { headers: html })).json).toBe('task')
  },
)

it('writes a document once, however often it is asked for', async () => {
  let written = 0
  const { ask } = await start(files, undefined, () => ({ written: ++written }))
  for (let count = 0; count < 3; count++) expect((await ask('/openapi.json')).json).toEqual({ written: 1 })
})

it.each([
  [undefined, ['/']],
  ['/base/v1', ['/', '/base/v1', '/base/v1/']],
])('leads browsers to it from the start, with the base path %s', async (base, paths) => {
  const { ask } = await start(files, base)
  for (const path of paths) {
    const { status, headers } = await ask(path, { headers: html })
    expect([path, status, headers.location]).toEqual([path, 302, '/reference/'])
  }
})

it('shows browsers a page where nothing is, with its path as text', async () => {
  const { ask } = await start(files)
  for (const path of ['/nope', '/reference/nope.html', '/%ff']) {
    const page = await ask(path, { headers: html })
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.text).toContain(`<h1>Page not found</h1>\n<p>Nothing is served at ${path}.</p>`)
    expect(page.text).toContain('<a href="/reference/">')
  }
})

it.each(['notes.txt', '../secret.html', '..%2fsecret.html', '%2e%2e/secret.html', 'x/../../secret.html'])(
  'serves no file that is no page of it: %s',
  async (name) => {
    const { ask } = await start(files)
    const answer = await ask(`/reference/${name}`)
    expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/problem+json'])
  },
)

it.each(['/', '/nope', '/reference/nope.html', '/%ff'])(
  'answers clients at %s as without it',
  async (path) => {
    const contract = contractOf({ 'tasks.get': { method: 'GET', path: '/tasks' } })
    const api = createApiOf<AnyTypes, unknown, unknown, string>(contract, {
      handlers: { tasks: { get: () => 1 } },
    })
    const [plain, withPages] = [await served(serveNode(api)), await start(files)]
    for (const headers of [{ accept: '*/*' }, { accept: 'application/json, text/html' }]) {
      const request = { headers: { ...headers, 'x-request-id': 'r1' } }
      const [before, after] = [await plain.ask(path, request), await withPages.ask(path, request)]
      expect([after.status, after.headers.allow, after.text]).toEqual([
        before.status,
        before.headers.allow,
        before.text,
      ])
    }
  },
)

it('leaves everything to the API if the package has no reference', async () => {
  const { ask } = await start(undefined)
  for (const path of ['/nope', '/reference/', '/openapi.json'])
    expect((await ask(path, { headers: html })).headers['content-type']).toBe('application/problem+json')
  expect((await ask('/', { headers: html })).status).toBe(405)
})
