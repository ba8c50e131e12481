import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ledger, ShadowChanges, UsageEntry, VersionsShadow } from 'duet-runtime'
import type { Principal } from '../identity/principal.js'
import { packageRoot } from '../package-root.js'
import type { Settings } from '../settings/settings.js'
import type { Database } from '../storage/database/database.js'
import { type UsageStore, usageStore } from '../storage/tables/usage.js'

interface UsageNeeds {
  readonly database: Database
  readonly secret: string
  readonly settings: Pick<Settings, 'usageDays' | 'usageSample'>
  /** Names of the versions, from the oldest to the newest. */
  readonly versions: readonly string[]
  /** Receives each recorded list of entries. */
  readonly onRecord: (entries: readonly UsageEntry[]) => void
  readonly onError: (error: unknown) => void
}

/** The option `shadow` of `createVersions`. Undefined: the settings turn the ledger off. */
export async function createShadow({
  database,
  secret,
  settings: { usageDays, usageSample },
  versions,
  onRecord,
  onError,
}: UsageNeeds): Promise<VersionsShadow<Principal> | undefined> {
  if (usageDays === 0) return undefined
  const store: UsageStore = usageStore(database, usageDays)
  const ledger: Ledger = {
    async record(entries) {
      onRecord(entries)
      await store.record(entries).catch(onError)
    },
  }
  const steps = versions.slice(1).map((to, index) => changesOf(versions[index] ?? '', to))
  return {
    ledger,
    changes: (await Promise.all(steps)).flatMap((changes) => changes ?? []),
    sample: usageSample / 100,
    consumer: consumerOf,
    salt: saltOf(secret),
  }
}

/** The consumer of a principal. */
export function consumerOf({ userId }: Pick<Principal, 'userId'>): string {
  return `user ${userId}`
}

/** The key of the hash of consumers: nodes with the same secret have the same one. */
export function saltOf(secret: string): string {
  return createHmac('sha256', secret).update('usage').digest('hex')
}

/** The output of `duet diff FROM TO --format shadow`. Undefined if the package has none for these versions. */
async function changesOf(from: string, to: string): Promise<ShadowChanges | undefined> {
  const file = join(packageRoot, 'usage', `${from}-to-${to}.json`)
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
