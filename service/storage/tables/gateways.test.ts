import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatabaseSource, onEachDriver } from '../../testing/databases.js'
import { openSampleStorage } from '../../testing/sample-storage.js'
import type { Database } from '../database/database.js'
import type { GatewaySearch, Storage } from '../storage.js'

const everyone = { resellerId: null }

onEachDriver('gateways on', (start) => {
  let source: DatabaseSource
  let database: Database
  let storage: Storage

  beforeAll(async () => {
    ;({ source, database, storage } = await openSampleStorage(start))
  })
  afterAll(() => source?.stop())

  const search = (part: Partial<GatewaySearch>) =>
    storage.as(everyone).gateways.search({ limit: 20, offset: 0, order: [], ...part })

  describe('gateways', () => {
    const ids = async (part: Partial<GatewaySearch>) => (await search(part)).map((gateway) => gateway.id)

    it('come 20 at a time by id', async () => {
      const found = await search({})
      expect(found).toHaveLength(20)
      expect(found[0]).toEqual({
        id: 1,
        name: 'ported-in-1',
        title: 'Ported in, route 1',
        credentials_id: 1,
        editable: true,
      })
      expect(found.map((gateway) => gateway.id)).toEqual(
        [...found.map((gateway) => gateway.id)].sort((a, b) => a - b),
      )
    })

    it('are filtered by id, by the exact name, and by editable only if it is true', async () => {
      expect(await ids({ id: 7 })).toEqual([7])
      expect(await ids({ name: 'ported-in-1' })).toEqual([1])
      expect(await ids({ name: 'ported-in' })).toEqual([])
      expect(await ids({ name: 'PORTED-IN-1' })).toEqual([])
      expect(await ids({ editable: true, limit: 1000 })).toHaveLength(24)
      expect(await ids({ editable: false, limit: 1000 })).toHaveLength(30)
      expect(await ids({ id: 5, editable: true })).toEqual([])
    })

    it('are filtered by the credentials they share', async () => {
      expect(await ids({ credentials_id: 3 })).toEqual([7, 8, 9])
      expect(await ids({ credentials_id: 3, id: 8 })).toEqual([8])
      expect(await ids({ credentials_id: 99 })).toEqual([])
      expect(await ids({ credentials_id: 2 ** 53 })).toEqual([])
    })

    it('are found by id', async () => {
      const { gateways } = storage.as(everyone)
      expect(await gateways.get(1)).toEqual((await search({ id: 1 }))[0])
      expect(await Promise.all([31, 0, 1.5, 2 ** 53].map((id) => gateways.get(id)))).toEqual(
        Array.from({ length: 4 }),
      )
    })

    it.each(['\0', 'a\ud800b', "'; drop table gateways; --", '%'])('have no name %j', async (name) => {
      expect(await ids({ name })).toEqual([])
    })

    it('are in a total order for every sort column', async () => {
      expect(await ids({ order: ['-id'], limit: 3 })).toEqual([30, 29, 28])
      expect(await ids({ order: ['editable'], limit: 7 })).toEqual([5, 10, 15, 20, 25, 30, 1])
      expect(await ids({ order: ['-credentials_id', '-id'], limit: 4 })).toEqual([30, 29, 28, 27])
      expect(await ids({ order: ['-credentials_id'], limit: 4 })).toEqual([28, 29, 30, 25])
      expect((await search({ order: ['name'], limit: 3 })).map((gateway) => gateway.name)).toEqual([
        'ported-in-1',
        'ported-in-10',
        'ported-in-11',
      ])
    })

    it('are ordered by the first mention of a column', async () => {
      expect(await ids({ order: ['-id', 'id', 'name'], limit: 2 })).toEqual([30, 29])
      expect(await ids({ order: ['editable', '-editable', '-id'], limit: 2 })).toEqual([30, 25])
    })

    it.each(['nonsense', 'id; drop table gateways', '__proto__', 'constructor', '', '--id'])(
      'are not ordered by %j',
      async (column) => {
        await expect(search({ order: [column] })).rejects.toThrow('sort column')
      },
    )

    it('are found by every filter in every order of one or two columns', async () => {
      type Gateway = Awaited<ReturnType<typeof search>>[number]
      const columns = ['id', 'name', 'title', 'credentials_id', 'editable'] as const
      const all = await search({ limit: 1000 })
      const matches =
        ({ id, name, editable }: Partial<GatewaySearch>) =>
        (gateway: Gateway) =>
          (id ?? gateway.id) === gateway.id &&
          (name ?? gateway.name) === gateway.name &&
          (editable !== true || gateway.editable)
      const compare = (order: readonly string[]) => (a: Gateway, b: Gateway) => {
        for (const entry of [...order, 'id']) {
          const column = columns.find((known) => entry.replace('-', '') === known) ?? 'id'
          if (a[column] !== b[column]) return a[column] < b[column] === entry.startsWith('-') ? 1 : -1
        }
        return 0
      }
      const single = columns.flatMap((column) => [[column], [`-${column}`]])
      const pairs = columns.flatMap((one) => columns.map((two) => [`-${one}`, `-${two}`]))
      for (const id of [undefined, 7]) {
        for (const name of [undefined, 'ported-in-7']) {
          for (const editable of [undefined, true]) {
            for (const order of [[], ...single, ...pairs.filter(([one, two]) => one !== two)]) {
              const filter = { id, name, editable }
              const expected = all.filter(matches(filter)).sort(compare(order))
              expect([order, await search({ ...filter, order, limit: 1000 })]).toEqual([order, expected])
            }
          }
        }
      }
      const prepared = await database.query<{ name: string }>('select name from pg_prepared_statements')
      for (const { name } of prepared) expect(Buffer.byteLength(name)).toBeLessThan(63)
    })

    it('page without gap or overlap', async () => {
      const pages = await Promise.all(
        [0, 7, 14, 21, 28, 35].map((offset) => ids({ offset, limit: 7, order: ['title'] })),
      )
      const all = pages.flat()
      expect(new Set(all).size).toBe(30)
      expect(all).toEqual(await ids({ limit: 1000, order: ['title'] }))
    })

    it('are empty after the last page', async () => {
      expect(await ids({ offset: 30 })).toEqual([])
      expect(await ids({ offset: 1e300 })).toEqual([])
      expect(await ids({ limit: 0 })).toEqual([])
    })
  })
})
