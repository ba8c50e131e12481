import { createApiKeyVault } from '../identity/api-key.js'
import { insertSample } from '../sample/sample.js'
import type { Database } from '../storage/database.js'
import { migrate, readMigrations } from '../storage/migrate.js'
import { createStorage, type Storage } from '../storage/storage.js'
import type { DatabaseSource } from './databases.js'

/** A database with the sample data, and its storage. `source` is the caller's to stop. */
export interface SampleStorage {
  readonly source: DatabaseSource
  readonly database: Database
  readonly storage: Storage
  readonly resellerA: { readonly resellerId: number }
  readonly resellerB: { readonly resellerId: number }
}

export async function openSampleStorage(start: () => Promise<DatabaseSource>): Promise<SampleStorage> {
  const source = await start()
  const { database } = await source.empty()
  await migrate(database, await readMigrations())
  await insertSample(database, createApiKeyVault('s'.repeat(32)))
  const rows = await database.query<{ id: string }>('select id from resellers order by name')
  const resellerOf = (index: number) => ({ resellerId: Number(rows[index]?.id) })
  return {
    source,
    database,
    storage: createStorage(database),
    resellerA: resellerOf(0),
    resellerB: resellerOf(1),
  }
}
