import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../storage/database/database.js'
import { factorStore } from '../storage/tables/identity/factors.js'
import { type DatabaseSource, onEachDriver } from '../testing/databases.js'
import { resetFactors } from './reset-factors.js'

onEachDriver('user:reset-factors on', (start) => {
  let source: DatabaseSource
  let database: Database
  beforeAll(async () => {
    source = await start()
    database = (await source.sample()).database
  })
  afterAll(() => source?.stop())

  it('removes what a user has lost, with an entry of the audit trail', async () => {
    const factors = factorStore(database)
    const actor = { userId: 1, resellerId: null, operation: 'o', protocol: 'admin', requestId: 'r' }
    const secret = new Uint8Array(3)
    await factors.begin(1, secret)
    await factors.confirm(actor, 1, secret, 1)
    expect(await factors.of(1)).toMatchObject({ hasApp: true })
    await resetFactors(database, 'admin')
    expect(await factors.of(1)).toEqual({ hasApp: false, passkeys: 0, codes: 0 })
    expect(
      await database.query('select user_id, operation, entity_id from audit order by id desc limit 1'),
    ).toEqual([{ user_id: '0', operation: 'user:reset-factors', entity_id: '1' }])
  })

  it('refuses an unknown login', async () => {
    await expect(resetFactors(database, 'nobody')).rejects.toMatchObject({
      exitCode: 1,
      lines: ['There is no user nobody'],
    })
  })
})
