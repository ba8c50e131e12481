import { describe, expect, test } from 'vitest'
import { createClientOf } from '../../client/client.js'
import { ApiError, isApiError } from '../../client/client-error.js'
import { ProblemError } from '../../contract/problem.js'
import type { Problem } from '../../contract/problem-details.js'
import { apiOf } from '../../fixtures/api.js'
import { contractOf } from '../../fixtures/contract.js'
import { served, serveNode } from '../../fixtures/serve.js'
import { jsonrpc } from '../../jsonrpc/client/transport.js'
import { rest } from '../../rest/client/transport.js'
import type { ErrorMapping } from './error-body.js'

const fault = {
  type: 'object',
  required: ['message'],
  properties: { message: { type: 'string' }, code: { type: 'string' } },
  additionalProperties: false,
}
const definitions = {
  get: {
    method: 'GET',
    path: '/things',
    parameters: [],
    failures: {
      '404': { binding: { type: 'application/vnd.fault+json', schema: 'Fault' }, body: fault },
      '410': { binding: false, body: {} },
      '4XX': { binding: { schema: 'Fault' }, body: fault },
    },
  },
} as const

/** A service whose handler fails with the codes in turn. */
async function failing(codes: string[], errors: ErrorMapping<unknown>, logged: unknown[] = []) {
  const handlers = {
    default: {
      get: () => {
        throw new ProblemError(codes.shift() ?? 'not_found', { detail: 'Gone.' })
      },
    },
  }
  const logger = { error: ({ err }: { err?: unknown }) => logged.push(String(err)), warn: () => {} }
  return await served(
    serveNode(
      apiOf(
        definitions,
        { handlers, errors, logger },
        {},
        { gone: { title: 'Gone', status: 410, rpc: -32010 } },
      ),
    ),
  )
}

test('logs one warning without the option errors, when the api is created', () => {
  const plain = { list: { method: 'GET', path: '/plain', parameters: [] } } as const
  const handlers = { default: { get: () => null, list: () => null } }
  const warned = (of: Parameters<typeof apiOf>[0], more: object): unknown[] => {
    const lines: unknown[] = []
    const logger = { error: () => {}, warn: (...line: unknown[]) => void lines.push(line) }
    apiOf(of, { handlers, logger, ...more })
    return lines
  }
  const message =
    'The document declares error bodies for get, but callers receive problem+json: give createApi the option errors'
  expect(warned({ ...definitions, ...plain }, {})).toEqual([[{ operation: 'get' }, message]])
  expect(warned(definitions, { errors: () => undefined })).toEqual([])
  expect(warned(definitions, { logger: false })).toEqual([])
  expect(warned(plain, {})).toEqual([])
})

const call = { jsonrpc: '2.0', id: 1, method: 'get' }

