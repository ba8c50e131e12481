import type { Database } from '../database/database.js'
import type { ExchangeRate } from './currencies.js'
import { RecentAnswers } from './recent-answers.js'
import type { User, UserWithApiKey } from './users.js'

/** A node's caches of database rows, each row for a few seconds at most. */
export interface Recent {
  /** By digest. */
  readonly apiKeys: RecentAnswers<UserWithApiKey>
  /** By session id. */
  readonly sessions: RecentAnswers<User>
  /** By currencies and moment. */
  readonly rates: RecentAnswers<ExchangeRate>
  close(): Promise<void>
}

/**
 * Creates the caches, whose entries live for `ms`. The triggers `*_stale` notify all nodes of changes, which then drop
 * the entries. If a notification may be missing, the node drops all entries.
 */
export async function keepRecent(database: Pick<Database, 'listen'>, ms: number): Promise<Recent> {
  const ownerOf = ({ id }: User) => String(id)
  const apiKeys = new RecentAnswers<UserWithApiKey>({ most, ms, ownerOf: ({ user }) => ownerOf(user) })
  const sessions = new RecentAnswers<User>({ most, ms, ownerOf })
  const rates = new RecentAnswers<ExchangeRate>({ most, ms, msOf: ({ lastsMs }) => lastsMs })
  const all = [apiKeys, sessions, rates]
  const stop = await database.listen('billing_stale', {
    onMessage(message) {
      const [kind, id] = message.split(' ')
      if (kind === 'rates') rates.forgetAll()
      else if (kind === 'session' && id !== undefined) sessions.forget(id)
      else if (kind === 'user' && id !== undefined)
        for (const users of [apiKeys, sessions]) users.forgetOwner(id)
      else for (const answers of all) answers.forgetAll()
    },
    onGap() {
      for (const answers of all) answers.forgetAll()
    },
  })
  return { apiKeys, sessions, rates, close: stop }
}

/** Most entries per cache. All caches together take at most some 10 MB. */
const most = 10_000
