import { createAccount } from '../identity/account.js'
import type { ApiKeyVault } from '../identity/api-key.js'
import type { Database, Queryable } from '../storage/database/database.js'
import { insertReseller } from '../storage/tables/identity/users.js'
import type { SampleUser } from './credentials.js'

/** Fills an empty database with the sample data, in one transaction, and returns its users. */
export function insertSample(database: Database, vault: ApiKeyVault): Promise<readonly SampleUser[]> {
  return database.transaction(async (transaction) => {
    const resellers = new Map<string, number>()
    for (const { reseller } of sampleUsers) {
      if (reseller !== null) resellers.set(reseller, await insertReseller(transaction, reseller))
    }
    const users: SampleUser[] = []
    for (const { login, reseller, timezone, role } of sampleUsers) {
      const resellerId = reseller === null ? null : (resellers.get(reseller) ?? null)
      const account = await createAccount(transaction, vault, { login, role, resellerId, timezone })
      users.push({ login, password: account.password, apiKey: account.apiKey, reseller, timezone })
    }
    await insertCurrencies(transaction)
    await insertClients(transaction, resellers)
    await insertGateways(transaction)
    return users
  })
}

const sampleUsers = [
  { login: 'admin', reseller: null, timezone: null, role: 'admin' },
  { login: 'reseller-a', reseller: 'Reseller A', timezone: 'America/New_York', role: 'user' },
  { login: 'reseller-b', reseller: 'Reseller B', timezone: null, role: 'user' },
] as const

/** Units for one euro, valid from a moment. */
const rates: readonly (readonly [currency: string, effectiveFrom: string, rate: string])[] = [
  ['EUR', '2025-01-01T00:00:00Z', '1'],
  ['USD', '2025-01-01T00:00:00Z', '1.0355'],
  ['USD', '2025-07-01T00:00:00Z', '1.1720'],
  ['USD', '2026-01-01T00:00:00Z', '1.0825'],
  ['USD', '2026-07-01T00:00:00Z', '1.0940'],
  ['GBP', '2025-01-01T00:00:00Z', '0.8290'],
  ['GBP', '2025-07-01T00:00:00Z', '0.8565'],
  ['GBP', '2026-01-01T00:00:00Z', '0.8610'],
  ['JPY', '2025-01-01T00:00:00Z', '162.35'],
  ['JPY', '2025-10-01T00:00:00Z', '173.10'],
  ['JPY', '2026-01-01T00:00:00Z', '169.75'],
]

const clients: readonly (readonly [reseller: string, name: string, credit: string, currency: string])[] = [
  ['Reseller A', 'Aurora Calling', '250.5', 'EUR'],
  ['Reseller A', 'Blue Harbor Telecom', '1200.75', 'USD'],
  ['Reseller A', 'Cedar Voice', '0.0001', 'GBP'],
  ['Reseller B', 'Delta Dial', '9999.9999', 'EUR'],
  ['Reseller B', 'Evergreen Lines', '48000', 'JPY'],
  ['Reseller B', 'Fjord Connect', '-75.25', 'EUR'],
]

async function insertCurrencies(transaction: Queryable): Promise<void> {
  await transaction.query(
    "insert into currencies (code, is_base) values ('EUR', true), ('USD', false), ('GBP', false), ('JPY', false)",
  )
  for (const [currency, effectiveFrom, rate] of rates) {
    await transaction.query(
      `insert into currency_rates (currency, is_base, effective_from, rate)
        values ($1, $2, $3::timestamptz, $4::numeric)`,
      [currency, currency === 'EUR', effectiveFrom, rate],
    )
  }
}

async function insertClients(transaction: Queryable, resellers: ReadonlyMap<string, number>): Promise<void> {
  for (const [reseller, name, credit, currency] of clients) {
    await transaction.query(
      'insert into clients (reseller_id, name, credit, currency) values ($1::bigint, $2, $3::numeric, $4)',
      [String(resellers.get(reseller)), name, credit, currency],
    )
  }
}

async function insertGateways(transaction: Queryable): Promise<void> {
  for (let number = 1; number <= 30; number++) {
    const direction = number % 2 === 1 ? 'in' : 'out'
    const route = Math.ceil(number / 2)
    await transaction.query(
      'insert into gateways (name, title, credentials_id, editable) values ($1, $2, $3::bigint, $4)',
      // Every fifth gateway can't be edited. Three gateways share each credentials entry.
      [
        `ported-${direction}-${route}`,
        `Ported ${direction}, route ${route}`,
        String(Math.ceil(number / 3)),
        number % 5 !== 0,
      ],
    )
  }
}
