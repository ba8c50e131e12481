import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runDuet } from '../../../test/in-process.js'

// Reading blocks until the response arrives, so the server runs in a process of its own.
const server = `
import { createServer } from 'node:http'
let asked = 0
const alone = 'openapi: 3.1.1\\ninfo: { title: Shop, version: 1.0.0 }\\npaths: { /a: { get: { responses: { 204: { description: Done } } } } }'
let text = 'Client: { type: object, properties: { id: { type: integer } } }'
createServer((request, response) => {
  if (request.url === '/asked') response.end(String(asked))
  else if (request.url === '/rename') { text = text.replace('id:', 'number:'); response.end() }
  else if (request.url === '/none.yaml') response.writeHead(404).end()
  else if (request.url === '/alone.yaml') response.end(alone)
  else if (request.url === '/page') response.end('<!doctype html>\\n<title>Shop</title>\\n<p>Our API')
  else if (request.url === '/v1') response.end(alone.replace('{ 204', '{ 200: { $ref: "parts.yaml" }, 204'))
  else { asked += 1; response.end(text) }
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })
`
let child: ChildProcess
let base: string
let cwd: string

beforeAll(async () => {
  child = spawn(process.execPath, ['--input-type=module', '--eval', server])
  const port = await new Promise<string>((resolve) =>
    child.stdout?.once('data', (text) => resolve(String(text).trim())),
  )
  base = `http://127.0.0.1:${port}`
})

afterAll(() => void child.kill())

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-remote-'))
  mkdirSync(join(cwd, 'node_modules'))
  const answer = `{ description: A client, content: { application/json: { schema: { $ref: '${base}/parts.yaml#/Client' } } } }`
  writeFileSync(
    join(cwd, 'api.yaml'),
    `openapi: 3.1.1\ninfo: { title: Shop, version: 1.0.0 }\npaths:\n  /clients:\n    get:\n      x-rpc-method: clients.get\n      responses: { 200: ${answer} }\n`,
  )
  return () => rmSync(cwd, { recursive: true })
})

const duet = (...args: string[]) => runDuet(cwd, args, { columns: 120, debug: true })

const asked = async () => Number(await (await fetch(`${base}/asked`)).text())

describe('a document that refers to the web', () => {
  it.each([
    ['generate', ['api.yaml', '--out', 'out']],
    ['lint', ['api.yaml']],
    ['scaffold', ['api.yaml', '--out', 'handlers', '--api', '@shop/api']],
    ['init', ['shop', '--spec', 'api.yaml']],
    ['mock', ['api.yaml', '--port', '0']],
  ])('is an error for duet %s with a remedy, and no request is sent', async (command, args) => {
    const before = await asked()
    const { code, out, err } = await duet(command, ...args)
    expect(code).toBe(3)
    expect(out + err).toMatch(/api\.yaml:7:\d+ error reference-remote\n/)
    expect(out + err).toContain('or allow remote references with --allow-remote.')
    expect(await asked()).toBe(before)
    expect(readdirSync(cwd).sort()).toEqual(['api.yaml', 'node_modules'])
  })

  it('is read with --allow-remote, anew in every run', { tags: 'long' }, async () => {
    const args = ['generate', 'api.yaml', '--out', 'out', '--allow-remote']
    expect(await duet(...args)).toMatchObject({ code: 0 })
    expect(readFileSync(join(cwd, 'out/types.ts'), 'utf8')).toContain('id?: number')
    await fetch(`${base}/rename`)
    expect((await duet(...args, '--check')).code).toBe(1)
    expect((await duet(...args)).code).toBe(0)
    expect(readFileSync(join(cwd, 'out/types.ts'), 'utf8')).toContain('number?: number')
    expect((await duet('lint', 'api.yaml', '--allow-remote')).code).toBe(0)
    // The permission of an earlier run does not apply to this one.
    expect((await duet('generate', 'api.yaml', '--out', 'out')).code).toBe(3)
  })

  it('becomes a project whose scripts allow it, too', { tags: 'long' }, async () => {
    const { code, err } = await duet('init', 'shop', '--spec', 'api.yaml', '--allow-remote')
    expect(code, err).toBe(0)
    expect(existsSync(join(cwd, 'shop/generated/1.0.0/types.ts'))).toBe(true)
    const { scripts } = JSON.parse(readFileSync(join(cwd, 'shop/package.json'), 'utf8'))
    expect(scripts).toMatchObject({
      generate: 'duet generate --allow-remote',
      scaffold: 'duet scaffold 1.0.0 --out src/handlers --allow-remote',
      check: 'duet generate --allow-remote --check && npm run scaffold -- --check',
    })
  })
})

describe('duet init --spec ADDRESS', () => {
  it('copies the document without --allow-remote', { tags: 'long' }, async () => {
    expect(await duet('init', 'shop', '--spec', `${base}/alone.yaml`)).toMatchObject({ code: 0, err: '' })
    expect(readFileSync(join(cwd, 'shop/spec/1.0.0/openapi.yaml'), 'utf8')).toContain('title: Shop')
    const { scripts } = JSON.parse(readFileSync(join(cwd, 'shop/package.json'), 'utf8'))
    expect(scripts.generate).toBe('duet generate')
  })

  it('applies overlays of this machine to it', { tags: 'long' }, async () => {
    const actions = '[{ target: $.info, update: { title: Mended } }]'
    writeFileSync(
      join(cwd, 'fix.yaml'),
      `overlay: 1.0.0\ninfo: { title: Fix, version: 1.0.0 }\nactions: ${actions}\n`,
    )
    const address = `${base}/alone.yaml`
    const { code, out, err } = await duet('init', 'shop', '--spec', address, '--overlay', 'fix.yaml')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^shop: 1 operation of Mended 1\.0\.0, /)
    expect(existsSync(join(cwd, 'shop/spec/1.0.0/fix.yaml'))).toBe(true)
  })

  it('reports that referenced files are not read', async () => {
    const { code, err } = await duet('init', 'shop', '--spec', `${base}/v1`)
    expect(code).toBe(3)
    expect(err).toContain(`${base}/v1 refers to other files.`)
    expect(existsSync(join(cwd, 'shop'))).toBe(false)
  })

  it('recognizes a page', async () => {
    expect(await duet('init', 'shop', '--spec', `${base}/page`)).toMatchObject({
      code: 2,
      err: `${base}/page cannot be read: the response is an HTML or XML page, not an OpenAPI document.\n`,
    })
  })

  it('names the cause if no request can be sent', async () => {
    const { code, err } = await duet('init', 'shop', '--spec', 'http://127.0.0.1:1/')
    expect({ code, err: err.trim() }).toEqual({
      code: 2,
      err: 'http://127.0.0.1:1/ cannot be read: bad port.',
    })
  })

  it('says why there is no document', { tags: 'long' }, async () => {
    expect(await duet('init', 'shop', '--spec', `${base}/none.yaml`)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${base}/none.yaml cannot be read: the response has the status 404.`),
    })
  })
})
