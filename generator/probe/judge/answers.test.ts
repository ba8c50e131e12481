import { expect, it } from 'vitest'
import type { Model, Operation } from '../../model/model.js'
import type { Declarations } from './declarations.js'
import { rpcFaults } from './judge-rpc.js'
import type { Outcome } from './outcome.js'
import { parityFaults } from './parity.js'
import { toolAnswerOf } from './tool-answer.js'

const declarations = { position: () => ({}) } as unknown as Declarations
const operation = {
  source: { pointer: '#' },
  rest: { answers: [{ kind: 'binary', type: 'image/png' }] },
} as unknown as Operation
const answer = { status: 200, headers: {}, body: '', isWhole: true, ms: 1 }
const rpcBody = (result: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, result })

it('compares no stream, which it does not read, with the same result in one piece', async () => {
  const one = { protocol: 'rest', verdict: 'accepted', answer: { ...answer, isWhole: false } } as Outcome
  const other = { protocol: 'jsonrpc', verdict: 'accepted', result: 'data: 1', answer } as Outcome
  const one2 = { ...one, answer } as Outcome
  const faults = (first: Outcome) =>
    parityFaults(
      declarations,
      operation,
      { kind: 'valid', params: {}, what: '' },
      first,
      other,
      async () => first,
    )
  expect(await faults(one)).toEqual([])
  expect((await faults(one2)).map(({ kind }) => kind)).toEqual(['protocols-differ'])
})

it('takes base64 text over JSON-RPC for the file that it is', () => {
  const isFile = (value: unknown) => value instanceof Blob
  const faults = rpcFaults(
    {} as Model,
    declarations,
    operation,
    Object.assign(isFile, { errors: [{ message: 'no file', instancePath: '' }] }) as never,
    '',
    { ...answer, body: rpcBody('bW9jaw==') },
  )
  expect(faults).toEqual([])
})

it('misses the resultType of a result over MCP (MCP 2026-07-28, Result)', () => {
  const of = (result: object) => toolAnswerOf({ tool: undefined }, { ...answer, body: rpcBody(result) })
  expect(of({ content: [] })).toBe('The result over MCP has no resultType')
  expect(of({ content: [], resultType: 'complete' })).toEqual({ kind: 'result', result: null })
})

it('reads integers of 64 bits exactly over JSON-RPC', () => {
  const seen: unknown[] = []
  const json = { ...operation, rest: { answers: [{ kind: 'json' }] } } as unknown as Operation
  const keep = (value: unknown) => seen.push(value) > 0
  const body = '{"jsonrpc":"2.0","id":1,"result":{"id":9223372036854775807}}'
  expect(rpcFaults({} as Model, declarations, json, keep, '', { ...answer, body })).toEqual([])
  expect(seen).toEqual([{ id: 9223372036854775807n }])
})
