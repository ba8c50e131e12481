import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runDuet } from '../in-process.js'

let server: Server | undefined
let cwd: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-test-'))
  writeFileSync(join(cwd, 'api.yaml'), document)
})
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  rmSync(cwd, { recursive: true })
})

const document = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
servers: [{ url: /v1 }]
paths:
  /items:
    get:
      operationId: items.list
      parameters: [{ name: tag, in: query, schema: { type: string } }]
      responses: { '200': { description: Fine, content: { application/json: { schema: { type: array } } } } }
`

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const test = (...args: string[]) => runDuet(cwd, ['test', ...args, '--rate', '9999', '--seed', '1'])

it('says that nothing listens, in one line', async () => {
  const url = await serve(() => {})
  server?.close()
  await new Promise((resolve) => server?.once('close', resolve))
  expect(await test(url)).toEqual({
    ...{ code: 3, out: '' },
    err: `${url} does not answer: nothing listens at its port (ECONNREFUSED).\n`,
  })
  expect(await test(url, '--spec', 'api.yaml')).toEqual({
    ...{ code: 3, out: '' },
    err: `${url} does not answer: nothing listens at its port (ECONNREFUSED).\n`,
  })
})

it.each<[string, RequestListener, string]>([
  [
    'an HTML page',
    (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Hello'),
    '/openapi.json answers with an HTML page (200). Name the document: --spec FILE.',
  ],
  [
    'a redirect to another origin, which it does not follow',
    (_, response) => response.writeHead(301, { location: 'https://elsewhere.example/' }).end(),
    '/openapi.json redirects to https://elsewhere.example/ (301), which is not followed. If that is the server, test that address. Name the document: --spec FILE.',
  ],
  [
    'no document',
    (_, response) => response.writeHead(404).end(),
    '/openapi.json answers 404. Name the document: --spec FILE.',
  ],
])('says in one line that the server has %s', async (_, listener, line) => {
  const url = await serve(listener)
  expect(await test(url)).toEqual({ code: 3, out: '', err: `${url}${line}\n` })
})

it.each<[string, RequestListener, string]>([
  [
    'answers with an HTML page',
    (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Hello'),
    'answers every call with an HTML page (200).',
  ],
  [
    'redirects',
    (_, response) => response.writeHead(302, { location: '/login?next=%2F' }).end(),
    'redirects every call (302), to /login?next=%2F. Redirects are not followed. If that is the server, test that address.',
  ],
])('says in one line that a server with another document %s', async (_, listener, line) => {
  const url = await serve(listener)
  expect(await test(url, '--spec', 'api.yaml')).toEqual({
    ...{ code: 3, out: '' },
    err: `${url}/v1 ${line}\n`,
  })
})

it('waits for a busy server no longer than the run lasts', async () => {
  const url = await serve((_, response) => response.writeHead(503, { 'retry-after': '9' }).end())
  const { code, out } = await test(url, '--spec', 'api.yaml', '--time', '8', '--format', 'json')
  // One wait would be 9 s, so each request is sent once.
  expect([code, JSON.parse(out).findings.length]).toEqual([1, 1])
})

it('sends no bound that a double would round beyond it', async () => {
  const bound = 2n ** 63n - 1n
  writeFileSync(
    join(cwd, 'api.yaml'),
    document.replace('{ type: string }', `{ type: integer, minimum: -7, maximum: ${bound} }`),
  )
  const tags: string[] = []
  const url = await serve((request, response) => {
    const tag = new URL(request.url ?? '', 'http://x').searchParams.get('tag') ?? '0'
    tags.push(tag)
    const isValid = /^-?\d+$/.test(tag) && BigInt(tag) <= bound && BigInt(tag) >= -7n
    response.writeHead(isValid ? 200 : 400, { 'content-type': 'application/json' }).end('[]')
  })
  const { out } = await test(url, '--spec', 'api.yaml', '--format', 'json')
  const found: { kind: string }[] = JSON.parse(out).findings
  expect(found.filter(({ kind }) => kind === 'valid-call-refused')).toEqual([])
  expect(tags).toContain('-7')
})

it.each([
  [2n ** 63n - 1n, 0],
  [2n ** 63n, 1],
])('reads integers of 64 bits exactly: %s has %i findings', async (id, count) => {
  writeFileSync(
    join(cwd, 'api.yaml'),
    document.replace('{ type: array }', '{ type: array, items: { type: integer, format: int64 } }'),
  )
  const url = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(`[1, ${id}]`),
  )
  const { out } = await test(url, '--spec', 'api.yaml', '--format', 'json')
  const messages: string[] = JSON.parse(out).findings.map(({ message }: { message: string }) => message)
  expect(messages).toHaveLength(count)
  for (const message of messages) expect(message).not.toContain('duet.config.json')
})

it('says that the paths are elsewhere', async () => {
  const url = await serve((_, response) => response.writeHead(404).end())
  expect(await test(`${url}/api`, '--spec', 'api.yaml')).toEqual({
    ...{ code: 3, out: '' },
    err: `${url}/api answers every call with 404: the document's paths are elsewhere. The path of its first server is /v1.\n`,
  })
})

