// @module-tag long

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatabaseSource, startPGlite, startPostgres } from '../../testing/databases.js'
import { copiedTables, copyDatabase } from './copy.js'
import type { Database } from './database.js'
import { migrate, readMigrations } from './migrate.js'

describe('a copy from the embedded database to PostgreSQL', () => {
  const sources: DatabaseSource[] = []
  let from: Database
  let to: Database
  beforeAll(async () => {
    const [embedded, server] = await Promise.all([startPGlite(), startPostgres()])
    sources.push(embedded, server)
    from = (await embedded.sample()).database
    to = (await server.empty()).database
    await migrate(to, await readMigrations())
  })
  afterAll(() => Promise.all(sources.map((source) => source.stop())))

  const rowsOf = (database: Database, table: string) =>
    database.query<{ row: string }>(`select to_jsonb(copied)::text as row from ${table} copied order by 1`)

  it('has every row unchanged, and reuses no id', async () => {
    await from.query(
      `insert into audit (user_id, operation, protocol, request_id, entity, entity_id, after)
        values (1, 'clients.update', 'rest', 'r', 'client', '1', '{"credit": 0.1000, "name": "é\\u0001"}')`,
    )
    await from.query(
      "insert into clients (reseller_id, name, currency) select 1, 'Gone', 'EUR' from generate_series(1, 3)",
    )
    await from.query("delete from clients where name = 'Gone'")
    const expected = await Promise.all(copiedTables.map((table) => rowsOf(from, table)))
    expect(await copyDatabase(from, to)).toBe(expected.flat().length)
    expect(await Promise.all(copiedTables.map((table) => rowsOf(to, table)))).toEqual(expected)
    const insert = "insert into clients (reseller_id, name, currency) values (1, 'Next', 'EUR') returning id"
    expect(await to.query(insert)).toEqual(await from.query(insert))
  })

  it('needs an empty target', async () => {
    await expect(copyDatabase(from, to)).rejects.toMatchObject({
      exitCode: 1,
      lines: ['The target database is not empty: resellers has rows'],
    })
  })

  it('contains every table except those of a database or its nodes', async () => {
    const tables = await from.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    )
    expect(tables.map(({ name }) => name).sort()).toEqual(
      [...copiedTables, 'nodes', 'rate_counts', 'schema_migrations'].sort(),
    )
  })
})
