import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createClientOf,
  type JsonRpcTransport,
  jsonrpc,
  type RestTransport,
  rest,
} from '../../runtime/client.js'
import { type Served, serveExpress, serveNode } from '../../runtime/fixtures/serve.js'
import { type Contract, createApiOf } from '../../runtime/index.js'
import { generate } from '../scenarios/scenario.js'

// A document with everything that documents of a few hundred operations hold, generated and served.

const folder = fileURLToPath(new URL('.', import.meta.url))
const scopes: unknown[] = []
let directory: string
let contract: Contract
let served: Served
let base: string
const closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  const { files, diagnostics } = await generate(readFileSync(join(folder, 'kitchen-sink.yaml'), 'utf8'))
  expect(diagnostics).toEqual([])
  mkdirSync(join(folder, '.data'), { recursive: true })
  directory = mkdtempSync(join(folder, '.data', 'out-'))
  for (const [path, text] of files) writeFileSync(join(directory, path), text)
  contract = (await import(join(directory, 'index.ts'))).contract
  served = await serveNode(api())
  closing.push(served.close)
  base = `http://127.0.0.1:${served.port}/api/v2`
})

afterAll(async () => {
  for (const close of closing) await close()
  rmSync(directory, { recursive: true, force: true })
})

async function describeFile(value: unknown): Promise<unknown> {
  if (value instanceof Blob) return { bytes: [...new Uint8Array(await value.arrayBuffer())] }
  if (Array.isArray(value)) return Promise.all(value.map(describeFile))
  return value
}

async function described(params: object): Promise<object> {
  const entries = Object.entries(params).map(async ([name, value]) => [name, await describeFile(value)])
  return Object.fromEntries(await Promise.all(entries))
}

const pixel = new Uint8Array([137, 80, 78, 71, 0, 255])
let streamEnded: (() => void) | undefined

interface Given {
  reply: { status(status: number): Given['reply']; header(name: string, value: string): Given['reply'] }
}

const handlers = {
  charges: { create: (params: object) => params },
  files: {
    upload: described,
    replace: async ({ body }: { body: Blob }) => (body.size === 0 ? null : body.size),
    get: ({ name }: { name: string }, { reply }: Given) => {
      reply.header('ETag', `"${name}"`)
      return name === 'bytes' ? pixel : new Blob([pixel], { type: 'image/png' })
    },
  },
  notes: { replace: ({ body }: { body: string }) => body.toUpperCase() },
  events: {
    stream: async function* ({ count }: { count: number }) {
      try {
        for (let n = 1; n <= count; n++) yield { n }
      } finally {
        streamEnded?.()
      }
    },
  },
  lines: {
    stream: async function* () {
      yield { a: 1 }
      yield { a: 2 }
    },
  },
  jobs: {
    start: ({ wait }: { wait: boolean }, { reply }: Given) => {
      if (wait) return { done: true }
      reply.status(202).header('Location', '/jobs/1')
      return { job: '1' }
    },
  },
  search: { run: (params: object) => params, beta: (params: object) => ({ beta: params }) },
  matrix: { get: (params: object) => params },
  avatars: { create: described },
  secrets: { list: () => [] },
}

function api(options: object = {}) {
  return createApiOf<never, unknown, unknown, string>(contract, {
    handlers,
    authenticate: (_: unknown, call: { scopes: unknown }) => {
      scopes.push(call.scopes)
      return {}
    },
    ...options,
  } as never)
}

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const ask = (path: string, options?: Parameters<Served['ask']>[1]) => served.ask(`/api/v2${path}`, options)

type Call = (name: string, params?: object) => Promise<unknown>

function clientOf(transport: RestTransport | JsonRpcTransport): Call {
  const { operations, errors } = contract
  const client = createClientOf<{ call: Call }>({ operations, errors }, { transport, auth: bearerToken })
  return (name, params) => client.call(name, params)
}

const bearerToken = { headers: () => ({ Authorization: 'Bearer t' }) }

