import { describe, expect, test } from 'vitest'
import type { HttpResponse } from '../../client/transport-exchange.js'
import { builtInErrors } from '../../contract/catalogue.js'
import type { AnswerMedia, Method, Operation } from '../../contract/operation.js'
import { isFile, restResult } from './transport-response.js'

function operation(
  method: Method,
  errors: readonly string[] = [],
  answers?: readonly AnswerMedia[],
): Operation {
  return {
    name: 'things.check',
    source: '#',
    rest: { method, path: '/things', parameters: [], status: 200, ...(answers && { answers }) },
    rpc: 'things.check',
    security: [],
    errors,
    idempotent: true,
    datetimes: {},
  }
}

const bodiless: HttpResponse = {
  status: 404,
  mediaType: 'application/problem+json',
  text: '',
  retryAfterMs: undefined,
  problemCode: null,
  headers: new Headers(),
}

function thrown(answer: Partial<HttpResponse>, errors: readonly string[] = []): unknown {
  try {
    return restResult(operation('HEAD', errors), { ...bodiless, ...answer }, builtInErrors)
  } catch (error) {
    return error
  }
}

describe('an error response to HEAD has no body', () => {
  test('and is the problem in its header', () => {
    expect(thrown({ problemCode: 'not_found' })).toMatchObject({
      name: 'ApiError',
      code: 'not_found',
      rpcCode: -32004,
      problem: { type: 'urn:problem-type:not_found', title: 'Not found', status: 404, code: 'not_found' },
    })
  })

  test("and without the header is the operation's only code with its status", () => {
    expect(thrown({ mediaType: '' }, ['conflict', 'not_found'])).toMatchObject({ code: 'not_found' })
  })

  test('and is an unknown_error if several codes, or none, have its status', () => {
    expect(thrown({ status: 401 }, ['invalid_token', 'unauthenticated'])).toMatchObject({
      code: 'unknown_error',
      status: 401,
    })
    expect(thrown({})).toMatchObject({ code: 'unknown_error', status: 404 })
  })

  test("and is not the service's if its body would be a page, or if it redirects", () => {
    const unexpected = { name: 'TransportError', reason: 'unexpected_response' }
    expect(thrown({ mediaType: 'text/html' })).toMatchObject(unexpected)
    expect(thrown({ status: 302, mediaType: '' })).toMatchObject(unexpected)
  })

  test('and has its own title if its code is a name of Object.prototype', () => {
    expect(thrown({ problemCode: 'constructor' })).toMatchObject({
      code: 'constructor',
      title: 'constructor',
    })
  })
})

test('reads a response as bytes, with any type, if the operation only returns files', () => {
  const zip: AnswerMedia = { type: 'application/zip', kind: 'binary' }
  expect(isFile(operation('GET', [], [zip]), 'image/png', 200)).toBe(true)
  expect(isFile(operation('GET', [], [zip]), 'application/problem+json', 404)).toBe(false)
  const json: AnswerMedia = { type: 'application/json', kind: 'json' }
  expect(isFile(operation('GET', [], [zip, json]), 'image/png', 200)).toBe(false)
})

test.each([204, 304])('an answer of files has no file where its status has no content: %s', (status) => {
  const zip: AnswerMedia = { type: 'application/zip', kind: 'binary' }
  const { rest, ...others } = operation('GET', [], [zip])
  const files = { ...others, rest: { ...rest, statuses: [200, 204, 304] } }
  expect(isFile(files, '', status)).toBe(false)
})

describe('JSON under a media type with another name', () => {
  const text = '{"a":1}'
  const answer: HttpResponse = { ...bodiless, status: 200, mediaType: 'application/vnd.thing', text }
  const { rest, ...rests } = operation('GET')

  test('is read if the document declares it for the only success', () => {
    const single = { ...rests, rest: { ...rest, jsonType: 'application/vnd.thing' } }
    expect(restResult(single, answer, builtInErrors)).toEqual({ a: 1 })
  })

  test('is read if the document declares it among others', () => {
    const answers: AnswerMedia[] = [
      { type: 'application/vnd.thing', kind: 'json' },
      { type: 'text/csv', kind: 'text' },
    ]
    expect(restResult({ ...rests, rest: { ...rest, answers } }, answer, builtInErrors)).toEqual({ a: 1 })
    expect(
      restResult(
        { ...rests, rest: { ...rest, answers } },
        { ...answer, mediaType: 'text/csv' },
        builtInErrors,
      ),
    ).toBe(text)
  })

  test('is read if the document declares it for an error', () => {
    const failures = { '404': { type: 'application/vnd.thing' }, default: false } as const
    const failed = () => restResult({ ...rests, rest, failures }, { ...answer, status: 404 }, builtInErrors)
    expect(failed).toThrow(expect.objectContaining({ status: 404, body: { a: 1 } }))
  })

  test('is unexpected if the document does not declare it', () => {
    expect(() => restResult({ ...rests, rest }, answer, builtInErrors)).toThrow('the response is not JSON')
  })

  test('is read if the name ends in +json', () => {
    for (const mediaType of ['text/json', 'image/svg+json'])
      expect(restResult({ ...rests, rest }, { ...answer, mediaType }, builtInErrors)).toEqual({ a: 1 })
  })
})
