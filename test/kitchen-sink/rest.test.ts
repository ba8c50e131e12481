import http from 'node:http'
import { afterAll, describe, expect, test } from 'vitest'
import { streams } from './handlers.js'
import { startKitchenSink } from './service.js'

const sink = await startKitchenSink()
const { ask, base } = sink
afterAll(sink.stop)

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

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

  test('refuses an unaccepted media type, and names the accepted ones', async () => {
    const { status, headers } = await ask('/charges', { method: 'POST', body: { amount: 1 } })
    expect(status).toBe(415)
    expect(headers['accept-post']).toBe('application/x-www-form-urlencoded')
    const broken = { 'Content-Type': 'multipart/form-data; boundary=b' }
    expect((await ask('/files', { method: 'POST', headers: broken, body: 'no parts' })).status).toBe(400)
    const large = { method: 'PUT', headers: { 'Content-Type': 'image/png' }, body: Buffer.alloc(2 ** 20 + 1) }
    expect((await ask('/files/a', large)).status).toBe(413)
  })

  test('reads a JSON part with a file name as JSON', async () => {
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

  test('sends the status that the handler chose, and no body without a result', async () => {
    const later = await ask('/jobs?wait=false', { method: 'POST' })
    expect([later.status, later.headers.location]).toEqual([202, '/jobs/1'])
    const empty = await ask('/files/a', { method: 'PUT', headers: { 'Content-Type': 'image/gif' }, body: '' })
    expect([empty.status, empty.text]).toEqual([204, ''])
  })

  test('reads an empty body with a Content-Type as an empty file, else as a missing body', async () => {
    const body = { method: 'PUT', body: '' }
    expect((await ask('/files/a', { ...body, headers: { 'Content-Type': 'image/gif' } })).status).toBe(204)
    expect((await ask('/files/a', body)).status).toBe(400)
  })

  test('answers a documented 3xx that the handler chose, or 304 for null, with nothing in it', async () => {
    const moved = await ask('/cached?state=moved')
    expect([moved.status, moved.text, moved.headers.location]).toEqual([302, '', '/elsewhere'])
    expect((await ask('/cached?state=same')).status).toBe(304)
    expect((await ask('/cached')).json).toEqual({ fresh: 'absent' })
  })

  test('answers a status without content with no body and no type of one', async () => {
    const { status, text, headers } = await ask('/touched')
    expect([status, text, headers['content-type'], headers['content-length']]).toEqual([
      200,
      '',
      undefined,
      '0',
    ])
  })

  test('treats an empty value as missing if the document allows it', async () => {
    expect((await ask('/cached?fresh=')).json).toEqual({ fresh: 'absent' })
    expect((await ask('/cached?fresh=true')).json).toEqual({ fresh: true })
    expect((await ask('/cached?state=moved&fresh=no')).status).toBe(400)
  })

  test('keeps the members of an open body apart from the path', async () => {
    const answer = { key: 1, body: { key: 'b', other: 'c' } }
    expect((await ask('/labels/1', { method: 'POST', body: answer.body })).json).toEqual(answer)
    expect((await ask('/labels/1', { method: 'POST', headers: form, body: 'key=b&other=c' })).json).toEqual(
      answer,
    )
  })

  test('does not require a read-only field with the name of a path parameter', async () => {
    const ask1 = (body: object) => ask('/users/1/', { method: 'PUT', body })
    expect((await ask1({ login: 'a' })).json).toEqual({ id: 1, login: 'a' })
    expect((await ask1({ id: 1, login: 'a' })).json).toEqual({ id: 1, login: 'a' })
    expect((await ask1({ id: 2, login: 'a' })).status).toBe(400)
  })

  test.skipIf(sink.isRemote)('streams events one by one and stops when the caller goes', async () => {
    const ended = new Promise<void>((resolve) => {
      streams.ended = resolve
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
    streams.ended = undefined
  })

  test('distinguishes operations by a fixed query parameter', async () => {
    expect((await ask('/search?beta=true&q=x')).json).toEqual({ beta: { q: 'x' } })
    expect((await ask('/search?filter={"min":1}')).json).toEqual({ filter: { min: 1 } })
    expect((await ask('/search?beta=no')).status).toBe(400)
  })

  test('reads body fields of a GET from the query, coerced, and from the body', async () => {
    const params = { limit: 3, tags: [1, 2], near: { x: 0.5 } }
    const query = 'limit=3&tags=1&tags=2&near={"x":0.5}'
    expect((await ask(`/lookups?${query}`)).json).toEqual(params)
    // A Web-standard request has no body for GET.
    if (sink.isRemote) return
    expect((await ask('/lookups', { method: 'GET', body: params })).json).toEqual(params)
    expect((await ask('/lookups?limit=3', { method: 'GET', body: { limit: 4 } })).status).toBe(400)
  })
})
