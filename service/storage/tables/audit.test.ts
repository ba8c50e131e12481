import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DatabaseSource, onEachDriver } from '../../testing/databases.js'
import { openSampleStorage, type SampleStorage } from '../../testing/sample-storage.js'
import type { Database } from '../database/database.js'
import type { Storage } from '../storage.js'
import type { AuditSearch } from './audit.js'
import type { Scope } from './scope.js'

const everyone = { resellerId: null }

onEachDriver('the audit trail on', (start) => {
  let source: DatabaseSource
  let database: Database
  let storage: Storage
  let resellerA: SampleStorage['resellerA']
  let resellerB: SampleStorage['resellerB']

  beforeAll(async () => {
    ;({ source, database, storage, resellerA, resellerB } = await openSampleStorage(start))
    await change(everyone, 1, 1, 1)
    await change(resellerA, 2, 1, 2)
    await change(resellerA, 2, 2, 3)
    await change(resellerB, 3, 4, 4)
  })
  afterAll(() => source?.stop())

  const change = (scope: Scope, userId: number, id: number, credit: number) =>
    storage
      .as(scope)
      .clients.update(
        id,
        { credit },
        { author: { userId, operation: 'clients.update', protocol: 'rest', requestId: `r${credit}` } },
      )
  const credits = async (scope: Scope, search: Partial<AuditSearch> = {}) =>
    (await storage.as(scope).audit.search({ limit: 20, ...search })).map(({ after }) => after?.credit)

  it('records user, entity, state before and after, time and call', async () => {
    const [entry] = await storage.as(everyone).audit.search({ limit: 1, userId: 2 })
    expect(entry).toEqual({
      id: expect.any(Number),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
      userId: 2,
      login: 'reseller-a',
      isUser: true,
      userResellerId: resellerA.resellerId,
      operation: 'clients.update',
      protocol: 'rest',
      requestId: 'r3',
      entity: 'client',
      entityId: '2',
      entityName: 'Blue Harbor Telecom',
      resellerId: resellerA.resellerId,
      before: { id: 2, name: 'Blue Harbor Telecom', credit: 1200.75, currency: 'USD', version: '1' },
      after: { id: 2, name: 'Blue Harbor Telecom', credit: 3, currency: 'USD', version: '2' },
    })
  })

  it('is read newest first, of one entity or of one user', async () => {
    expect(await credits(everyone)).toEqual([4, 3, 2, 1])
    expect(await credits(everyone, { entity: { name: 'client', id: '1' } })).toEqual([2, 1])
    expect(await credits(everyone, { userId: 2 })).toEqual([3, 2])
    expect(await credits(everyone, { userId: 2, entity: { name: 'client', id: '1' } })).toEqual([2])
    expect(await credits(everyone, { entity: { name: 'gateway', id: '1' } })).toEqual([])
  })

  it('is read page by page', async () => {
    const [first] = await storage.as(everyone).audit.search({ limit: 1 })
    expect(await credits(everyone, { limit: 2, before: first?.id })).toEqual([3, 2])
    expect(await credits(everyone, { limit: 0 })).toEqual([])
  })

  it('shows a Reseller all changes of its own entities', async () => {
    expect(await credits(resellerA)).toEqual([3, 2, 1])
    expect(await credits(resellerB)).toEqual([4])
    expect(await credits(resellerB, { entity: { name: 'client', id: '1' } })).toEqual([])
    expect(await credits(resellerB, { userId: 2 })).toEqual([])
    expect(await credits({ resellerId: 999 })).toEqual([])
    expect(() => storage.as(undefined)).toThrow(expect.objectContaining({ code: 'unauthenticated' }))
  })

  it.each([
    { before: -1 },
    { before: 1.5 },
    { userId: 2 ** 53 },
    { entity: { name: '\0', id: '1' } },
    { entity: { name: 'client', id: '\ud800' } },
  ])('has nothing for %j', async (search) => {
    expect(await credits(everyone, search)).toEqual([])
  })

  it('has no entry for a refused change', async () => {
    expect(await change(resellerB, 3, 1, 5)).toBeUndefined()
    expect(await credits(everyone)).toEqual([4, 3, 2, 1])
  })

  it('outlives the user', async () => {
    await database.query("update users set login = 'renamed' where id = 3")
    expect(await storage.as(resellerB).audit.search({ limit: 1 })).toMatchObject([
      { login: 'reseller-b', isUser: true },
    ])
    await database.query('delete from users where id = 3')
    expect(await storage.as(resellerB).audit.search({ limit: 1 })).toMatchObject([
      { userId: 3, login: 'reseller-b', isUser: false },
    ])
  })

  it.each(['update audit set user_id = 1', 'delete from audit', 'truncate audit'])(
    'refuses %s',
    async (statement) => {
      await expect(database.query(statement)).rejects.toThrow('neither changed nor deleted')
      expect(await credits(everyone)).toEqual([4, 3, 2, 1])
    },
  )
})
