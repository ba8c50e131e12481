import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startMock } from '../../generator/mock/server.js'
import { sampleCalls } from '../../generator/samples/sample-calls.js'
import { isApiError, jsonrpc, rest } from '../../runtime/client.js'
import { runs } from '../runs.js'
import { type Call, type Ledger, startLedger } from './service.js'

const LEAST = -(2n ** 63n)
const MOST = 2n ** 63n - 1n

describe.each(['bigint', 'string'] as const)('int64 as %s', (mode) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await startLedger(mode)
  })
  afterAll(() => ledger.stop())

  const own = (value: bigint) => (mode === 'bigint' ? value : String(value))
  const ways = (): readonly (readonly [string, Call])[] => [
    ['REST', (name, params) => ledger.overRest.call(name, params)],
    ['JSON-RPC', (name, params) => ledger.overJsonRpc.call(name, params)],
    ['in process', ledger.inProcess],
  ]

  const int64 = fc
    .oneof(
      fc.bigInt({ min: LEAST, max: MOST }),
      fc.bigInt({ min: -10n, max: 10n }),
      fc.constantFrom(LEAST, MOST, 2n ** 53n, 2n ** 53n + 1n),
    )
    .map(own)
  const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(own)
  const { node } = fc.letrec((tie) => ({
    node: fc.record(
      { id: int64, below: fc.array(tie('node'), { maxLength: 2, depthIdentifier: 'node' }) },
      { requiredKeys: ['id'] },
    ),
  }))
  const everything = fc.record(
    {
      id: int64,
      ids: fc.array(int64, { minLength: 1, maxLength: 3 }),
      after: int64,
      many: fc.array(fc.option(int64), { minLength: 1, maxLength: 3 }),
      filter: fc.record({ least: int64 }),
      whole: node,
      'X-Trace': uint64,
      seat: int64,
      node,
      either: fc.oneof(fc.record({ big: int64 }), fc.record({ text: fc.string() })),
      map: fc.dictionary(fc.string(), int64),
      pair: fc.tuple(int64, fc.string()),
      plain: fc.integer(),
      kind: fc.constantFrom(1n, 2n).map(own),
      bounded: fc.bigInt({ min: 2n, max: MOST / 5n }).map((value) => own(value * 5n)),
      set: fc.uniqueArray(int64),
    },
    { requiredKeys: ['id', 'ids', 'after'] },
  )

  test('every value arrives and returns unchanged, in every position', async () => {
    await fc.assert(
      fc.asyncProperty(everything, async (params) => {
        for (const [way, call] of ways()) {
          const answered = await call('echo.everything', params)
          expect([way, ledger.given.at(-1)]).toEqual([way, params])
          expect([way, answered]).toEqual([way, params])
        }
      }),
      { numRuns: runs(15, 200) },
    )
  })

  test('a form and a body that is one integer are exact', async () => {
    await fc.assert(
      fc.asyncProperty(int64, node, async (id, below) => {
        for (const [way, call] of ways()) {
          expect([way, await call('echo.form', { id, node: below })]).toEqual([way, { id, node: below }])
          expect([way, await call('echo.whole', { body: id })]).toEqual([way, id])
        }
      }),
      { numRuns: runs(8, 100) },
    )
  })

  test('a default is filled in as the handler wants it', async () => {
    for (const [, call] of ways()) {
      await call('echo.everything', { id: own(1n), ids: [own(2n)] })
      expect(ledger.given.at(-1)).toMatchObject({ after: own(7n) })
    }
  })

  test('JSON carries numbers of all digits, by both protocols', async () => {
    const ids = '[9223372036854775807,-9223372036854775808,9007199254740993]'
    const overRest = await ledger.served.ask(
      `/echo/9223372036854775807/9223372036854775807,-9223372036854775808,9007199254740993?after=9007199254740993`,
      { method: 'POST', body: '{"map":{"a":9007199254740993.0},"plain":1}' },
    )
    expect(overRest.text).toContain(`"ids":${ids}`)
    expect(overRest.text).toContain('"after":9007199254740993')
    expect(overRest.text).toContain('"map":{"a":9007199254740993}')
    const overRpc = await ledger.served.rpc(
      `[{"jsonrpc":"2.0","id":1,"method":"echo.everything","params":{"id":1,"ids":${ids}}},{"jsonrpc":"2.0","id":2,"method":"echo.whole","params":{"body":9007199254740993}}]`,
    )
    expect(overRpc.text).toContain(`"ids":${ids}`)
    expect(overRpc.text).toContain('"id":2,"result":9007199254740993}')
  })

  test.each([
    ['beyond int64', { body: '9223372036854775808' }],
    ['far beyond', { body: '1e400' }],
    ['below int64', { body: '-9223372036854775809' }],
    ['a fraction', { body: '1.5' }],
    ['text', { body: '"1"' }],
  ])('%s is refused alike', async (_, { body }) => {
    const overRest = await ledger.served.ask('/whole', { method: 'PUT', body })
    const request = `{"jsonrpc":"2.0","id":1,"method":"echo.whole","params":{"body":${body}}}`
    const overRpc = await ledger.served.rpc(request)
    expect(overRest.json.code).toBe('validation_failed')
    expect(overRest.json.errors[0].path).toBe('/body')
    expect(overRpc.json.error.data.errors).toEqual(overRest.json.errors)
  })

  test.each([
    ['negative uint64', { 'X-Trace': own(-1n) }, '/X-Trace'],
    ['too large a uint64', { 'X-Trace': own(2n ** 64n) }, '/X-Trace'],
    ['less than the minimum', { bounded: own(5n) }, '/bounded'],
    ['no multiple', { bounded: own(MOST) }, '/bounded'],
    ['none of the enum', { kind: own(MOST) }, '/kind'],
    ['the same twice', { set: [own(MOST), own(MOST)] }, '/set'],
    ['too large in a branch', { either: { big: own(MOST + 1n) } }, '/either/big'],
    ['too large below', { node: { id: own(1n), below: [{ id: own(MOST + 1n) }] } }, '/node/below/0/id'],
  ])('%s is refused', async (_, wrong, path) => {
    for (const [way, call] of ways()) {
      const refusal = call('echo.everything', { id: own(1n), ids: [own(2n)], ...wrong })
      const violations = await refusal.catch(({ violations, problem }) => violations ?? problem.errors)
      const paths = (violations as { path: string }[]).map((violation) => violation.path)
      expect([way, paths]).toEqual([way, expect.arrayContaining([path])])
    }
  })

  test('an integer beyond doubles is refused for a number of the document', async () => {
    const params = '{"id":1,"ids":[1],"plain":9007199254740993}'
    const answer = await ledger.served.rpc(
      `{"jsonrpc":"2.0","id":1,"method":"echo.everything","params":${params}}`,
    )
    expect(answer.json.error.data.errors).toMatchObject([{ path: '/plain', keyword: 'exact' }])
  })

  test('a result that is not an int64 is an internal error, and is not sent', async () => {
    for (const [, call] of ways()) {
      ledger.answer({ id: own(MOST + 1n) })
      await expect(call('echo.everything', { id: own(1n), ids: [own(2n)] })).rejects.toMatchObject({
        code: 'internal_error',
      })
    }
  })

  test('a batch has all its calls exact', async () => {
    const calls = [MOST, LEAST].map((id) => ['echo.whole', { body: own(id) }] as const)
    expect(await ledger.overJsonRpc.batch(calls)).toEqual([
      { ok: true, result: own(MOST) },
      { ok: true, result: own(LEAST) },
    ])
  })

  test('pieces of streams are exact', async () => {
    for (const { streams } of [ledger.overRest, ledger.overJsonRpc]) {
      for await (const piece of streams.lines({ from: own(MOST) }))
        expect(piece).toEqual({ id: own(MOST), below: [{ id: own(MOST) }] })
      for await (const piece of streams.events({ from: own(LEAST) }))
        expect(piece).toMatchObject({ event: 'node', data: { id: own(LEAST) } })
    }
  })

  test('a declared header of the answer is exact', async () => {
    const { headers } = await ledger.overRest.echo.everything.withResponse({ id: own(MOST), ids: [own(1n)] })
    expect({ ...(headers as object) }).toEqual({ 'X-Count': own(MOST) })
  })

  test('an error body of the document is exact', async () => {
    for (const { call } of [ledger.overRest, ledger.overJsonRpc])
      await expect(call('errors.own', { id: own(MOST) })).rejects.toMatchObject({ body: { id: own(MOST) } })
  })

  test('extension members of a problem are exact', async () => {
    for (const { call } of [ledger.overRest, ledger.overJsonRpc])
      await expect(call('errors.credit', { id: own(MOST) })).rejects.toMatchObject({
        code: 'credit_exceeded',
        problem: { id: own(MOST) },
      })
  })

  test('a Standard Schema accepts and returns what its types declare', async () => {
    const standard = ledger.schemas['echo.whole']?.params['~standard']
    const validate = (value: unknown) => standard?.validate(value)
    expect(validate({ body: own(MOST) })).toEqual({ value: { body: own(MOST) } })
    expect(validate({ body: own(MOST + 1n) })).toMatchObject({ issues: [{ path: ['body'] }] })
  })

  test('a mock answers both protocols alike, the example whose params are called with first', async () => {
    const { model, contract } = ledger
    const mock = await startMock(model, contract, { host: '127.0.0.1', port: 0, seed: '1' })
    onTestFinished(() => mock.close())
    const params = { id: own(MOST), ids: [own(1n)] }
    const overRest = await ledger.createClient({ transport: rest(mock.url) }).call('echo.everything', params)
    const overRpc = await ledger
      .createClient({ transport: jsonrpc(mock.url) })
      .call('echo.everything', params)
    expect(overRpc).toEqual(overRest)
    expect(Object.keys(overRest as object)).toContain('id')
  })

  test('sample calls of every operation are taken', async () => {
    for (const { name, params } of sampleCalls(ledger.contract)) {
      const call = ledger.inProcess(name, params ?? {})
      const code = await call.then(
        () => 'success',
        (error) => error.code,
      )
      expect([name, code]).not.toEqual([name, 'validation_failed'])
    }
  })
})