describe.each([
  ['REST', () => clientOf(rest(base))],
  ['JSON-RPC', () => clientOf(jsonrpc(base))],
])('over %s', (_, connect) => {
  test('a form with nested objects, arrays, maps and coerced values arrives as it was sent', async () => {
    const charge = {
      amount: 5,
      card: { number: '007', expires: { year: 2030 } },
      items: [{ price: 1.5, tags: ['a', 'b'] }, { price: 2 }],
      metadata: { order: '12' },
      limits: { day: 10 },
      expand: ['x', 'y'],
    }
    expect(await connect()('charges.create', charge)).toEqual({ ...charge, live: false })
    expect(await connect()('charges.create', { amount: 1, metadata: '' })).toMatchObject({ metadata: '' })
  })

  test('files arrive as Blobs, from a Blob and from bytes', async () => {
    const sent = {
      file: new Blob([pixel]),
      icon: pixel,
      pages: [new Blob(['p1']), new Uint8Array([1])],
      count: 2,
      note: 'hi',
      options: { deep: true },
    }
    expect(await connect()('files.upload', sent)).toEqual({
      file: { bytes: [...pixel] },
      icon: { bytes: [...pixel] },
      pages: [{ bytes: [112, 49] }, { bytes: [1] }],
      count: 2,
      note: 'hi',
      options: { deep: true },
    })
  })

  test('a body that is a file is the param body', async () => {
    expect(await connect()('files.replace', { name: 'a', body: pixel })).toBe(6)
  })

  test('a file is answered as a Blob of its type', async () => {
    for (const name of ['bytes', 'blob']) {
      const file = await connect()('files.get', { name })
      expect(file).toBeInstanceOf(Blob)
      expect((file as Blob).type).toBe('image/png')
      expect(new Uint8Array(await (file as Blob).arrayBuffer())).toEqual(pixel)
    }
  })

  test('text goes and comes as text', async () => {
    expect(await connect()('notes.replace', { body: 'grün' })).toBe('GRÜN')
    await expect(connect()('notes.replace', { body: 'far too long a note' })).rejects.toMatchObject({
      code: 'validation_failed',
    })
  })

  test('a stream is collected', async () => {
    expect(await connect()('events.stream')).toBe('data: {"n":1}\n\ndata: {"n":2}\n\n')
    expect(await connect()('lines.stream')).toBe('{"a":1}\n{"a":2}\n')
  })

  test('each success of several is a result', async () => {
    expect(await connect()('jobs.start')).toEqual({ done: true })
    expect(await connect()('jobs.start', { wait: false })).toEqual({ job: '1' })
  })

  test('parameters of every style arrive as they were sent', async () => {
    const params = {
      filter: { min: 3 },
      page: { size: 10, sort: [{ by: 'name', desc: true }, { by: 'id' }] },
      'X-Options': { text: 'größer' },
      track: [1, 2],
    }
    expect(await connect()('search.run', params)).toEqual(params)
    expect(await connect()('search.beta', { q: 'x' })).toEqual({ beta: { q: 'x' } })
    const point = { point: { x: 1, y: -2 }, tags: ['a', 'b'] }
    expect(await connect()('matrix.get', point)).toEqual(point)
  })

  test('a body of two contents takes either', async () => {
    expect(await connect()('avatars.create', { url: 'https://x.test' })).toEqual({ url: 'https://x.test' })
    expect(await connect()('avatars.create', { image: pixel, size: 3 })).toEqual({
      image: { bytes: [...pixel] },
      size: 3,
    })
    await expect(connect()('avatars.create', { url: 'x', size: 3 })).rejects.toMatchObject({ status: 400 })
  })

  test('the hook is told the scopes', async () => {
    await connect()('secrets.list')
    expect(scopes.at(-1)).toEqual({ oauth: ['read', 'list'] })
  })
})

