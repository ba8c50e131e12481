import type { SampleUser } from '../data/credentials.js'
import { insertSample } from '../data/sample.js'
import { createApiKeyVault } from '../identity/api-key.js'
import type { Database } from '../storage/database/database.js'
import { migrate, readMigrations } from '../storage/database/migrate.js'
import { startOwnPostgres } from './databases.js'
import { type Run, serve } from './process.js'

/** The built service as several processes on one PostgreSQL with the sample data. */
export interface Nodes {
  readonly database: Database
  readonly urls: readonly string[]
  user(login: string): SampleUser
  /** What the nodes were started with. */
  readonly environment: Record<string, string>
  /** Stops the nodes, and leaves the database. */
  stopAll(): Promise<void>
  stop(): Promise<void>
}

export async function startNodes(number: number, settings: Record<string, string> = {}): Promise<Nodes> {
  const source = await startOwnPostgres()
  const secret = 's'.repeat(32)
  const { database, url = '' } = await source.empty()
  await migrate(database, await readMigrations())
  const users = await insertSample(database, createApiKeyVault(secret))
  const environment: Record<string, string> = {
    DATABASE_URL: url,
    BILLING_SECRET: secret,
    API_VERSION: '1.1.0',
    ...settings,
  }
  const nodes: readonly (Run & { readonly url: string })[] = await Promise.all(
    Array.from({ length: number }, () => serve(environment)),
  )
  const stopAll = async () => {
    for (const { child, ended } of nodes) {
      child.kill('SIGTERM')
      await ended
    }
  }
  return {
    environment,
    stopAll,
    database,
    urls: nodes.map((node) => node.url),
    user(login) {
      const user = users.find((candidate) => candidate.login === login)
      if (user === undefined) throw new Error(`The sample has no user ${login}`)
      return user
    },
    async stop() {
      await stopAll()
      await source.stop()
    },
  }
}