describe('int64 as number', () => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await startLedger('number')
  })
  afterAll(() => ledger.stop())

  const beyond = {
    path: '/body',
    keyword: 'format',
    message:
      'must be an integer within ±(2^53 - 1), unless the service sets "int64" to "bigint" or "string" in its duet.config.json',
  }
  const ask = async (body: string) => {
    const overRest = await ledger.served.ask('/whole', { method: 'PUT', body })
    const request = `{"jsonrpc":"2.0","id":1,"method":"echo.whole","params":{"body":${body}}}`
    return { overRest: overRest.json, overRpc: (await ledger.served.rpc(request)).json }
  }

  test.each(['9007199254740991', '-9007199254740991'])('%s is the last that passes', async (body) => {
    const { overRest, overRpc } = await ask(body)
    expect([overRest, overRpc.result]).toEqual([Number(body), Number(body)])
  })

  test.each(['9007199254740992', '-9007199254740992', '18014398509481984'])(
    '%s may be another number rounded, and is refused',
    async (body) => {
      const { overRest, overRpc } = await ask(body)
      expect(overRest.errors).toEqual([beyond])
      expect(overRpc.error.data.errors).toEqual([beyond])
    },
  )

  test('a number that loses digits is refused with the same remedy', async () => {
    const { overRest, overRpc } = await ask('9007199254740993')
    expect(overRest.errors).toEqual([{ ...beyond, keyword: 'exact' }])
    expect(overRpc.error.data.errors).toEqual(overRest.errors)
  })

  test('a client refuses a bigint with the remedy', async () => {
    const sent = ledger.overRest.call('echo.whole', { body: 2n ** 60n })
    await expect(sent).rejects.toMatchObject({
      violations: [
        { path: '/body', message: expect.stringContaining('"int64": "bigint" in duet.config.json') },
      ],
    })
  })

  test('a result beyond the range is an internal error', async () => {
    for (const client of [ledger.overRest, ledger.overJsonRpc]) {
      ledger.answer(2 ** 53)
      expect(await outcome(client, 'echo.whole', { body: 1 })).toMatchObject({ code: 'internal_error' })
    }
  })

  test('a uint64 is any number without sign', async () => {
    expect(
      await outcome(ledger.overRest, 'echo.everything', { id: 1, ids: [2], 'X-Trace': 2 ** 53 }),
    ).toMatchObject({
      value: { 'X-Trace': 2 ** 53 },
    })
  })
})

// What the parity test of a project asks that `duet init` has made.
test.each(['number', 'bigint', 'string'] as const)(
  'sample calls end alike over both protocols where int64 is %s',
  async (mode) => {
    const ledger = await startLedger(mode)
    onTestFinished(() => ledger.stop())
    const codes: string[] = []
    for (const { name, params = {} } of sampleCalls(ledger.contract)) {
      const overRest = await outcome(ledger.overRest, name, params)
      expect([name, await outcome(ledger.overJsonRpc, name, params)]).toEqual([name, overRest])
      codes.push(overRest.code ?? 'success')
    }
    expect(codes).toContain('success')
    expect(codes).not.toContain('internal_error')
    expect(codes).not.toContain('validation_failed')
  },
)

interface Outcome {
  readonly code?: string
  readonly value?: unknown
}

async function outcome(client: Ledger['overRest'], name: string, params: object): Promise<Outcome> {
  try {
    return { value: await client.call(name, params) }
  } catch (error) {
    if (isApiError(error)) return { code: error.code, value: error.body }
    throw error
  }
}
