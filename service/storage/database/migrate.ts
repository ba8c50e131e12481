import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../failure.js'
import { packageRoot } from '../../package-root.js'
import type { Database, Queryable } from './database.js'

/** One numbered SQL file. */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
  /** SHA-256 of the text with LF line ends, so that it is the same for checkouts on all systems. */
  readonly checksum: string
  /** Whether older programs work with it: it only adds, and removes nothing that they use. */
  readonly expands: boolean
}

/** The first line of a migration that expands. */
const expansion = '-- Expands: programs without this migration go on working.'

/** The migrations of this version, by number: `0001-name.sql`, `0002-name.sql`, … without a gap. */
export async function readMigrations(
  directory = join(packageRoot, 'storage', 'migrations'),
): Promise<readonly Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file, index) => {
      const number = Number(/^(\d{4})-/.exec(file)?.[1])
      if (number !== index + 1) throw new Error(`Migration ${file} is out of order: ${index + 1} expected`)
      const sql = await readFile(join(directory, file), 'utf8')
      const checksum = createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex')
      return { number, name: file.replace(/\.sql$/, ''), sql, checksum, expands: sql.startsWith(expansion) }
    }),
  )
}

/**
 * Migrates the database to this version in one transaction. Nodes that start together wait for each other. A newer
 * database stays as it is if all its later migrations expand, so that older nodes can start alongside newer ones.
 * @throws Failure if the database is too new for the code, or has other migrations
 */
export async function migrate(database: Database, migrations: readonly Migration[]): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query('set local statement_timeout = 0')
    await transaction.query(`select pg_advisory_xact_lock(${migrationLock})`)
    await transaction.query(
      `create table if not exists schema_migrations (
        number integer primary key,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`,
    )
    await transaction.query(
      'alter table schema_migrations add column if not exists expands boolean not null default false',
    )
    const applied = await appliedOf(transaction)
    verify(applied, migrations)
    for (const migration of migrations.slice(applied.length)) {
      await transaction.query(migration.sql)
      await transaction.query(
        'insert into schema_migrations (number, name, checksum, expands) values ($1, $2, $3, $4)',
        [String(migration.number), migration.name, migration.checksum, migration.expands],
      )
    }
  })
}

// A number that no other program is likely to lock: 'bill' in ASCII.
const migrationLock = 0x62696c6c

interface Applied {
  readonly number: number
  readonly name: string
  readonly checksum: string
  readonly expands: boolean
}

function appliedOf(transaction: Queryable): Promise<Applied[]> {
  return transaction.query<Applied>(
    'select number, name, checksum, expands from schema_migrations order by number',
  )
}

function verify(applied: readonly Applied[], migrations: readonly Migration[]): void {
  const tooNew = applied.findLast(({ number, expands }) => number > migrations.length && !expands)
  if (tooNew !== undefined) {
    throw new Failure(
      `The database is newer than this service: it has migration ${tooNew.name}, this version knows ${migrations.length}`,
      1,
    )
  }
  for (const [index, { number, name, checksum }] of applied.slice(0, migrations.length).entries()) {
    if (number === migrations[index]?.number && checksum === migrations[index].checksum) continue
    throw new Failure(`Migration ${name} of the database differs from the one of this service`, 1)
  }
}
