import { expect, it } from 'vitest'
import { adapted } from '../../test/adapt/adapted.js'
import type { AdaptedOperation, Verdict } from './adaptation.js'
import { derivedFile } from './derived-file.js'
import { keep } from './plan/plan.js'

const document = (codes: readonly number[]) => `
paths:
  /rates:
    get:
      x-rpc-method: rates.get
      parameters: [{ name: code, in: query, required: true, schema: { enum: ${JSON.stringify(codes)} } }]
      responses: { 204: { description: Done } }
`
const codes = Array.from({ length: 700 }, (_, index) => index)

it.each([
  ['few values are refused', codes.slice(0, -1), 5, 'held'],
  ['few values are refused', codes.slice(0, -1), 3000, 'failed'],
  ['many values are refused', codes.slice(0, 100), 1, 'refuted'],
  ['many values are refused', codes.slice(0, 100), 3000, 'refuted'],
])('the number of cases does not decide whether a plan is refuted: %s, %#', async (_, known, count, kind) => {
  const { adaptation, attacker } = await adapted(document(codes), document(known), { count })
  const [operation] = adaptation.operations
  if (operation?.after === undefined) throw new Error('The operation is gone')
  expect(attacker.attack('params', keep, operation.before, operation.after).kind).toBe(kind)
})

it('the derived file does not say how many values were tried', async () => {
  const { adaptation } = await adapted(document(codes), document(codes))
  const fileOf = (verdict: Verdict): string => {
    const operations = adaptation.operations.map((operation): AdaptedOperation => {
      const parts = operation.parts.map((part) => ({ ...part, kind: 'derived' as const, verdict }))
      return { ...operation, kind: 'derived', parts }
    })
    return derivedFile({ ...adaptation, operations }, { older: 'a', next: 'b' })
  }
  expect(fileOf({ kind: 'held', cases: 100 })).toBe(fileOf({ kind: 'held', cases: 3000 }))
  expect(fileOf({ kind: 'held', cases: 100 })).toContain('params passes as it is: tried, not proved')
  expect(fileOf({ kind: 'proved' })).toContain('params passes as it is: proved')
})
