import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { QueryCache } from './query-cache.js'

interface Thing {
  readonly name: string
  readonly owner: string
}

describe('cached rows', () => {
  /** Returns a fixed value, and counts its calls. */
  const asked = (thing: Thing | undefined) => {
    const source = {
      times: 0,
      ask: async () => {
        source.times += 1
        return thing
      },
    }
    return source
  }
  const thing = { name: 'a', owner: 'x' }

  it('are repeated without a query', async () => {
    const recent = new QueryCache<Thing>({ maxEntries: 10, lifetimeMs: 60_000 })
    const source = asked(thing)
    expect(await recent.get('a', source.ask)).toBe(thing)
    expect(await recent.get('a', source.ask)).toBe(thing)
    expect(source.times).toBe(1)
  })

  it('share one query among concurrent calls', async () => {
    const recent = new QueryCache<Thing>({ maxEntries: 10, lifetimeMs: 60_000 })
    const source = asked(thing)
    const answers = await Promise.all(Array.from({ length: 20 }, () => recent.get('a', source.ask)))
    expect(answers).toEqual(Array.from({ length: 20 }, () => thing))
    expect(source.times).toBe(1)
  })

  it('are not stored if missing, or if the query failed', async () => {
    const recent = new QueryCache<Thing>({ maxEntries: 10, lifetimeMs: 60_000 })
    const none = asked(undefined)
    await recent.get('a', none.ask)
    await recent.get('a', none.ask)
    expect(none.times).toBe(2)
    const failing = () => Promise.reject(new Error('away'))
    await expect(recent.get('a', failing)).rejects.toThrow('away')
    expect(await recent.get('a', asked(thing).ask)).toBe(thing)
  })

  it('age from their query, up to the allowed time', async () => {
    const recent = new QueryCache<Thing>({ maxEntries: 10, lifetimeMs: 100 })
    const slow = async () => {
      await delay(120)
      return thing
    }
    await recent.get('a', slow)
    const source = asked(thing)
    await recent.get('a', source.ask)
    expect(source.times).toBe(1)
    await delay(120)
    await recent.get('a', source.ask)
    expect(source.times).toBe(2)
  })

  it('live shorter if the value says so, and are not stored for less than a millisecond', async () => {
    const recent = new QueryCache<Thing>({
      maxEntries: 10,
      lifetimeMs: 60_000,
      lifetimeOf: ({ name }) => Number(name),
    })
    const brief = asked({ name: '0.5', owner: 'x' })
    await recent.get('brief', brief.ask)
    await recent.get('brief', brief.ask)
    expect(brief.times).toBe(2)
    const short = asked({ name: '50', owner: 'x' })
    await recent.get('short', short.ask)
    await delay(60)
    await recent.get('short', short.ask)
    expect(short.times).toBe(2)
  })

  it('are bounded in number: the least recently used one is dropped', async () => {
    const recent = new QueryCache<Thing>({ maxEntries: 2, lifetimeMs: 60_000 })
    const source = asked(thing)
    for (const key of ['a', 'b', 'a', 'c', 'a']) await recent.get(key, source.ask)
    expect(source.times).toBe(3)
    await recent.get('b', source.ask)
    expect(source.times).toBe(4)
  })

  it('of one owner are dropped together, and those of others stay', async () => {
    const recent = new QueryCache<Thing>({
      maxEntries: 10,
      lifetimeMs: 60_000,
      ownerOf: ({ owner }) => owner,
    })
    const source = asked(thing)
    const other = asked({ name: 'b', owner: 'y' })
    const all = async () => {
      await recent.get('1', source.ask)
      await recent.get('2', source.ask)
      await recent.get('3', other.ask)
    }
    await all()
    recent.forgetOwner('x')
    await all()
    expect([source.times, other.times]).toEqual([4, 1])
    recent.forgetAll()
    await all()
    expect([source.times, other.times]).toEqual([6, 2])
  })

  it.each<[string, (recent: QueryCache<Thing>) => void]>([
    ['one', (recent) => recent.forget('a')],
    ['all of an owner', (recent) => recent.forgetOwner('x')],
    ['all', (recent) => recent.forgetAll()],
  ])('that were under way when %s were forgotten are not kept or shared', async (_name, forget) => {
    const recent = new QueryCache<Thing>({
      maxEntries: 10,
      lifetimeMs: 60_000,
      ownerOf: ({ owner }) => owner,
    })
    let answer = (_: Thing) => {}
    const before = recent.get('a', () => new Promise<Thing>((resolve) => (answer = resolve)))
    forget(recent)
    const fresh = { name: 'fresh', owner: 'x' }
    const after = recent.get('a', asked(fresh).ask)
    answer({ name: 'stale', owner: 'x' })
    expect(await before).toMatchObject({ name: 'stale' })
    expect(await after).toBe(fresh)
    expect(await recent.get('a', asked({ name: 'other', owner: 'x' }).ask)).toBe(fresh)
  })
})
