import { afterEach, expect, it, vi } from 'vitest'
import { connectionOf } from '../../../templates/reference/script/connection.js'
import type { Settings, Tried } from '../../../templates/reference/script/page.js'
import { prepared } from '../../../templates/reference/script/request.js'
import { modelOf } from '../../../test/fixtures/samples.js'
import { examplesOf } from '../example.js'
import { settingsOf } from '../settings.js'
import { tryItOf } from '../try-it.js'

afterEach(() => void vi.unstubAllGlobals())

const int64 = { type: 'integer', format: 'int64' }
const form = { type: 'object', properties: { whole: int64 } }
const model = modelOf({
  openapi: '3.1.0',
  info: { title: 'Numbers', version: '1.0.0' },
  paths: {
    '/numbers/{id}': {
      put: {
        'x-rpc-method': 'numbers.put',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: int64 },
          { name: 'plain', in: 'query', schema: { type: 'integer' } },
          { name: 'list', in: 'query', schema: { type: 'array', items: int64 } },
          { name: 'range', in: 'query', style: 'deepObject', schema: { properties: { from: int64 } } },
          { name: 'X-Whole', in: 'header', schema: int64 },
          { name: 'text', in: 'query', schema: { type: ['integer', 'string'] } },
        ],
        requestBody: { content: { 'application/x-www-form-urlencoded': { schema: form } } },
        responses: { 204: { description: 'Done' } },
      },
    },
  },
})
const [operation] = model.operations
if (operation === undefined) throw new Error('The model has no operation')
const settings = JSON.parse(settingsOf(model, '')) as Settings
const tried = JSON.parse(tryItOf(model)(operation, await examplesOf(model)(operation))) as Tried
const overRest = (params: Record<string, unknown>) => {
  vi.stubGlobal('location', new URL('http://service/reference/'))
  return prepared('rest', { operation: tried.operation, params }, connectionOf(settings))
}

// Whether the service has int64 as a number or as a bigint, only the service knows.
it('Try it sends the digits of integers that no double holds wherever REST has them', async () => {
  const [id, least, most] = [9007199254740993n, -(2n ** 63n), 2n ** 63n - 1n]
  const { url, request } = await overRest({
    id,
    plain: id,
    list: [1, most],
    range: { from: least },
    'X-Whole': most,
    whole: id,
  })
  const { pathname, searchParams } = new URL(url)
  expect(pathname).toBe('/numbers/9007199254740993')
  expect([...searchParams].toSorted().map((pair) => pair.join('='))).toEqual([
    'list=1',
    'list=9223372036854775807',
    'plain=9007199254740993',
    'range[from]=-9223372036854775808',
  ])
  expect(request.headers['X-Whole'] ?? request.headers['x-whole']).toBe('9223372036854775807')
  expect(String(request.body)).toBe('whole=9007199254740993')
})

it('Try it says what REST would send where digits mean a text', async () => {
  await expect(overRest({ id: 1, text: 9007199254740993n })).rejects.toMatchObject({
    violations: [
      {
        path: '/text',
        message: 'REST would send it as "9007199254740993"; call over JSON-RPC to send it as it is',
      },
    ],
  })
})
