import type { Database } from '../database/database.js'
import type { ExchangeRate } from './currencies.js'
import type { User, UserWithApiKey } from './identity/users.js'
import { QueryCache } from './query-cache.js'

/** A node's caches of database rows, each row for a few seconds at most. */
export interface Recent {
  /** By digest. */
  readonly apiKeys: QueryCache<UserWithApiKey>
  /** By session id. */
  readonly sessions: QueryCache<User>
  /** By currencies and moment. */
  readonly rates: QueryCache<ExchangeRate>
  close(): Promise<void>
}

/**
 * Creates the caches, whose entries live for `lifetimeMs`. The triggers `*_stale` notify all nodes of changes, which
 * then drop the entries. If a notification may be missing, the node drops all entries.
 */
export async function keepRecent(database: Pick<Database, 'listen'>, lifetimeMs: number): Promise<Recent> {
  const ownerOf = ({ id }: User) => String(id)
  const apiKeys = new QueryCache<UserWithApiKey>({
    maxEntries,
    lifetimeMs,
    ownerOf: ({ user }) => ownerOf(user),
    lifetimeOf: ({ expiresAt }) => (expiresAt === undefined ? undefined : expiresAt - Date.now()),
  })
  const sessions = new QueryCache<User>({ maxEntries, lifetimeMs, ownerOf })
  const rates = new QueryCache<ExchangeRate>({
    maxEntries,
    lifetimeMs,
    lifetimeOf: ({ lastsMs }) => lastsMs,
  })
  const all = [apiKeys, sessions, rates]
  const stop = await database.listen('billing_stale', {
    onMessage(message) {
      const [kind, id] = message.split(' ')
      if (kind === 'rates') rates.forgetAll()
      else if (kind === 'session' && id !== undefined) sessions.forget(id)
      else if (kind === 'user' && id !== undefined)
        for (const cache of [apiKeys, sessions]) cache.forgetOwner(id)
      else for (const cache of all) cache.forgetAll()
    },
    onGap() {
      for (const cache of all) cache.forgetAll()
    },
  })
  return { apiKeys, sessions, rates, close: stop }
}

/** Maximum number of entries of a cache. All caches together take some 10 MB. */
const maxEntries = 10_000