it('prepends the path of the first server, unless the address has one', async () => {
  const paths: string[] = []
  const url = await serve((request, response) => {
    paths.push(request.url?.split('?')[0] ?? '')
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
  })
  await test(url, '--spec', 'api.yaml')
  await test(`${url}/deep/`, '--spec', 'api.yaml')
  expect([...new Set(paths)]).toEqual(['/v1/items', '/deep/items'])
})

it.each([
  [['localhost:8080'], 'localhost:8080 is not an address. Write http://HOST:PORT or https://HOST.'],
  [
    ['http://ada:secret@127.0.0.1'],
    'The address must not have a password. Credentials come from the environment: see --help.',
  ],
  [
    ['http://127.0.0.1', '--data', 'none.yaml', '--spec', 'api.yaml'],
    'none.yaml cannot be read: there is no such file.',
  ],
])('refuses wrong usage: %j', async (args, line) => {
  const { code, err } = await test(...args)
  expect({ code, err }).toEqual({ code: 2, err: `${line}\n` })
})

it.each([
  [
    'operations: { items.lst: { skip: true } }',
    'the document has no operation "items.lst". Did you mean items.list?',
  ],
  ['operations: { items.list: { skip: maybe } }', 'skip of items.list must be true or false.'],
  ['param: {}', 'unknown name "param". Known names: params, operations.'],
])('refuses a data file with a typing error: %s', async (text, line) => {
  writeFileSync(join(cwd, 'data.yaml'), text)
  const { code, err } = await test('http://127.0.0.1:9', '--spec', 'api.yaml', '--data', 'data.yaml')
  expect({ code, err }).toEqual({ code: 2, err: `data.yaml: ${line}\n` })
})

it('takes values from the data file, and leaves operations out', async () => {
  const asked = new Set<string>()
  const url = await serve((request, response) => {
    asked.add(request.url ?? '')
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
  })
  writeFileSync(join(cwd, 'data.yaml'), 'params: { tag: blue }')
  await test(url, '--spec', 'api.yaml', '--data', 'data.yaml')
  expect([...asked]).toContain('/v1/items?tag=blue')
  asked.clear()
  writeFileSync(join(cwd, 'data.yaml'), 'operations: { items.list: { skip: true } }')
  const { out } = await test(url, '--spec', 'api.yaml', '--data', 'data.yaml')
  expect(out).toContain('the data file leaves it out: items.list')
  expect([...asked]).toEqual([])
})

it('waives findings until their day, and records shapes without values', async () => {
  const url = await serve((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"status":"s3cret","ann@example.com":[1]}'),
  )
  const args = [
    url,
    '--spec',
    'api.yaml',
    '--waivers',
    'waivers.yaml',
    '--record',
    'shapes.json',
    '--format',
    'json',
  ]
  writeFileSync(join(cwd, 'waivers.yaml'), '')
  const first = await test(...args)
  expect(first.code).toBe(1)
  const [{ fingerprint, kind }] = JSON.parse(first.out).findings
  expect(kind).toBe('body-invalid')
  const waiver = (expires: string) =>
    `- { fingerprint: '${fingerprint}', owner: Ada, reason: known, expires: '${expires}' }\n`
  writeFileSync(join(cwd, 'waivers.yaml'), waiver('2999-12-31'))
  expect((await test(...args)).code).toBe(0)
  writeFileSync(join(cwd, 'waivers.yaml'), waiver('2020-12-31'))
  const late = await test(...args)
  expect(late.code).toBe(1)
  expect(late.err).toContain('waiver-expired')
  const shapes = readFileSync(join(cwd, 'shapes.json'), 'utf8')
  expect(shapes).not.toContain('s3cret')
  expect(JSON.parse(shapes)['items.list']['rest 200'].body).toEqual({
    types: ['object'],
    // The document has no name of a member. `status` is one of problems.
    members: { status: { types: ['string'] }, '*': { types: ['array'], items: { types: ['integer'] } } },
  })
  writeFileSync(join(cwd, 'waivers.yaml'), waiver('2999-12-31').replace(' }', ', operation: items.get }'))
  const other = await test(...args)
  expect(other.code).toBe(1)
  expect(other.err).toContain('waiver-mismatch')
})

