import express from 'express'
import { expect, test, vi } from 'vitest'
import type { Coercion } from '../../contract/operation.js'
import { type AnyTypes, contractOf } from '../../fixtures/contract.js'
import { served, serveExpress, serveNode } from '../../fixtures/serve.js'
import { createApiOf } from '../../server.js'

const contract = contractOf({
  upload: {
    body: { required: true, kind: 'fields', media: [{ type: 'multipart/form-data', kind: 'multipart' }] },
    params: {},
  },
})
const options = { handlers: { default: { upload: (params: object) => Object.keys(params).length } } }
const upload = (parts: number, boundary = 'b', type = `multipart/form-data; boundary=${boundary}`) => {
  const mark = boundary.replaceAll('"', '')
  const part = (_: unknown, i: number) =>
    `--${mark}\r\nContent-Disposition: form-data; name="n${i}"\r\n\r\n1\r\n`
  const body = `${Array.from({ length: parts }, part).join('')}--${mark}--\r\n`
  return { method: 'POST', headers: { 'Content-Type': type }, body }
}
const refusal = (parts: number) => ({
  status: 413,
  json: { code: 'payload_too_large', detail: `A body may have at most ${parts} parts.` },
})

test('a multipart body may have a thousand parts; with more it is not parsed', async () => {
  const server = await served(serveNode(createApiOf<AnyTypes, unknown>(contract, options)))
  expect(await server.ask('/upload', upload(1_000))).toMatchObject({ status: 200, json: 1_000 })
  const parse = vi.spyOn(Response.prototype, 'formData')
  expect(await server.ask('/upload', upload(1_001))).toMatchObject(refusal(1_000))
  expect(await server.ask('/upload', upload(10_000, '"quoted b"'))).toMatchObject(refusal(1_000))
  expect(parse).not.toHaveBeenCalled()
  parse.mockRestore()
})

test('the limit of parts is an option', async () => {
  const limits = { bodyParts: 2 }
  const server = await served(serveNode(createApiOf<AnyTypes, unknown>(contract, { ...options, limits })))
  expect((await server.ask('/upload', upload(2))).json).toBe(2)
  expect(await server.ask('/upload', upload(3))).toMatchObject(refusal(2))
})

test('refuses a multipart body without a boundary', async () => {
  const server = await served(serveNode(createApiOf<AnyTypes, unknown>(contract, options)))
  const { status, json } = await server.ask('/upload', upload(1, 'b', 'multipart/form-data'))
  expect([status, json.code]).toEqual([400, 'parse_error'])
})

test('an empty form is an empty object if the whole body is one param', async () => {
  const media = [{ type: 'application/x-www-form-urlencoded', kind: 'form' }] as const
  const whole = contractOf({
    upload: { body: { required: true, kind: 'param', media }, params: { required: ['body'] } },
  })
  const server = await served(
    serveNode(
      createApiOf<AnyTypes, unknown>(whole, {
        handlers: { default: { upload: (params: object) => params } },
      }),
    ),
  )
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  expect((await server.ask('/upload', { method: 'POST', headers, body: '' })).json).toEqual({ body: {} })
  expect(
    (await server.ask('/upload', { method: 'POST', headers: { 'Content-Type': 'text/plain' } })).status,
  ).toBe(400)
})

const urlencoded = 'application/x-www-form-urlencoded'
const field = (name: string, explode: boolean, coerce: Coercion) =>
  ({ name, param: name, in: 'query', required: false, style: 'form', explode, coerce }) as const
const forms = contractOf({
  upload: {
    body: {
      required: true,
      kind: 'fields',
      media: [
        {
          type: urlencoded,
          kind: 'form',
          fields: [
            field('tags', false, { types: ['array'], items: { types: ['string'] } }),
            field('range', true, { types: ['object'], properties: { min: { types: ['integer'] } } }),
            {
              ...field('point', true, { types: ['object'], values: { types: ['integer'] } }),
              style: 'deepObject',
            },
            { ...field('free', true, { types: ['object'] }), json: true },
          ],
        },
      ],
    },
    params: {},
  },
})
const body = `tags=a,b&min=1&point[x]=3&free=${encodeURIComponent('{"q":"1"}')}&other=x`

test.each([true, false])(
  'a form that a parser has read means the same as its text, extended %j',
  async (extended) => {
    const sent = { method: 'POST', headers: { 'Content-Type': urlencoded }, body }
    const handlers = { default: { upload: (params: object) => params } }
    const api = (more: object) => createApiOf<AnyTypes, unknown>(forms, { handlers, logger: false, ...more })
    const parsers = [express.urlencoded({ extended })]
    const unread = await served(serveExpress(api({})))
    const accepting = await served(serveExpress(api({ acceptParsedBodies: true }), { parsers }))
    const refusing = await served(serveExpress(api({}), { parsers }))
    const { json } = await unread.ask('/upload', sent)
    expect(json).toMatchObject({ tags: ['a', 'b'], range: { min: 1 }, point: { x: 3 }, free: { q: '1' } })
    expect((await accepting.ask('/upload', sent)).json).toEqual(json)
    expect(await refusing.ask('/upload', sent)).toMatchObject({
      status: 500,
      json: { code: 'internal_error' },
    })
  },
)
