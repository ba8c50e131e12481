import type { Contract } from 'duet-runtime'
import { consumerHash, deprecatedOperations, type Ending } from 'duet-runtime/usage'
import type { Settings } from '../settings/settings.js'
import type { Database } from '../storage/database/database.js'
import { type UsageStore, usageStore } from '../storage/tables/usage.js'
import { consumerOf, saltOf } from './shadow.js'

/** The ledger, for the administration area. */
export interface UsageArea extends Pick<UsageStore, 'sums' | 'first'> {
  /** Whether calls are counted. */
  readonly isOn: boolean
  /** Deprecated versions, then deprecated operations. */
  readonly endings: readonly Ending[]
  /** Users by their consumer hashes. */
  users(): Promise<ReadonlyMap<string, KnownUser>>
}

export interface KnownUser {
  readonly id: string
  readonly login: string
}

export function usageAreaOf(
  { database, secret }: { readonly database: Database; readonly secret: string },
  { usageDays, sunsets }: Pick<Settings, 'usageDays' | 'sunsets'>,
  contracts: readonly Contract[],
): UsageArea {
  const { sums, first } = usageStore(database, usageDays)
  return {
    sums,
    first,
    isOn: usageDays > 0,
    endings: [
      ...Object.entries(sunsets).map(([version, { day: sunset }]) => ({ version, sunset })),
      ...contracts.flatMap(({ version, operations }) =>
        deprecatedOperations(version, Object.values(operations)),
      ),
    ],
    async users() {
      const salt = saltOf(secret)
      const rows = await database.query<KnownUser>(
        `select id::text as id, login from users order by id limit ${mostUsers}`,
      )
      return new Map(rows.map((user) => [consumerHash(salt, consumerOf({ userId: Number(user.id) })), user]))
    },
  }
}

/** Hashing so many takes some hundredths of a second. Further users appear as hashes. */
const mostUsers = 5_000