it('says that a document has nothing to test', async () => {
  writeFileSync(join(cwd, 'api.yaml'), document.replace(/paths:.*/s, 'paths: {}'))
  const url = await serve((_, response) => response.writeHead(404).end())
  expect(await test(url, '--spec', 'api.yaml')).toMatchObject({
    code: 3,
    err: 'NOTHING WAS TESTED: the document has no operations.\n',
  })
})

it.each<[string, RequestListener, string]>([
  [
    'redirects every call',
    (_, response) => response.writeHead(302, { location: '/login' }).end(),
    'redirects every call (302), to /login.',
  ],
  [
    'answers every call with a page',
    (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    'answers every call with an HTML page (200).',
  ],
])(
  'says so in one line if something else %s, also if responses are described loosely',
  async (_, listener, line) => {
    const operation = (id: string, responses: string) =>
      `  /${id}: { get: { operationId: ${id}.get, responses: { ${responses} } } }\n`
    const loose =
      operation('a', 'default: { description: Any }') + operation('b', "'200': { description: Fine }")
    writeFileSync(join(cwd, 'api.yaml'), document + loose)
    const url = await serve(listener)
    const { code, out, err } = await test(url, '--spec', 'api.yaml')
    expect({ code, out }).toEqual({ code: 3, out: '' })
    expect(err).toMatch(/^[^\n]*\n$/)
    expect(err).toContain(line)
  },
)

it('tests an operation that answers with a redirect, or a page, as its document says', async () => {
  const responses = "'200': { description: A, content: { text/html: {} } }, '302': { description: B }"
  writeFileSync(
    join(cwd, 'api.yaml'),
    document.replace(/ {6}responses:.*\n/, `      responses: { ${responses} }\n`),
  )
  const url = await serve((request, response) =>
    request.url?.includes('?')
      ? response.writeHead(302, { location: '/a' }).end()
      : response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  )
  expect(await test(url, '--spec', 'api.yaml')).toMatchObject({ code: 0, err: '' })
})

it('tests the others if one operation hangs up', async () => {
  const url = await serve((request, response) => {
    if (request.url?.startsWith('/v1/items')) request.socket.end('no HTTP\r\n\r\n')
    else response.writeHead(404).end()
  })
  const { code, out } = await test(url, '--spec', 'api.yaml', '--format', 'json')
  expect([code, JSON.parse(out).findings.map(({ kind }: { kind: string }) => kind)]).toEqual([
    1,
    ['no-response'],
  ])
})

it('reports a body that nests too deep to read', async () => {
  const url = await serve((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('['.repeat(100_000) + ']'.repeat(100_000)),
  )
  const { code, out, err } = await test(url, '--spec', 'api.yaml', '--format', 'json')
  expect([code, err]).toEqual([1, ''])
  expect(JSON.parse(out).findings.map(({ message }: { message: string }) => message)).toEqual([
    'The body of the response nests deeper than 500 levels, so it was not read',
  ])
})

it('says that a server does not speak https, in words', async () => {
  const url = (await serve((_, response) => response.end())).replace('http:', 'https:')
  const { code, err } = await test(url, '--spec', 'api.yaml')
  expect(code).toBe(3)
  expect(err).toMatch(
    /^https:\/\/\S+ does not answer: (it does not speak https|TLS failed, so it may not speak https) \(\w+\)\.\n$/,
  )
})
