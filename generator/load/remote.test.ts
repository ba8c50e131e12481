import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadDocument } from './load.js'
import { RemoteFiles, readRemote } from './remote.js'

// Loading blocks until the response arrives, so the server runs in a process of its own.
const program = `
import { createServer } from 'node:http'
const asked = []
const server = createServer((request, response) => {
  asked.push(request.url)
  const send = (text) => response.end(text)
  if (request.url === '/asked') send(JSON.stringify(asked))
  else if (request.url === '/parts/client.yaml') send('Client: { type: object, properties: { owner: { $ref: "owner.yaml" }, next: { $ref: "#/Client" } } }')
  else if (request.url === '/parts/owner.yaml') send('{ type: string, maxLength: 9 }')
  else if (request.url === '/moved.yaml') response.writeHead(302, { location: '/parts/owner.yaml' }).end()
  else if (request.url === '/elsewhere.yaml') response.writeHead(302, { location: 'ftp://127.0.0.1/x' }).end()
  else if (request.url === '/circle.yaml') response.writeHead(302, { location: '/circle.yaml' }).end()
  else if (request.url === '/silent.yaml') response.writeHead(200).write('a')
  else if (request.url === '/large.yaml') send('x'.repeat(5000))
  else if (request.url === '/bytes.yaml') send(Buffer.from([0xff, 0xfe]))
  else response.writeHead(404).end()
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`
let child: ChildProcess
let base: string
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'duet-remote-'))
  child = spawn(process.execPath, ['--input-type=module', '--eval', program])
  const port = await new Promise<string>((resolve) =>
    child.stdout?.once('data', (text) => resolve(String(text))),
  )
  base = `http://127.0.0.1:${port.trim()}`
})

afterAll(() => {
  child.kill()
  rmSync(folder, { recursive: true })
})

function load(reference: string, remote: boolean) {
  const schema = `{ $ref: "${reference}" }`
  const text = `openapi: 3.1.1\ninfo: { title: T, version: 1.0.0 }\ncomponents: { schemas: { A: ${schema}, B: ${schema} } }\n`
  writeFileSync(join(folder, 'openapi.yaml'), text)
  return loadDocument('openapi.yaml', { cwd: folder, remote })
}

describe('a remote reference', () => {
  it('is an error without the switch, and no request is sent', async () => {
    expect(load(`${base}/parts/client.yaml#/Client`, false).diagnostics.map(({ code }) => code)).toEqual([
      'reference-remote',
      'reference-remote',
    ])
    expect(await (await fetch(`${base}/asked`)).json()).toEqual(['/asked'])
  })

  it('is read with all that it refers to, each file once', { tags: 'long' }, async () => {
    const { document, diagnostics, files } = load(`${base}/parts/client.yaml#/Client`, true)
    expect(diagnostics).toEqual([])
    expect(document?.root.components).toEqual({
      schemas: {
        A: { $ref: '#/components/schemas/Client' },
        B: { $ref: '#/components/schemas/Client' },
        Client: {
          type: 'object',
          properties: {
            owner: { $ref: '#/components/schemas/owner' },
            next: { $ref: '#/components/schemas/Client' },
          },
        },
        owner: { type: 'string', maxLength: 9 },
      },
    })
    expect(document?.locate('#/components/schemas/owner').file).toBe(`${base}/parts/owner.yaml`)
    expect(files.map(({ path }) => path)).toHaveLength(3)
    const asked: string[] = await (await fetch(`${base}/asked`)).json()
    expect(asked.filter((path) => path.startsWith('/parts'))).toEqual([
      '/parts/client.yaml',
      '/parts/owner.yaml',
    ])
  })

  it('follows a redirect on its protocol', { tags: 'long' }, () => {
    expect(load(`${base}/moved.yaml`, true).diagnostics).toEqual([])
  })

  it.each([
    ['/nothing.yaml', 'the response has the status 404'],
    ['/elsewhere.yaml', 'it redirects to ftp:'],
    ['/circle.yaml', 'it redirects too often'],
    ['/bytes.yaml', 'it is not UTF-8 text'],
  ])('to %s is an error that says why: %s', { tags: 'long' }, (path, why) => {
    const [first] = load(base + path, true).diagnostics
    expect(first).toMatchObject({ code: 'reference-file-missing', message: expect.stringContaining(why) })
  })
})

describe('reading a remote file', () => {
  it('ends in time, whatever the server does', () => {
    expect(readRemote(`${base}/silent.yaml`, { timeout: 300 })).toEqual({
      reason: 'there was no response in time',
    })
  })

  it('ends at its limit of bytes', { tags: 'long' }, () => {
    expect(readRemote(`${base}/large.yaml`, { bytes: 4999 })).toEqual({
      reason: 'it has more than 4999 bytes',
    })
    expect(readRemote(`${base}/large.yaml`, { bytes: 5000 })).toEqual({ text: 'x'.repeat(5000) })
  })

  it('ends at limits that hold for all files of a document', { tags: 'long' }, () => {
    const limits = { files: 3, bytes: 6000, milliseconds: 60_000 }
    const files = new RemoteFiles(limits)
    expect(files.read(`${base}/large.yaml`)).toEqual({ text: 'x'.repeat(5000) })
    expect(files.read(`${base}/large.yaml`)).toEqual({ reason: 'it has more than 1000 bytes' })
    expect(files.read(`${base}/parts/owner.yaml`)).toHaveProperty('text')
    expect(files.read(`${base}/parts/owner.yaml`)).toEqual({
      reason: 'the document has more than 3 remote files',
    })
    const slow = new RemoteFiles({ ...limits, milliseconds: 200 })
    expect(slow.read(`${base}/silent.yaml`)).toEqual({ reason: 'there was no response in time' })
    expect(slow.read(`${base}/parts/owner.yaml`)).toEqual({
      reason: 'its remote files take more than 0.2 s together',
    })
  })

  it('speaks nothing but http and https, and sends no credentials', () => {
    expect(readRemote('file:///etc/hostname')).toMatchObject({ reason: expect.stringContaining('file:') })
    expect(readRemote(base.replace('//', '//u:p@'))).toEqual({ reason: 'its address holds credentials' })
  })
})
