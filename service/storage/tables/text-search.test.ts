import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DatabaseSource, onEachDriver } from '../../testing/databases.js'
import { openSampleStorage } from '../../testing/sample-storage.js'
import type { Database } from '../database/database.js'
import { migrate, readMigrations } from '../database/migrate.js'
import { accountStore } from './identity/accounts.js'
import { resellerStore } from './resellers.js'

onEachDriver('the search for a name on', (start) => {
  let source: DatabaseSource
  let database: Database

  beforeAll(async () => {
    ;({ source, database } = await openSampleStorage(start))
    await database.query(`insert into resellers (name) values ('Über Ärger'), ('ΟΔΟΣΑ'), ('Straße')`)
    await database.query(
      `insert into users (login, reseller_id) select 'ÉMILE', id from resellers where name = 'Über Ärger'`,
    )
  })
  afterAll(() => source?.stop())

  const page = { limit: 25, offset: 0 }
  const byName = { column: 'name', isDescending: false } as const
  const byLogin = { column: 'login', isDescending: false } as const
  const resellers = async (text: string) =>
    (await resellerStore(database).list({ ...page, order: byName, text })).resellers.map(({ name }) => name)
  const logins = async (text: string, resellerId?: number) =>
    (await accountStore(database).list({ ...page, order: byLogin, text, resellerId })).accounts.map(
      ({ login }) => login,
    )

  it('finds the exact name, and any part of it', async () => {
    expect(await resellers('Über Ärger')).toEqual(['Über Ärger'])
    expect(await resellers('Ärg')).toEqual(['Über Ärger'])
    // The search text ends in a sigma that is not final in the name.
    expect(await resellers('ΟΔΟΣ')).toEqual(['ΟΔΟΣΑ'])
    expect(await logins('ÉMILE')).toEqual(['ÉMILE'])
    expect(await logins('Über')).toEqual(['ÉMILE'])
  })

  it('ignores case, for any locale of the database', async () => {
    expect(await resellers('ÜBER ÄRGER')).toEqual(['Über Ärger'])
    expect(await resellers('über ärger')).toEqual(['Über Ärger'])
    expect(await resellers('οδος')).toEqual(['ΟΔΟΣΑ'])
    expect(await resellers('strasse')).toEqual(['Straße'])
    expect(await logins('émile')).toEqual(['ÉMILE'])
    expect(await logins('uber')).toEqual([])
  })

  it('uses the case rules of the database’s locale if PostgreSQL has no ICU', {
    tags: 'long',
  }, async () => {
    const { database: bare } = await source.empty()
    await bare.query('drop collation pg_catalog."und-x-icu"')
    await migrate(bare, await readMigrations())
    await bare.query(`insert into resellers (name) values ('Straße')`)
    const found = await resellerStore(bare).list({ ...page, order: byName, text: 'STRA' })
    expect(found.resellers.map(({ name }) => name)).toEqual(['Straße'])
  })

  it('can be limited to the users of one Reseller', async () => {
    const [row] = await database.query<{ id: string }>("select id from resellers where name = 'Über Ärger'")
    expect(await logins('', Number(row?.id))).toEqual(['ÉMILE'])
    expect(await logins('reseller', Number(row?.id))).toEqual([])
    expect(await logins('', Number.NaN)).toEqual([])
  })
})
