import { describe, expect, it } from 'vitest'
import { type AnyTypes, contractOf } from '../fixtures/contract.js'
import { createApiOf } from '../server.js'
import { textCheck } from './linear-pattern.js'
import { countingSteps } from './pattern-account.js'

/**
 * `(.*.{n}x)$` on texts without an x: each further character adds a position, up to n, and so up to 2n steps.
 */
function wide(n: number) {
  const positions = Array.from({ length: n }, (_, i) => (i + 1 < n ? [0, i + 2] : []))
  return textCheck({ every: [{ table: { runs: [0, 0], moves: [[0, 0, 0, 1], ...positions], ends: [0] } }] })
}

const short = 'a'.repeat(500)
const long = 'a'.repeat(3_000)

describe('the patterns of one call', () => {
  it('cannot decide a costly long text that they decide outside of a call', () => {
    const check = wide(400)
    expect(check.decides(long)).toBe(true)
    expect(countingSteps(() => check.decides(long))).toBe(false)
    expect(countingSteps(() => check.test(long))).toBe(false)
    expect(countingSteps(() => check.decides(short))).toBe(true)
    expect(check.decides(long)).toBe(true)
  })

  it('share a budget, so that many short texts cost no more than a long one', () => {
    const check = wide(400)
    const decided = countingSteps(() => Array.from({ length: 20 }, () => check.decides(short)))
    const few = decided.indexOf(false)
    // Some 300,000 steps each, of which 50,000 are the budget of their characters.
    expect(few).toBeGreaterThan(2)
    expect(few).toBeLessThan(8)
    expect(decided.slice(few)).toEqual(decided.slice(few).fill(false))
  })

  it('stay undecided after giving up, whatever is tested in between', () => {
    const [check, narrow] = [wide(400), wide(10)]
    const decided = countingSteps(() => [check.decides(long), narrow.decides(long), check.decides(short)])
    expect(decided).toEqual([false, true, false])
  })

  it('have a new budget in each call', { tags: 'long' }, async () => {
    const check = wide(400)
    const contract = contractOf({ 'texts.add': {} })
    const params = Object.assign((given: unknown) => check.test((given as { text: string }).text), {
      errors: [{ instancePath: '/text', keyword: 'pattern', message: 'no', params: {}, schemaPath: '' }],
    })
    const validators = {
      'texts.add': { params, result: () => true },
    } as unknown as typeof contract.validators
    const api = createApiOf<AnyTypes, unknown, unknown, never>(
      { ...contract, validators },
      { handlers: { texts: { add: () => null } } },
    )
    await expect(api.call('texts.add', { text: short })).resolves.toBeNull()
    await expect(api.call('texts.add', { text: long })).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(api.call('texts.add', { text: short })).resolves.toBeNull()
  })
})