describe('REST', () => {
  test('reads forms as frameworks write them', async () => {
    const body =
      'amount=5&live=true&expand[]=a&expand[1]=b&items[0][price]=1&items[0][tags][]=t&items[][price]=2&card%5Bexpires%5D%5Byear%5D=2030'
    expect((await ask('/charges', { method: 'POST', headers: form, body })).json).toEqual({
      amount: 5,
      live: true,
      expand: ['a', 'b'],
      items: [{ price: 1, tags: ['t'] }, { price: 2 }],
      card: { expires: { year: 2030 } },
    })
  })

  test.each([
    ['amount=x', '/amount', 'type'],
    ['amount=1&amount=2', '/amount', 'duplicate'],
    ['amount=1&items[7][price]=2', '/items/7', 'index'],
    ['amount=1&card[expires]=x&card[expires][year]=1', '/card/expires', 'duplicate'],
    ['amount=1&other=2', '/other', 'additionalProperties'],
    ['amount=1&__proto__[x]=2', '/__proto__[x]', 'additionalProperties'],
    ['amount=1&limits={', '/limits', 'json'],
    ['amount=%ff', '/amount', 'encoding'],
  ])('refuses the form %s at %s', async (body, path, keyword) => {
    const { status, json } = await ask('/charges', { method: 'POST', headers: form, body })
    expect(status).toBe(400)
    expect(json.errors).toContainEqual(expect.objectContaining({ path, keyword }))
  })

  test('refuses what an operation does not accept, and says what it would like', async () => {
    const { status, headers } = await ask('/charges', { method: 'POST', body: { amount: 1 } })
    expect(status).toBe(415)
    expect(headers['accept-post']).toBe('application/x-www-form-urlencoded')
    const broken = { 'Content-Type': 'multipart/form-data; boundary=b' }
    expect((await ask('/files', { method: 'POST', headers: broken, body: 'no parts' })).status).toBe(400)
    const large = { method: 'PUT', headers: { 'Content-Type': 'image/png' }, body: Buffer.alloc(2 ** 20 + 1) }
    expect((await ask('/files/a', large)).status).toBe(413)
  })

  test('takes a JSON part with a file name for what it says', async () => {
    const body = new FormData()
    body.append('file', new Blob(['x']), 'x.txt')
    body.append('count', '2')
    body.append('options', new Blob(['{"deep":true}'], { type: 'application/json' }))
    const answer = await fetch(`${base}/files`, { method: 'POST', body })
    expect(answer.status).toBe(201)
    expect(await answer.json()).toEqual({ file: { bytes: [120] }, count: 2, options: { deep: true } })
  })

  test('answers files with their type, length and headers, to HEAD without the bytes', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { headers, status, text } = await ask('/files/a', { method })
      expect([status, headers['content-type'], headers['content-length'], headers.etag]).toEqual([
        200,
        'image/png',
        '6',
        '"a"',
      ])
      expect(text === '').toBe(method === 'HEAD')
    }
  })

  test('answers the status that the handler chose, and none of a body where there is no result', async () => {
    const later = await ask('/jobs?wait=false', { method: 'POST' })
    expect([later.status, later.headers.location]).toEqual([202, '/jobs/1'])
    const empty = await ask('/files/a', { method: 'PUT', headers: { 'Content-Type': 'image/gif' }, body: '' })
    expect(empty.status).toBe(400)
  })

  test('streams events one by one and stops when the caller goes', async () => {
    const ended = new Promise<void>((resolve) => {
      streamEnded = resolve
    })
    const request = http.get(`${base}/events?count=1000000000`)
    const [response] = await new Promise<[http.IncomingMessage]>((resolve) =>
      request.on('response', (got) => resolve([got])),
    )
    expect(response.headers['content-type']).toBe('text/event-stream')
    const first: Buffer = await new Promise((resolve) => response.once('data', resolve))
    expect(first.toString()).toMatch(/^data: \{"n":1\}\n\n/)
    request.on('error', () => {})
    response.on('error', () => {})
    request.destroy()
    await ended
    streamEnded = undefined
  })

  test('tells operations apart by a fixed query parameter', async () => {
    expect((await ask('/search?beta=true&q=x')).json).toEqual({ beta: { q: 'x' } })
    expect((await ask('/search?filter={"min":1}')).json).toEqual({ filter: { min: 1 } })
    expect((await ask('/search?beta=no')).status).toBe(400)
  })
})

describe('the base path', () => {
  test('is that of the document, for REST and JSON-RPC', async () => {
    expect((await served.ask('/secrets')).status).toBe(404)
    expect((await served.ask('/', { method: 'POST', body: {} })).status).toBe(404)
    expect((await served.ask('/api/v2x/secrets')).status).toBe(404)
    for (const root of ['/api/v2', '/api/v2/']) {
      const body = { jsonrpc: '2.0', id: 1, method: 'jobs.start' }
      expect((await served.ask(root, { method: 'POST', body })).json.result).toEqual({ done: true })
    }
  })

  test('can be another, or none', async () => {
    const other = await serveNode(api({ basePath: '/x' }))
    const none = await serveNode(api({ basePath: '' }))
    closing.push(other.close, none.close)
    expect((await other.ask('/x/events')).status).toBe(200)
    expect((await other.ask('/events')).status).toBe(404)
    expect((await none.ask('/events')).status).toBe(200)
    expect(() => api({ basePath: 'x' })).toThrow('which is no path')
  })

  test('is taken off by a mount that ends with it, and needs none', async () => {
    for (const [mount, path] of [
      [undefined, '/api/v2/events'],
      ['/api/v2', '/events'],
      ['/outer/api/v2', '/events'],
      ['/outer', '/api/v2/events'],
    ] as const) {
      const under = await serveExpress(api(), mount === undefined ? {} : { mount })
      closing.push(under.close)
      expect((await under.ask(path)).status, `${mount} ${path}`).toBe(200)
    }
  })
})

test('in process, files go in and come out as Blobs and streams are whole', async () => {
  const call = api().call as unknown as (name: string, params: object) => Promise<unknown>
  expect(await call('files.upload', { file: pixel, count: 1 })).toEqual({
    file: { bytes: [...pixel] },
    count: 1,
  })
  expect(await call('files.get', { name: 'bytes' })).toBeInstanceOf(Blob)
  expect(await call('lines.stream', {})).toBe('{"a":1}\n{"a":2}\n')
})

test('a stream that is too long for JSON-RPC is refused there', async () => {
  const small = await serveNode(api({ limits: { answerBytes: 20 } }))
  closing.push(small.close)
  const body = { jsonrpc: '2.0', id: 1, method: 'events.stream', params: { count: 5 } }
  const { json } = await small.ask('/api/v2', { method: 'POST', body })
  expect(json.error.data.code).toBe('payload_too_large')
})
