import express from 'express'
import { describe, expect, test } from 'vitest'
import { billing, key } from '../fixtures/billing.js'
import { served, serveExpress } from '../fixtures/serve.js'
import { keepRawBody } from './body.js'

describe('body parsers that ran before', () => {
  test('may leave text or bytes, which the api reads exactly', async () => {
    for (const parser of [express.text({ type: '*/*' }), express.raw({ type: '*/*' })]) {
      const server = await served(serveExpress(billing(), { parsers: [parser] }))
      const patch = (body: string) => server.ask('/clients/7', { method: 'PATCH', headers: key, body })
      expect((await patch('{"credit": 1.5}')).json).toEqual({ id: 7, credit: 1.5 })
      expect((await patch('{"credit": 9007199254740993}')).json.errors).toMatchObject([{ keyword: 'exact' }])
      expect((await patch('{')).json.code).toBe('parse_error')
    }
  })
})

describe('numbers under a body parser', () => {
  const patch = async (parser: express.RequestHandler, body: string, options = {}) => {
    const server = await served(serveExpress(billing(options), { parsers: [parser] }))
    return server.ask('/clients/7', { method: 'PATCH', headers: key, body })
  }
  const [cent, million] = ['{"credit": 100.00000000000000001}', '{"credit": 1000000}']

  test('are read exactly if it keeps the bytes', async () => {
    const parser = express.json({ verify: keepRawBody })
    expect((await patch(parser, cent)).json.errors).toMatchObject([{ path: '/credit', keyword: 'exact' }])
    expect((await patch(parser, million)).json).toEqual({ id: 7, credit: 1_000_000 })
  })

  test('are all refused without the bytes, and the log says what to do', async () => {
    const told: unknown[] = []
    const onCall = ({ error }: { error?: unknown }) => told.push(String(error))
    for (const body of [cent, million]) {
      const { status, json } = await patch(express.json(), body, { onCall })
      expect([status, json.code]).toEqual([500, 'internal_error'])
      expect(JSON.stringify(json)).not.toMatch(/parser|keepRawBody/)
    }
    const remedy = expect.stringMatching(/Mount the api before it.*verify: keepRawBody.*acceptParsedBodies/)
    expect(told).toEqual([remedy, remedy])
  })

  test('are refused without the bytes over JSON-RPC too', async () => {
    const server = await served(serveExpress(billing(), { parsers: [express.json()] }))
    const { status, json } = await server.rpc({ jsonrpc: '2.0', id: 1, method: 'echo.any', params: { a: 1 } })
    expect([status, json.error.code, json.error.data.code]).toEqual([200, -32603, 'internal_error'])
    expect(JSON.stringify(json)).not.toMatch(/parser|keepRawBody/)
  })

  test('are accepted with the option, except those that it may have rounded; the log says why once', async () => {
    // The first line is about a missing handler.
    const told: string[] = []
    const logger = { error: () => undefined, warn: (_: object, message: string) => told.push(message) }
    const server = await served(
      serveExpress(billing({ acceptParsedBodies: true, logger }), { parsers: [express.json()] }),
    )
    for (const round of [1, 2]) {
      const body = '{"credit": 9007199254740993}'
      const { json } = await server.ask('/clients/7', { method: 'PATCH', headers: key, body })
      expect([round, json.errors]).toEqual([
        round,
        [{ path: '/credit', keyword: 'exact', message: 'must be a number of at most 15 digits' }],
      ])
    }
    expect(told.slice(1)).toEqual([
      expect.stringMatching(/rounded.*Mount the api before.*verify: keepRawBody/),
    ])
    const accepting = { acceptParsedBodies: true }
    expect((await patch(express.json(), million, accepting)).status).toBe(200)
  })
})

describe('a body that other code has read', () => {
  const swallowed: express.RequestHandler = (request, _, next) => {
    request.resume().on('end', () => next())
  }

  test('is a fault of the service, and its log says what to do', async () => {
    const lines: string[] = []
    const logger = {
      error: (details: { err?: unknown }) => lines.push(String(details.err)),
      warn: () => undefined,
    }
    const server = await served(serveExpress(billing({ logger }), { parsers: [swallowed] }))
    const rest = await server.ask('/clients/7', { method: 'PATCH', headers: key, body: { credit: 1 } })
    const rpc = await server.rpc({ jsonrpc: '2.0', id: 1, method: 'echo.any' })
    expect([rest.status, rest.json.code]).toEqual([500, 'internal_error'])
    expect(rpc.json.error.data.code).toBe('internal_error')
    expect(lines).toEqual([
      expect.stringContaining('Mount the api before it'),
      expect.stringContaining('Mount the api before it'),
    ])
  })
})

describe('a JSON string under a body parser', () => {
  const put = async (parser: express.RequestHandler, headers: Record<string, string> = {}) => {
    const api = billing({ acceptParsedBodies: true })
    const server = await served(serveExpress(api, { parsers: [parser] }))
    return (await server.ask('/notes', { method: 'PUT', headers, body: '"[1]"' })).json
  }
  const chunked = { 'Transfer-Encoding': 'chunked' }

  test('is parsed once', async () => {
    expect(await put(express.json({ strict: false }))).toEqual({ note: '[1]' })
    expect(await put(express.text({ type: '*/*' }))).toEqual({ note: '[1]' })
    expect(await put(express.json({ strict: false, verify: keepRawBody }), chunked)).toEqual({ note: '[1]' })
  })

  test('is refused if it may or may not have been parsed', async () => {
    expect(await put(express.json({ strict: false }), chunked)).toMatchObject({
      code: 'internal_error',
    })
  })
})
