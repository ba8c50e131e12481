import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatabaseSource, onEachDriver } from '../testing/databases.js'
import { openSampleStorage, type SampleStorage, terms } from '../testing/sample-storage.js'
import type { Database, Queryable } from './database/database.js'
import { createStorage, type Storage } from './storage.js'

const everyone = { resellerId: null }
const { author } = terms

onEachDriver('changes of clients on', (start) => {
  let source: DatabaseSource
  let database: Database
  let storage: Storage
  let resellerA: SampleStorage['resellerA']
  let resellerB: SampleStorage['resellerB']
  /** Another node, if the driver allows one. */
  let other: Storage

  beforeAll(async () => {
    let another: SampleStorage['another']
    ;({ source, database, storage, resellerA, resellerB, another } = await openSampleStorage(start))
    other = another === undefined ? storage : createStorage(await another())
  })
  afterAll(() => source?.stop())

  const clientsOf = (node: Storage) => node.as(resellerA).clients
  const change = (
    credit: number,
    more: { expectedVersion?: string; idempotencyKey?: string } = {},
    node = storage,
  ) => clientsOf(node).update(1, { credit }, { author, ...more })
  const versionOf = async (id: number) => (await storage.as(everyone).clients.get(id))?.version ?? ''
  const trail = (id: number) =>
    storage.as(everyone).audit.search({ limit: 1000, entity: { name: 'client', id: String(id) } })

  it('cost one round trip', async () => {
    let asked = 0
    const counting: Queryable = {
      query(statement, values) {
        asked += 1
        return database.query(statement, values)
      },
    }
    const counted = createStorage(counting).as(resellerA).clients
    const expectedVersion = await versionOf(1)
    await counted.update(1, { credit: 1 }, { author, expectedVersion, idempotencyKey: 'round trip' })
    expect(asked).toBe(1)
  })

  describe('a version', () => {
    it('differs after every change', async () => {
      const seen = [await versionOf(1)]
      for (const credit of [5, 5, 6]) seen.push((await change(credit))?.version ?? '')
      expect(new Set(seen).size).toBe(4)
      expect(await versionOf(1)).toBe(seen.at(-1))
    })

    it('allows a change if it is the current one, and refuses an older or unknown one', async () => {
      const first = await versionOf(1)
      expect(await change(10, { expectedVersion: first })).toMatchObject({ credit: 10 })
      for (const expectedVersion of [first, '', '0', 'x', '*', '\0', '\ud800', `${first} `]) {
        await expect(change(11, { expectedVersion })).rejects.toMatchObject({ code: 'precondition_failed' })
      }
      expect(await clientsOf(storage).get(1)).toMatchObject({ credit: 10 })
    })

    it('is checked for a call that changes nothing, and stays', async () => {
      const version = await versionOf(1)
      const entries = (await trail(1)).length
      const nothing = (expectedVersion: string) =>
        clientsOf(storage).update(1, {}, { author, expectedVersion })
      expect(await nothing(version)).toMatchObject({ version })
      await expect(nothing('0')).rejects.toMatchObject({ code: 'precondition_failed' })
      expect(await trail(1)).toHaveLength(entries)
    })

    it('binds the key even without a change', async () => {
      const version = await versionOf(1)
      const entries = (await trail(1)).length
      const nothing = () => clientsOf(storage).update(1, {}, { author, idempotencyKey: 'nothing' })
      expect(await nothing()).toMatchObject({ version })
      await expect(change(12, { idempotencyKey: 'nothing' })).rejects.toMatchObject({
        code: 'idempotency_key_reused',
      })
      expect(await trail(1)).toHaveLength(entries)
      await change(13)
      expect(await nothing()).toMatchObject({ version })
    })

    it('of another Reseller’s client is not revealed', async () => {
      const update = clientsOf(storage).update(4, { credit: 1 }, { author, expectedVersion: 'x' })
      expect(await update).toBeUndefined()
    })

    it('allows one of many concurrent changes that expect it', async () => {
      const expectedVersion = await versionOf(1)
      const credits = Array.from({ length: 20 }, (_, index) => 100 + index)
      const outcomes = await Promise.allSettled(
        credits.map((credit) => change(credit, { expectedVersion }, credit % 2 === 0 ? storage : other)),
      )
      const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
      const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []))
      expect(won).toHaveLength(1)
      expect(new Set(lost)).toEqual(new Set(['precondition_failed']))
      expect(await clientsOf(storage).get(1)).toEqual(won[0])
    })
  })

  it('without an expected version are all made in sequence, and each entry continues the previous one', async () => {
    const before = (await trail(1)).length
    const credits = Array.from({ length: 20 }, (_, index) => 200 + index)
    await Promise.all(credits.map((credit) => change(credit, {}, credit % 2 === 0 ? storage : other)))
    const entries = (await trail(1)).slice(0, -before).reverse()
    expect(entries.map(({ after }) => after?.credit).sort()).toEqual(credits)
    for (const [index, { before: was }] of entries.slice(1).entries())
      expect(was).toEqual(entries[index]?.after)
    expect(await clientsOf(storage).get(1)).toEqual(entries.at(-1)?.after)
    const times = entries.map(({ at }) => Date.parse(at))
    expect(times).toEqual([...times].sort((a, b) => a - b))
  })

  describe('an idempotency key', () => {
    it('makes a change once, and repeats its answer after other changes', async () => {
      const expectedVersion = await versionOf(1)
      const once = { expectedVersion, idempotencyKey: 'once' }
      const first = await change(1.2345, once)
      await change(2)
      expect(await change(1.2345, once, other)).toEqual(first)
      expect(first).toMatchObject({ credit: 1.2345 })
      expect(await clientsOf(storage).get(1)).toMatchObject({ credit: 2 })
    })

    it('makes a concurrent change once', async () => {
      const entries = (await trail(1)).length
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          change(3, { idempotencyKey: 'at once' }, index % 2 === 0 ? storage : other),
        ),
      )
      for (const answer of answers) expect(answer).toEqual(answers[0])
      expect(await trail(1)).toHaveLength(entries + 1)
    })

    it('is refused to another change, and to another operation', async () => {
      const idempotencyKey = 'taken'
      await change(4, { idempotencyKey })
      const elsewhere = { author: { ...author, operation: 'clients.replace' }, idempotencyKey }
      const again = await Promise.allSettled([
        change(5, { idempotencyKey }),
        change(4, { idempotencyKey, expectedVersion: '1' }),
        clientsOf(storage).update(1, { credit: 4, name: 'x' }, { author, idempotencyKey }),
        clientsOf(storage).update(2, { credit: 4 }, { author, idempotencyKey }),
        clientsOf(storage).update(1, {}, { author, idempotencyKey }),
        clientsOf(storage).update(1, { credit: 4 }, elsewhere),
      ])
      const codes = again.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'changed'))
      expect(codes).toEqual(Array(6).fill('idempotency_key_reused'))
      expect(await clientsOf(storage).get(1)).toMatchObject({ credit: 4 })
    })

    it('on concurrent changes of several clients allows one, and changes no other client', async () => {
      for (let round = 0; round < 10; round += 1) {
        const idempotencyKey = `round ${round}`
        const before = await Promise.all([1, 2, 3].map(versionOf))
        const outcomes = await Promise.allSettled(
          [1, 2, 3].map((id) =>
            clientsOf(id === 2 ? other : storage).update(id, { credit: round }, { author, idempotencyKey }),
          ),
        )
        const codes = outcomes.map((outcome) =>
          outcome.status === 'rejected' ? outcome.reason.code : 'changed',
        )
        expect(codes.toSorted()).toEqual(['changed', 'idempotency_key_reused', 'idempotency_key_reused'])
        const after = await Promise.all([1, 2, 3].map(versionOf))
        expect(after.map((version, index) => version !== before[index])).toEqual(
          codes.map((code) => code === 'changed'),
        )
      }
    })

    it('belongs to one user', async () => {
      const mine = { author, idempotencyKey: 'common' }
      const theirs = { author: { ...author, userId: 2 }, idempotencyKey: 'common' }
      expect(await clientsOf(storage).update(1, { credit: 6 }, mine)).toMatchObject({ credit: 6 })
      expect(await clientsOf(storage).update(1, { credit: 7 }, theirs)).toMatchObject({ credit: 7 })
    })

    it('reveals nothing of a client that its user may no longer see', async () => {
      const moving = { author, idempotencyKey: 'moving' }
      expect(await clientsOf(storage).update(1, { credit: 8 }, moving)).toMatchObject({ credit: 8 })
      const elsewhere = storage.as(resellerB).clients
      expect(await elsewhere.update(1, { credit: 8 }, moving)).toBeUndefined()
    })

    it('is not used up by a failure', async () => {
      const idempotencyKey = 'failed'
      await expect(change(0.00001, { idempotencyKey })).rejects.toMatchObject({ code: 'validation_failed' })
      await expect(change(8, { idempotencyKey, expectedVersion: 'x' })).rejects.toMatchObject({
        code: 'precondition_failed',
      })
      expect(await clientsOf(storage).update(4, { credit: 8 }, { author, idempotencyKey })).toBeUndefined()
      expect(await change(9, { idempotencyKey })).toMatchObject({ credit: 9 })
    })

    it('is free again after a day, and new ones remove old ones', async () => {
      const idempotencyKey = 'yesterday'
      await change(10, { idempotencyKey })
      await change(11, { idempotencyKey: 'the day before' })
      const age = (hours: number, key: string) =>
        database.query(
          `update idempotency set created_at = now() - interval '${hours} hours' where key = '${key}'`,
        )
      await age(23, idempotencyKey)
      await expect(change(12, { idempotencyKey })).rejects.toMatchObject({ code: 'idempotency_key_reused' })
      await age(24, idempotencyKey)
      await age(48, 'the day before')
      expect(await change(12, { idempotencyKey })).toMatchObject({ credit: 12 })
      const kept = await database.query<{ key: string }>('select key from idempotency')
      expect(kept.map(({ key }) => key)).toContain(idempotencyKey)
      expect(kept.map(({ key }) => key)).not.toContain('the day before')
    })
  })
})