describe('a document with error bodies of its own', () => {
  test('sends them over REST, and the same object as error.data', async () => {
    const told: unknown[] = []
    const server = await failing([], ({ code, detail }: Problem, declared) => {
      told.push(declared)
      return { message: `${code}: ${detail}` }
    })
    const answered = await server.ask('/things')
    expect(answered.status).toBe(404)
    expect(answered.headers).toMatchObject({
      'content-type': 'application/vnd.fault+json',
      'problem-code': 'not_found',
    })
    expect(JSON.parse(answered.text)).toEqual({ message: 'not_found: Gone.' })
    expect((await server.rpc(call)).json.error).toEqual({
      code: -32004,
      message: 'Not found',
      data: { message: 'not_found: Gone.' },
    })
    const declared = { operation: 'get', response: '404', schema: 'Fault' }
    expect(told).toEqual([declared, declared])
  })

  test('falls back from the status to its range, then to problems', async () => {
    const server = await failing(['conflict', 'unavailable', 'gone'], (_, declared) => {
      return declared === undefined ? undefined : { message: declared.response }
    })
    expect((await server.ask('/things')).json).toEqual({ message: '4XX' })
    for (const code of ['unavailable', 'gone']) {
      const { headers, json } = await server.ask('/things')
      expect([headers['content-type'], json]).toMatchObject(['application/problem+json', { code }])
    }
  })

  test("answers an unknown path with the mapping's undeclared body", async () => {
    const server = await failing([], ({ status }, declared) => ({
      status,
      isDeclared: declared !== undefined,
    }))
    const { headers, json } = await server.ask('/nowhere')
    expect([headers['content-type'], json]).toEqual(['application/json', { status: 404, isDeclared: false }])
  })

  test.each([
    ['that its schema does not allow', () => ({ text: 'wrong' }), /invalid: .*message/],
    ['that is no JSON', () => ({ message: 'x', code: 1n }), /invalid|BigInt/],
    [
      'that was not made, since the mapping threw',
      () => {
        throw new Error('broken')
      },
      /broken/,
    ],
  ])('sends a problem instead of a body %s, and logs that', async (_, errors, message) => {
    const logged: string[] = []
    const server = await failing([], errors, logged)
    const { headers, json } = await server.ask('/things')
    expect([headers['content-type'], json]).toMatchObject(['application/problem+json', { code: 'not_found' }])
    expect((await server.rpc(call)).json.error.data).toMatchObject({ code: 'not_found', status: 404 })
    expect(logged).toEqual([expect.stringMatching(message), expect.stringMatching(message)])
  })
})

describe('a client of such a document', () => {
  const contract = contractOf(definitions)
  const codes = () => ['conflict', 'rate_limited']
  const caught = (promise: Promise<unknown>) => promise.catch((error: unknown) => error)
  interface Client {
    get(): Promise<unknown>
  }

  test('reads code and body, over both protocols alike', async () => {
    // The body has its own code, which is not in the catalogue.
    const mapping: ErrorMapping<unknown> = ({ title }) => ({ message: title, code: 'E-17' })
    for (const protocol of [rest, jsonrpc]) {
      const server = await failing(codes(), mapping)
      const client = createClientOf<Client>(contract, {
        transport: protocol(`http://127.0.0.1:${server.port}`),
        retry: false,
      })
      for (const [code, title, status] of [
        ['conflict', 'Conflict', 409],
        ['rate_limited', 'Too many requests', 429],
      ]) {
        const error = await caught(client.get())
        expect(error).toBeInstanceOf(ApiError)
        expect(error).toMatchObject({ code, status, title, body: { message: title, code: 'E-17' } })
        expect(isApiError(error, String(code), 'get')).toBe(true)
        expect(isApiError(error, String(code), 'put')).toBe(false)
      }
    }
  })

  test('reads bodies of its own with the media type of problems, over both protocols', async () => {
    const schema = { type: 'object', required: ['traceId'], properties: { traceId: { type: 'string' } } }
    const type = 'application/problem+json'
    const get = { ...definitions.get, failures: { default: { binding: { type }, body: schema } } }
    const handlers = {
      default: {
        get: () => {
          throw new ProblemError('conflict')
        },
      },
    }
    const own = { type: 'about:blank', title: 'Conflict', status: 409, traceId: 't-1' }
    for (const [mapping, body] of [
      [() => own, own],
      [() => undefined, undefined],
    ] as const) {
      const server = await served(serveNode(apiOf({ get }, { handlers, errors: mapping })))
      expect((await server.ask('/things')).headers['content-type']).toBe(type)
      for (const protocol of [rest, jsonrpc]) {
        const client = createClientOf<Client>(contractOf({ get }), {
          transport: protocol(`http://127.0.0.1:${server.port}`),
        })
        expect(await caught(client.get())).toMatchObject({ code: 'conflict', status: 409, body })
      }
    }
  })

  test('reads problems of a service that has no mapping', async () => {
    for (const protocol of [rest, jsonrpc]) {
      const server = await failing(['conflict'], () => undefined)
      const client = createClientOf<Client>(contract, {
        transport: protocol(`http://127.0.0.1:${server.port}`),
        retry: false,
      })
      expect(await caught(client.get())).toMatchObject({ code: 'conflict', detail: 'Gone.', body: undefined })
    }
  })
})
