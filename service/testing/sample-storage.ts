import type { Database } from '../storage/database/database.js'
import { createStorage, type Storage } from '../storage/storage.js'
import type { DatabaseSource } from './databases.js'

/** A database with the sample data, and its storage. `source` is the caller's to stop. */
export interface SampleStorage {
  readonly source: DatabaseSource
  readonly database: Database
  /** A second pool on the database, where the driver allows one. */
  readonly another: (() => Promise<Database>) | undefined
  readonly storage: Storage
  readonly resellerA: { readonly resellerId: number }
  readonly resellerB: { readonly resellerId: number }
}

/** Whoever changes something in a test that does not care. */
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
