import { describe, expect, it } from 'vitest'
import { pairingScore, pairingWarning } from './score.js'

/** The score of some pairs, each with the given similarity. */
function score(old: number, fresh: number, ...scores: number[]) {
  return pairingScore({ pairs: scores.map((one) => ({ score: one })) as never }, old, fresh)
}

describe('the pairing score', () => {
  it('is the share of the smaller document that has partners, so that a service may grow', () => {
    expect(score(2, 40, 1, 1)).toEqual({ old: 2, new: 40, paired: 2, score: 1 })
    expect(score(4, 3, 1, 0.8)).toEqual({ old: 4, new: 3, paired: 2, score: 0.6 })
    expect(score(0, 0).score).toBe(1)
    expect(score(3, 0).score).toBe(0)
  })

  it('warns below a quarter that the two are hardly one service', () => {
    expect(pairingWarning(score(12, 8, 1))).toBe(
      'Are these two versions of one service? Of 12 and 8 operations, 1 found a partner (pairing score 0.13).',
    )
    expect(pairingWarning(score(4, 8, 1))).toBeUndefined()
    expect(pairingWarning(score(0, 0))).toBeUndefined()
  })
})
