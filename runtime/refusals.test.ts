import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtInErrors } from './contract/catalogue.js'
import { ProblemError, toProblem } from './contract/problem.js'
import { billing, key } from './fixtures/billing.js'
import { type Served, type ServedResponse, serveNode } from './fixtures/serve.js'

const bytes = 16 * 1024
const long = 'n'.repeat(100_000)
const wide = Array(1000).fill('9007199254740993').join()
const control = '\\u0001'.repeat(5000)
const unknown = Array.from({ length: 2000 }, (_, i) => `"${'x'.repeat(300)}${i}":1`).join()
const call = (params: string, method = 'clients.update') =>
  `{"jsonrpc":"2.0","id":"${'\\u0001'.repeat(256)}","method":"${method}","params":${params}}`

/** Bodies whose full errors would be long. */
const bodies: [string, string][] = [
  ['numbers below a long name', `{"${long}":[${wide}]}`],
  ['numbers below a long name within another', `{"${long}":{"${long}":[${wide}]}}`],
  ['a long name of control characters', `{"credit":{"${control}":1e999},"${control}":1}`],
  ['a long name of slashes', `{"${'/~'.repeat(50_000)}":[1e999]}`],
  ['many unknown names', `{${unknown}}`],
  ['a long number', `{"credit":${'9'.repeat(100_000)}}`],
]

describe('refusals have at most 16 KiB', () => {
  let served: Served
  beforeAll(async () => {
    served = await serveNode(billing())
  })
  afterAll(() => served.close())
  const expectShort = ({ text }: ServedResponse) => expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes)

  test.each(bodies)('over REST: %s', async (_, body) => {
    const answer = await served.ask('/clients/7', { method: 'PATCH', headers: key, body })
    expect(answer.json.code).toBe('validation_failed')
    expect(answer.json.errors.length).toBeGreaterThan(0)
    expectShort(answer)
  })

  // A param of any type may have any member names.
  test.each(bodies.filter(([name]) => name !== 'many unknown names'))(
    'over REST, as one param: %s',
    async (_, body) => {
      expectShort(await served.ask('/notes', { method: 'PUT', body }))
    },
  )

  test.each(bodies)('over JSON-RPC: %s', async (_, body) => {
    const answer = await served.rpc(call(body), key)
    expect(answer.json.error.data.errors.length).toBeGreaterThan(0)
    expectShort(answer)
    expectShort(await served.rpc(call(body, 'nope')))
  })

  test('query strings of many faults', async () => {
    const faults = Array.from({ length: 1000 }, (_, i) => `${'x'.repeat(5)}${i}=%ff`).join('&')
    const answer = await served.ask(`/lnp/gateways?${faults}`)
    expect(answer.json.errors).toHaveLength(50)
    expectShort(answer)
  })

  test('the calls of a batch share the limit, and each reports at least one violation', async () => {
    const params = `{${Array.from({ length: 40 }, (_, i) => `"${'x'.repeat(90)}${i}":1`).join()}}`
    const one = `{"jsonrpc":"2.0","id":1,"method":"lnp.gateways.search","params":${params}}`
    const { json, text } = await served.rpc(`[${Array(100).fill(one).join()}]`, key)
    const told = json.map((each: { error: { data: { errors: unknown[] } } }) => each.error.data.errors.length)
    expect(told).toEqual(Array(100).fill(1))
    // Without violations, and with one.
    expect(Buffer.byteLength(text)).toBeLessThan(100 * 600)
    const few = await served.rpc(`[${one},${one}]`)
    expect(few.json[0].error.data.errors.length).toBeGreaterThan(20)
  })
})

test('cuts long errors to the limit, never within a character', () => {
  const violations = Array.from({ length: 50 }, () => ({
    path: `/${'😀'.repeat(1000)}`,
    keyword: 'type',
    message: 'must be integer',
  }))
  const error = new ProblemError('validation_failed', { detail: `x${'😀'.repeat(10_000)}`, violations })
  const problem = toProblem(error, builtInErrors)
  const text = JSON.stringify(problem)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes)
  expect(text).not.toMatch(/\\ud[89a-f]/i)
  expect(problem.errors?.length).toBeGreaterThan(5)
})

test('leaves errors within the limit unchanged', () => {
  const violations = Array.from({ length: 50 }, (_, i) => ({
    path: `/items/${i}/amount`,
    keyword: 'type',
    message: 'must be integer',
  }))
  const error = new ProblemError('validation_failed', { detail: 'See errors.', violations })
  expect(toProblem(error, builtInErrors)).toMatchObject({ detail: 'See errors.', errors: violations })
})
