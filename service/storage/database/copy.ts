import { Failure } from '../../failure.js'
import type { Database, Queryable } from './database.js'

/** All tables to copy, each after the tables that it references. */
export const copiedTables = [
  'secret_check',
  'resellers',
  'users',
  'api_keys',
  'sessions',
  'admin_sessions',
  'totp_secrets',
  'recovery_codes',
  'recovery_offers',
  'passkeys',
  'spent_challenges',
  'currencies',
  'currency_rates',
  'clients',
  'gateways',
  'audit',
  'idempotency',
  'usage_calls',
  'usage_hits',
  'call_counts',
] as const

/**
 * Copies one database into another in one transaction. Both have the same migrations.
 * @returns the number of rows
 * @throws Failure if the target is not empty
 */
export async function copyDatabase(from: Queryable, to: Database): Promise<number> {
  return to.transaction(async (transaction) => {
    await transaction.query('set local statement_timeout = 0')
    // Triggers add no rows: all are copied.
    await transaction.query("select set_config('billing.copying', 'on', true)")
    for (const table of copiedTables) {
      if ((await transaction.query(`select 1 from ${table} limit 1`)).length > 0) {
        throw new Failure(`The target database is not empty: ${table} has rows`, 1)
      }
    }
    let copied = 0
    for (const table of copiedTables) copied += await copyTable(from, transaction, table)
    await copySequences(from, transaction)
    return copied
  })
}

async function copyTable(from: Queryable, to: Queryable, table: string): Promise<number> {
  let copied = 0
  for (let last = '(0,0)'; ; ) {
    const rows = await from.query<{ place: string; row: string }>(
      `select ctid::text as place, to_jsonb(copied)::text as row from ${table} copied
        where ctid > $1::tid order by ctid limit 1000`,
      [last],
    )
    const [end] = rows.slice(-1)
    if (end === undefined) return copied
    await to.query(
      `insert into ${table} overriding system value select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
      [`[${rows.map(({ row }) => row).join(',')}]`],
    )
    copied += rows.length
    last = end.place
  }
}

/** Copies the sequences, so that no id is reused, not even that of a removed row: the audit trail may name it. */
async function copySequences(from: Queryable, to: Queryable): Promise<void> {
  const sequences = await from.query<{ name: string; last: string }>(
    "select sequencename as name, last_value as last from pg_sequences where schemaname = 'public' and last_value is not null",
  )
  for (const { name, last } of sequences)
    await to.query('select setval($1::regclass, $2::bigint)', [name, last])
}
