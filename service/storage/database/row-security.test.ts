import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertSample } from '../../data/sample.js'
import { createApiKeyVault } from '../../identity/api-key.js'
import { type DatabaseSource, onEachDriver, startOwnPostgres } from '../../testing/databases.js'
import { openSampleStorage, type SampleStorage, terms } from '../../testing/sample-storage.js'
import { openPostgres } from '../postgres/postgres.js'
import { within } from '../tables/scope.js'
import type { Database, Queryable } from './database.js'
import { migrate, readMigrations } from './migrate.js'
import { requireRowSecurity } from './row-security.js'

const title = 'a statement without conditions of its own on'
onEachDriver(title, statements)
describe(`${title} PostgreSQL as a role that is no superuser`, () => statements(startAsOwner))

function statements(start: () => Promise<DatabaseSource>): void {
  let source: DatabaseSource
  let database: Database
  let resellerA: SampleStorage['resellerA']
  let resellerB: SampleStorage['resellerB']
  let scoped: Queryable
  beforeAll(async () => {
    let storage: SampleStorage['storage']
    ;({ source, database, storage, resellerA, resellerB } = await openSampleStorage(start))
    scoped = within(database, resellerA)
    for (const [scope, id, userId] of [
      [resellerA, 1, 2],
      [resellerB, 4, 3],
    ] as const) {
      const author = { ...terms.author, userId }
      await storage.as(scope).clients.update(id, { credit: 5 }, { author, idempotencyKey: 'key' })
    }
    await database.query("insert into admin_sessions (digest, user_id, agent) select sha256(''), 2, ''")
  })
  afterAll(() => source?.stop())

  it.each([
    ['select id from clients', [1, 2, 3]],
    ['select id from clients where id in (1, $1::bigint)', [1], ['4']],
    ['select reseller_id as id from audit', [1]],
    ['select id from users', [2]],
    ['select id from resellers', [1]],
    // Rows of `idempotency` need a condition on the user, as in change_client.
    ['select user_id as id from idempotency', []],
    [
      "select user_id as id from idempotency, set_config('billing.user', '2', true) where set_config is not null",
      [2],
    ],
  ])('sees rows of the Reseller alone: %s', async (statement, expected, values: string[] = []) => {
    expect(await idsOf(scoped, statement, values)).toEqual(expected)
  })

  it('sees no session', async () => {
    expect(await database.query('select from admin_sessions')).toHaveLength(1)
    expect(await scoped.query('select from admin_sessions').catch(refusal)).toEqual([])
  })

  it('changes and deletes only rows of the Reseller', async () => {
    expect(await idsOf(scoped, 'update clients set credit = 8 returning id')).toEqual([1, 2, 3])
    expect(await idsOf(database, 'select id from clients where credit = 8')).toEqual([1, 2, 3])
    await scoped.query('delete from clients where id > 3').catch(refusal)
    expect(await idsOf(database, 'select id from clients where reseller_id = 2')).toEqual([4, 5, 6])
  })

  it.each([
    "insert into clients (reseller_id, name, currency) values (2, 'x', 'EUR')",
    'update clients set reseller_id = 2',
    `insert into audit (user_id, operation, protocol, request_id, entity, entity_id, reseller_id)
      values (2, 'x', 'x', 'x', 'client', '4', 2)`,
    `insert into idempotency (user_id, key, operation, digest, answer) values (3, 'x', 'x', sha256(''), '{}')`,
  ])('makes no row of another Reseller: %s', async (statement) => {
    const tables = ['clients', 'audit', 'idempotency']
    const count = () => Promise.all(tables.map((table) => database.query(`select from ${table}`)))
    const before = await count()
    await expect(scoped.query(statement)).rejects.toMatchObject({ code: '42501' })
    expect(await count()).toEqual(before)
    expect(await idsOf(database, 'select id from clients where reseller_id = 2')).toEqual([4, 5, 6])
  })

  it('is bound on every table that names a Reseller', async () => {
    const unbound = await database.query(
      `select table_name from information_schema.columns join pg_class on pg_class.oid = table_name::regclass
        where column_name = 'reseller_id' and table_schema = current_schema()
          and not (relrowsecurity and relforcerowsecurity)`,
    )
    expect(unbound).toEqual([])
  })

  it('without a scope sees all rows, without a search path too, as pg_dump reads them', async () => {
    const seen = await database.transaction(async (transaction) => {
      await transaction.query("set local search_path = ''")
      return idsOf(transaction, 'select id from public.clients')
    })
    expect(seen).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('has a scope of its own, even if it fails', async () => {
    const all = () => idsOf(database, 'select id from clients')
    await Promise.all([scoped.query('select nonsense').catch(() => {}), scoped.query('select 1')])
    for (let times = 0; times < 20; times += 1) {
      expect(await Promise.all([all(), idsOf(scoped, 'select id from clients')])).toEqual([
        [1, 2, 3, 4, 5, 6],
        [1, 2, 3],
      ])
    }
    expect(await idsOf(within(database, { resellerId: 999 }), 'select id from clients')).toEqual([])
  })

  it('keeps the scope until the end of a transaction', async () => {
    const seen = await database.transaction(async (transaction) => [
      await idsOf(within(transaction, resellerB), 'select id from clients'),
      await idsOf(transaction, 'select id from clients'),
    ])
    expect(seen).toEqual([
      [4, 5, 6],
      [4, 5, 6],
    ])
  })
}

describe('the start on PostgreSQL', () => {
  let source: DatabaseSource
  beforeAll(async () => {
    source = await startAsOwner()
  })
  afterAll(() => source?.stop())

  it('creates the missing role in a restored database', async () => {
    const { database } = await source.empty()
    await migrate(database, await readMigrations())
    await database.query('drop owned by billing_reseller; drop role billing_reseller')
    await requireRowSecurity(database)
    await expect(within(database, { resellerId: 1 }).query('select id from clients')).resolves.toEqual([])
  })

  it('refuses a role that bypasses policies, and says what to do', { tags: 'long' }, async () => {
    const { database, url } = await source.sample()
    const { username } = new URL(url ?? '')
    const { database: superuser } = await source.empty()
    await superuser.query(`alter role ${username} bypassrls`)
    await expect(requireRowSecurity(database)).rejects.toMatchObject({
      exitCode: 1,
      lines: [
        expect.stringMatching(/^DATABASE_URL: row-level security/),
        `alter role ${username} nobypassrls;`,
      ],
    })
    await superuser.query(`alter role ${username} nobypassrls`)
    await requireRowSecurity(database)
  })
})

async function idsOf(database: Queryable, statement: string, values: readonly string[] = []) {
  const rows = await database.query<{ id: string }>(statement, values)
  return rows.map(({ id }) => Number(id)).sort((a, b) => a - b)
}

/** A role without the privilege sees and changes nothing either. */
function refusal(error: unknown): readonly object[] {
  expect(error).toMatchObject({ code: '42501' })
  return []
}

/** The sample's database belongs to a role like those of managed servers, which owns only that database. */
async function startAsOwner(): Promise<DatabaseSource> {
  const source = await startOwnPostgres()
  const opened: Database[] = []
  return {
    empty: () => source.empty(),
    async sample() {
      const { database: superuser, url = '' } = await source.empty()
      const name = `owner_${randomBytes(6).toString('hex')}`
      await superuser.query(`create role ${name} login password 'owner'`)
      await superuser.query(`create database ${name} owner ${name}`)
      const own = new URL(`/${name}`, url)
      own.username = name
      own.password = 'owner'
      const database = await openPostgres(own.href)
      opened.push(database)
      await migrate(database, await readMigrations())
      await insertSample(database, createApiKeyVault('s'.repeat(32)))
      return { database, another: undefined, url: own.href }
    },
    async stop() {
      await Promise.all(opened.map((database) => database.close()))
      await source.stop()
    },
  }
}
