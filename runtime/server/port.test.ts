import { expect, it } from 'vitest'
import { type AnyTypes, contractOf } from '../fixtures/contract.js'
import { createApiOf } from '../server.js'

const echo = { method: 'POST', path: '/echo' } as const

const api = createApiOf<AnyTypes, unknown, unknown, string>(contractOf({ echo }), {
  handlers: { default: { echo: (params: unknown) => params } },
  limits: { bodyBytes: 40, bodyValues: 10 },
  logger: false,
})

it.each([
  ['as many bytes as a body may have', `{"a":"${'é'.repeat(16)}"}`, undefined],
  ['more bytes', `{"a":"${'é'.repeat(17)}"}`, 'payload_too_large'],
  ['as many values as a body may have', '{"a":[1,2,3,4,5,6]}', undefined],
  ['more values', '{"a":[1,2,3,4,5,6,7,8,9]}', 'payload_too_large'],
])('a port takes params with the limits of bodies: %s', async (_, params, code) => {
  const { result, problem } = await api.port('x-lines').call({ operation: 'echo', params })
  expect(problem?.code).toBe(code)
  expect(result).toBe(code === undefined ? params : undefined)
})

it('a call without params has none', async () => {
  expect(await api.port('x-lines').call({ operation: 'echo' })).toEqual({ result: '{}' })
  expect(await api.port('x-lines').call({ operation: 'echo', params: undefined })).toEqual({ result: '{}' })
})

it.each([undefined, '', 'rest', 'x-'])('a port needs a name of its own, not %j', (name) => {
  expect(() => api.port(name as 'x-lines')).toThrow(
    `api.port needs a name that begins with x-, such as 'x-lines', not ${JSON.stringify(name)}`,
  )
})
