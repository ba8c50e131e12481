// A separate PostgreSQL for a benchmark, with the service's tables and any number of rows.
import { randomBytes } from 'node:crypto'
import { insertSample } from '../../service/dist/data/sample.js'
import { createApiKeyVault } from '../../service/dist/identity/api-key.js'
import { migrate, readMigrations } from '../../service/dist/storage/database/migrate.js'
import { defaultPool, openPostgres } from '../../service/dist/storage/postgres/postgres.js'
import { startServer } from '../measure/postgres.mjs'

/**
 * @param {{ clients: number, gateways: number }} rows
 * @param {string[]} [settings] of the server, such as `shared_buffers=512MB`
 */
export async function startDatabase(rows, settings = []) {
  const server = await startServer(settings)
  const url = server.urlOf('postgres')
  const secret = randomBytes(32).toString('hex')
  // One connection, which keeps settings and prepared statements.
  const pool = { ...defaultPool, connections: 1, statementMs: 3_600_000, idleMs: 3_600_000 }
  const database = await openPostgres(url, pool)
  await migrate(database, await readMigrations())
  const users = await insertSample(database, createApiKeyVault(secret))
  const began = performance.now()
  await fill(database, rows)
  return {
    url,
    secret,
    /** A user without a Reseller. */
    apiKey: users[0]?.apiKey ?? '',
    database,
    fillSeconds: (performance.now() - began) / 1000,
    async stop() {
      await database.close()
      await server.stop()
    },
  }
}

/**
 * Rows in addition to the sample, as uneven as real ones: a fifth of the clients has one Reseller, a
 * thousandth one name; of the gateways a hundredth has one credentials, another one title, and a fifth can't
 * be edited. Drops the indexes and recreates them afterwards, which is faster than updating them.
 * @param {import('../../service/dist/storage/database/database.js').Queryable} database
 * @param {{ clients: number, gateways: number }} rows
 */
async function fill(database, rows) {
  await database.query("set synchronous_commit = off; set maintenance_work_mem = '256MB'")
  /** @type {{ name: string, definition: string }[]} */
  const indexes = await database.query(
    `select indexname as name, indexdef as definition from pg_indexes
      where schemaname = 'public' and tablename in ('clients', 'gateways', 'audit')
        and not exists (select from pg_constraint where conname = indexname)`,
  )
  for (const { name } of indexes) await database.query(`drop index ${name}`)
  await database.query("insert into resellers (name) select 'Reseller ' || n from generate_series(1, 1000) n")
  await database.query(
    `insert into clients (reseller_id, name, credit, currency)
      select
        case when n % 5 = 0 then 3 else 4 + n % 999 end,
        case when n % 1000 = 5 then 'Shared name' else 'Client ' || md5(n::text) end,
        n % 10000,
        case when n % 10000 = 0 then 'JPY' when n % 100 = 1 then 'GBP' when n % 4 = 0 then 'USD' else 'EUR' end
      from generate_series(1, $1::integer) n`,
    [String(rows.clients)],
  )
  await database.query(
    `insert into gateways (name, title, credentials_id, editable)
      select
        'gateway-' || md5(n::text),
        case when n % 100 = 0 then 'Shared title' else 'Gateway ' || md5(n::text) end,
        case when n % 100 = 1 then 1 else 100 + n / 20 end,
        n % 5 <> 0
      from generate_series(1, $1::integer) n`,
    [String(rows.gateways)],
  )
  await database.query(
    `insert into audit (user_id, operation, protocol, request_id, entity, entity_id, reseller_id)
      select 1 + n % 3, 'clients.update', 'rest', 'bench', 'client', (n % 1000)::text, 3 + n % 1000
      from generate_series(1, $1::integer) n`,
    [String(rows.gateways)],
  )
  for (const { definition } of indexes) await database.query(definition)
  await database.query('vacuum analyze')
}
