import { Failure } from '../../failure.js'
import type { Database, Statement } from './database.js'

/**
 * Checks that row-level security separates the Resellers. Creates the role that superusers switch to, which a restored
 * database may not have.
 * @throws Failure if the policies do not bind the connection within a Reseller's scope
 */
export async function requireRowSecurity(database: Database): Promise<void> {
  if (await isBound(database)) return
  await database.query('select make_reseller_role()').catch(unlessRefused)
  if (await isBound(database)) return
  const [row] = await database.query<{ role: string }>('select quote_ident(current_user) as role')
  throw new Failure(
    [
      'DATABASE_URL: row-level security must apply to its role. As a superuser, run:',
      `alter role ${row?.role} nobypassrls;`,
    ],
    1,
  )
}

const isBoundWithin: Statement = {
  text: "select row_security_active('clients') and has_table_privilege('clients', 'select') as bound",
  reseller: '0',
}

async function isBound(database: Database): Promise<boolean> {
  const rows = await database.query<{ bound: boolean }>(isBoundWithin).catch(unlessRefused)
  return rows?.[0]?.bound === true
}

// SQLSTATE (PostgreSQL, appendix A): unknown role; not allowed to set or create it.
const refusals = ['22023', '42501']

function unlessRefused(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && refusals.some((code) => code === error.code))
    return undefined
  throw error
}
