import { afterAll, describe, expect, test } from 'vitest'
import { pixel } from './handlers.js'
import { startKitchenSink } from './service.js'

const sink = await startKitchenSink()
afterAll(sink.stop)

describe.each([
  ['REST', () => sink.overRest()],
  ['JSON-RPC', () => sink.overJsonRpc()],
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

  test('a status without content, a documented 3xx among them, is the result null', async () => {
    expect(await connect()('touched.get')).toBe(null)
    expect(await connect()('cached.get', { state: 'same' })).toBe(null)
    expect(await connect()('cached.get', { state: 'moved' })).toBe(null)
  })

  test("a body with members of any name is a param next to the path's", async () => {
    const params = { key: 1, body: { key: 'b' } }
    expect(await connect()('labels.set', params)).toEqual(params)
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

  test('text is sent and received as text', async () => {
    expect(await connect()('notes.replace', { body: 'grün' })).toBe('GRÜN')
    await expect(connect()('notes.replace', { body: 'far too long a note' })).rejects.toMatchObject({
      code: 'validation_failed',
    })
  })

  test('a stream is collected by name', async () => {
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

  test('a body with two media types accepts either', async () => {
    expect(await connect()('avatars.create', { url: 'https://x.test' })).toEqual({ url: 'https://x.test' })
    expect(await connect()('avatars.create', { image: pixel, size: 3 })).toEqual({
      image: { bytes: [...pixel] },
      size: 3,
    })
    await expect(connect()('avatars.create', { url: 'x', size: 3 })).rejects.toMatchObject({ status: 400 })
  })

  test.skipIf(sink.isRemote)('the hook receives the scopes', async () => {
    await connect()('secrets.list')
    expect(sink.scopes.at(-1)).toEqual({ oauth: ['read', 'list'] })
  })

  test('the body of a GET arrives as it was sent', async () => {
    const params = { limit: 3, tags: [1, 2], near: { x: 0.5 }, page: 1 }
    expect(await connect()('lookups.list', params)).toEqual(params)
  })
})
