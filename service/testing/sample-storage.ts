import type { Database } from '../storage/database/database.js'
import { createStorage, type Storage } from '../storage/storage.js'
import type { DatabaseSource } from './databases.js'

/** A database with the sample data, and its storage. The caller stops `source`. */
export interface SampleStorage {
  readonly source: DatabaseSource
  readonly database: Database
  /** A second pool on the database, if the driver allows one. */
  readonly another: (() => Promise<Database>) | undefined
  readonly storage: Storage
  readonly resellerA: { readonly resellerId: number }
  readonly resellerB: { readonly resellerId: number }
}

/** Terms of a change for tests in which the author does not matter. */
export const terms = {
  author: { userId: 1, operation: 'clients.update', protocol: 'local', requestId: 'test' },
} as const

export async function openSampleStorage(start: () => Promise<DatabaseSource>): Promise<SampleStorage> {
  const source = await start()
  const { database, another } = await source.sample()
  const rows = await database.query<{ id: string }>('select id from resellers order by name')
  const resellerOf = (index: number) => ({ resellerId: Number(rows[index]?.id) })
  return {
    source,
    database,
    another,
    storage: createStorage(database),
    resellerA: resellerOf(0),
    resellerB: resellerOf(1),
  }
}
