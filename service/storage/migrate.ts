import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../failure.js'
import { packageRoot } from '../package-root.js'
import type { Database, Queryable } from './database.js'

/** One numbered SQL file. */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
  /** SHA-256 of the text with unix line ends, so that a checkout on another system counts as the same. */
  readonly checksum: string
}

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
      return { number, name: file.replace(/\.sql$/, ''), sql, checksum }
    }),
  )
}

/**
 * Brings the database to this version in one transaction; nodes that start together wait for each other.
 * @throws Failure when the database is newer than the code, or was made by other migrations
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
    const applied = await appliedOf(transaction)
    verify(applied, migrations)
    for (const migration of migrations.slice(applied.length)) {
      await transaction.query(migration.sql)
      await transaction.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', [
        String(migration.number),
        migration.name,
        migration.checksum,
      ])
    }
  })
}

// Any number that no other program is likely to lock: 'bill' in ASCII.
const migrationLock = 0x62696c6c

interface Applied {
  readonly number: number
  readonly name: string
  readonly checksum: string
}

function appliedOf(transaction: Queryable): Promise<Applied[]> {
  return transaction.query<Applied>('select number, name, checksum from schema_migrations order by number')
}

function verify(applied: readonly Applied[], migrations: readonly Migration[]): void {
  const newest = applied.at(-1)
  if (newest !== undefined && newest.number > migrations.length) {
    throw new Failure(
      `The database is newer than this service: it has migration ${newest.name}, this version knows ${migrations.length}`,
      1,
    )
  }
  for (const [index, { number, name, checksum }] of applied.entries()) {
    if (number === migrations[index]?.number && checksum === migrations[index].checksum) continue
    throw new Failure(`The database was made by another migration ${name} than this service has`, 1)
  }
}
