import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertSample } from '../../data/sample.js'
import { Failure } from '../../failure.js'
import { createApiKeyVault } from '../../identity/api-key.js'
import { type DatabaseSource, onEachDriver } from '../../testing/databases.js'
import { clientStore } from '../tables/clients.js'
import type { Database, Queryable } from './database.js'
import { type Migration, migrate, readMigrations } from './migrate.js'

const first: Migration = {
  number: 1,
  name: '0001-a',
  checksum: 'aa',
  expands: false,
  sql: 'create table a (n integer); insert into a values (1)',
}
const second: Migration = {
  number: 2,
  name: '0002-b',
  checksum: 'bb',
  expands: false,
  sql: 'alter table a add column b text',
}
const broken: Migration = {
  number: 2,
  name: '0002-b',
  checksum: 'bb',
  expands: false,
  sql: 'create table c (n integer); nonsense',
}

const applied = async (database: Queryable) =>
  (await database.query<{ name: string }>('select name from schema_migrations order by number')).map(
    (row) => row.name,
  )

onEachDriver('migrations on', (start) => {
  let source: DatabaseSource
  let database: Database
  let another: (() => Promise<Database>) | undefined
  beforeAll(async () => {
    source = await start()
    ;({ database, another } = await source.empty())
  })
  beforeEach(() => database.query('drop schema public cascade; create schema public'))
  afterAll(() => source?.stop())

  it('are applied once', async () => {
    await migrate(database, [first])
    await migrate(database, [first])
    await migrate(database, [first, second])
    expect(await applied(database)).toEqual(['0001-a', '0002-b'])
    expect(await database.query('select n, b from a')).toEqual([{ n: 1, b: null }])
  })

  it('leave the database unchanged when one of them fails', async () => {
    await expect(migrate(database, [first, broken])).rejects.toThrow()
    await migrate(database, [first, second])
    expect(await applied(database)).toEqual(['0001-a', '0002-b'])
  })

  it('that were changed since they ran are refused', async () => {
    await migrate(database, [first])
    const changed = migrate(database, [{ ...first, checksum: 'other' }])
    await expect(changed).rejects.toThrow(
      new Failure('Migration 0001-a of the database differs from the one of this service', 1),
    )
  })

  it('of a newer service are refused', async () => {
    await migrate(database, [first, second])
    await expect(migrate(database, [first])).rejects.toThrow(
      'The database is newer than this service: it has migration 0002-b, this version knows 1',
    )
  })

  it('that expand allow an older service to start, and others refuse it', {
    tags: 'long',
  }, async () => {
    const known = await readMigrations()
    const expanding = next(known, 'alter table clients add column note text', true)
    await migrate(database, [...known, expanding])
    const before = await schemaOf(database)
    await migrate(database, known)
    expect(await schemaOf(database)).toEqual(before)
    await insertSample(database, createApiKeyVault('s'.repeat(32)))
    expect(await clientStore(database, { resellerId: null }).get(1)).toMatchObject({ id: 1 })

    const contracting = next([...known, expanding], 'alter table clients drop column name cascade', false)
    const last = next([...known, expanding, contracting], 'create table more (n integer)', true)
    await migrate(database, [...known, expanding, contracting, last])
    await expect(migrate(database, [...known, expanding])).rejects.toThrow(
      new Failure(
        `The database is newer than this service: it has migration ${contracting.name}, this version knows ${known.length + 1}`,
        1,
      ),
    )
  })

  it('from before the expand marker are refused', async () => {
    await migrate(database, [first, second])
    await database.query('alter table schema_migrations drop column expands')
    await expect(migrate(database, [first])).rejects.toThrow('it has migration 0002-b')
  })

  it('may be run by several nodes at once', async () => {
    const others = another === undefined ? [database] : [await another(), await another()]
    await Promise.all([database, ...others].map((node) => migrate(node, [first, second])))
    expect(await applied(database)).toEqual(['0001-a', '0002-b'])
    expect(await database.query('select n from a')).toEqual([{ n: 1 }])
  })
})

function next(known: readonly Migration[], sql: string, expands: boolean): Migration {
  const number = known.length + 1
  return { number, name: `${number}-next`, checksum: `${number}`, sql, expands }
}

function schemaOf(database: Queryable): Promise<object[]> {
  return database.query(
    "select table_name, column_name from information_schema.columns where table_schema = 'public' order by 1, 2",
  )
}

describe('migration files', () => {
  it('of the service are numbered without a gap', async () => {
    const migrations = await readMigrations()
    expect(migrations[0]?.name).toBe('0001-billing')
    expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, index) => index + 1))
  })

  it('have the same checksum with the line ends of another system', async () => {
    const [unix, windows] = await Promise.all([
      checksumOf('select 1;\nselect 2;\n'),
      checksumOf('select 1;\r\nselect 2;\r\n'),
    ])
    expect(windows).toBe(unix)
    expect(await checksumOf('select 1; select 2;\n')).not.toBe(unix)
  })

  it('expand if their first line says so', async () => {
    const line = '-- Expands: programs without this migration go on working.'
    expect((await readOne(`${line}\nselect 1;\n`))?.expands).toBe(true)
    expect((await readOne(`select 1;\n${line}\n`))?.expands).toBe(false)
  })

  it('with a gap in their numbers are refused', async () => {
    await expect(checksumOf('select 1', '0002-late.sql')).rejects.toThrow(
      '0002-late.sql is out of order: 1 expected',
    )
  })

  const checksumOf = async (sql: string, name?: string) => (await readOne(sql, name))?.checksum

  async function readOne(sql: string, name = '0001-one.sql') {
    const directory = await mkdtemp(join(tmpdir(), 'billing-migrations-'))
    try {
      await writeFile(join(directory, name), sql)
      return (await readMigrations(directory))[0]
    } finally {
      await rm(directory, { recursive: true })
    }
  }
})
