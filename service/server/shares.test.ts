import { describe, expect, it } from 'vitest'
import { Shares } from './shares.js'

describe('shares', () => {
  /** A node with capacity `most`, and calls that run until the test ends them. */
  function nodeOf(most: number) {
    let shed = 0
    const shares = new Shares({ isHalfTaken: (calls) => calls >= most / 2, onShed: () => (shed += 1) })
    return {
      shed: () => shed,
      /** Begins `count` calls of a caller. Returns how many were accepted, and a function that ends them. */
      begin: (who: string, count: number) => {
        const ends: (() => void)[] = []
        const calls = Array.from({ length: count }, () =>
          shares.run(who, () => new Promise<void>((resolve) => void ends.push(resolve))),
        )
        const ended = Promise.allSettled(calls)
        return {
          letIn: ends.length,
          end: async () => {
            for (const end of ends) end()
            return (await ended).flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
          },
        }
      },
    }
  }

  it('keep half of a node for others, however many calls one begins', async () => {
    const node = nodeOf(20)
    const greedy = node.begin('greedy', 100)
    expect(greedy.letIn).toBe(10)
    expect(node.begin('other', 3).letIn).toBe(3)
    expect(node.begin('greedy', 5).letIn).toBe(0)
    expect(node.shed()).toBe(95)
    const [refusal, ...more] = await greedy.end()
    expect(refusal).toMatchObject({ code: 'unavailable', retryAfter: 1 })
    expect(more).toHaveLength(89)
  })

  it('are returned when calls end, even failed ones', async () => {
    const node = nodeOf(4)
    await node.begin('greedy', 4).end()
    expect(node.begin('greedy', 4).letIn).toBe(2)
    const failing = new Shares({ isHalfTaken: (calls) => calls >= 1, onShed: () => {} })
    for (let count = 0; count < 3; count += 1) {
      await expect(failing.run('greedy', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    }
  })

  it('do not apply before half of a node is in use, nor to a caller without calls', () => {
    const node = nodeOf(10)
    expect(node.begin('a', 4).letIn).toBe(4)
    for (let index = 0; index < 50; index += 1) expect(node.begin(`user ${index}`, 1).letIn).toBe(1)
  })

  it('shrink with the number of callers', () => {
    const node = nodeOf(60)
    expect(node.begin('a', 100).letIn).toBe(30)
    // A third of 46: the others are a's, and one is kept for a new caller.
    expect(node.begin('b', 100).letIn).toBe(16)
    expect(node.begin('a', 1).letIn).toBe(0)
  })
})
