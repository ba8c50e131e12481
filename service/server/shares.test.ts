import { describe, expect, it } from 'vitest'
import { Shares } from './shares.js'

describe('shares', () => {
  /** Calls that go on until they are ended, of a node that bears `most`. */
  function nodeOf(most: number) {
    let shed = 0
    const shares = new Shares({ isHalfTaken: (calls) => calls >= most / 2, onShed: () => (shed += 1) })
    return {
      shed: () => shed,
      /** Begins so many calls of somebody. Answers how many were let in, and what ends them. */
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

  it('leave half of a node to the others, however many one begins', async () => {
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

  it('are given back when calls end, those that fail too', async () => {
    const node = nodeOf(4)
    await node.begin('greedy', 4).end()
    expect(node.begin('greedy', 4).letIn).toBe(2)
    const failing = new Shares({ isHalfTaken: (calls) => calls >= 1, onShed: () => {} })
    for (let count = 0; count < 3; count += 1) {
      await expect(failing.run('greedy', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    }
  })

  it('do not matter before half of a node is taken, nor to who has none', () => {
    const node = nodeOf(10)
    expect(node.begin('a', 4).letIn).toBe(4)
    for (let index = 0; index < 50; index += 1) expect(node.begin(`user ${index}`, 1).letIn).toBe(1)
  })

  it('are smaller the more there are', () => {
    const node = nodeOf(60)
    expect(node.begin('a', 100).letIn).toBe(30)
    // A third of 46, the rest of which a has, and who may come.
    expect(node.begin('b', 100).letIn).toBe(16)
    expect(node.begin('a', 1).letIn).toBe(0)
  })
})
