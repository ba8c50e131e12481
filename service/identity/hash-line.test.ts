import { describe, expect, it } from 'vitest'
import { type Hasher, HashLine } from './hash-line.js'

/** A line whose hashes end when the test says so. */
function lineOf(bounds: { atOnce: number; waiting: number }) {
  const line = new HashLine(bounds)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const settled = () => new Promise(setImmediate)
  return {
    begun,
    line,
    /** Asks for a hash with a name, whose first letter is its subject. Upper case: a known one. */
    ask(name: string, begin?: Hasher['begin']) {
      const [subject = ''] = name
      const hasher = { subject, isKnown: subject === subject.toUpperCase(), ...(begin && { begin }) }
      const hash = () =>
        new Promise<string>((resolve) => {
          begun.push(name)
          ends.set(name, () => resolve(name))
        })
      const result = line.run(hasher, hash).catch((error: { code: string }) => error.code)
      return result
    },
    /** Ends the oldest running hash, `times` times. */
    async end(times = 1) {
      for (let count = 0; count < times; count++) {
        await settled()
        const [name = '', resolve] = [...ends][0] ?? []
        ends.delete(name)
        resolve?.()
      }
      await settled()
    },
  }
}

describe('a line of hashes', () => {
  it('makes one hash of a subject at a time, and few in all', async () => {
    const { ask, begun, end } = lineOf({ atOnce: 2, waiting: 10 })
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) ask(name)
    await end(0)
    expect(begun).toEqual(['a1', 'b1'])
    await end(4)
    expect(begun).toHaveLength(5)
  })

  it('lets subjects take turns', async () => {
    const { ask, begun, end } = lineOf({ atOnce: 1, waiting: 100 })
    for (let index = 1; index <= 5; index++) ask(`a${index}`)
    for (let index = 1; index <= 2; index++) ask(`b${index}`)
    await end()
    ask('c1')
    await end(6)
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'c1', 'b2', 'a4', 'a5'])
  })

  it('begins known hashes before all others', async () => {
    const { ask, begun, end } = lineOf({ atOnce: 2, waiting: 100 })
    for (const letter of 'abcdefghijklmnopqrstuvwxyz') ask(`${letter}1`)
    ask('K1')
    ask('L1')
    await end(2)
    expect(begun).toEqual(['a1', 'b1', 'K1', 'L1'])
  })

  it('has room for another subject, and for a known one, however many wait', async () => {
    const { ask, begun, end } = lineOf({ atOnce: 1, waiting: 3 })
    const [, , , last] = ['a1', 'a2', 'a3', 'a4'].map((name) => ask(name))
    const another = ask('b1')
    expect(await last).toBe('unavailable')
    const latest = ask('a5')
    expect(await latest).toBe('unavailable')
    // Now a2, a3 and b1 wait.
    const known = ask('K1')
    await end(4)
    expect(begun).toEqual(['a1', 'K1', 'a2', 'b1'])
    expect([await another, await known]).toEqual(['b1', 'K1'])
    const full = lineOf({ atOnce: 1, waiting: 2 })
    for (const name of ['A1', 'B1', 'C1']) full.ask(name)
    expect(await full.ask('d1')).toBe('unavailable')
    expect(await full.ask('D1')).toBe('unavailable')
  })

  it('goes on after a hash that is refused at its turn', async () => {
    const { ask, begun, end, line } = lineOf({ atOnce: 1, waiting: 10 })
    ask('a1')
    const refused = ask('b1', () => {
      throw Object.assign(new Error('used up'), { code: 'rate_limited' })
    })
    ask('c1')
    await end()
    expect(await refused).toBe('rate_limited')
    await end(2)
    expect([begun, line.running]).toEqual([['a1', 'c1'], 0])
  })
})
