import { ProblemError } from '@duet/runtime'
import { Failure, reasonOf } from '../failure.js'
import { type ApiKeyVault, createApiKeyVault } from '../identity/api-key.js'
import { checkSecret } from '../identity/secret-check.js'
import { credentialsFile } from '../sample/credentials.js'
import { insertSample } from '../sample/sample.js'
import type { Settings } from '../settings.js'
import { claimDataDirectory } from '../storage/data-directory.js'
import type { Database } from '../storage/database.js'
import { migrate, readMigrations } from '../storage/migrate.js'
import { openPostgres } from '../storage/postgres.js'

/** The opened database and the secret its keys are made from. */
export interface Data {
  readonly database: Database
  readonly secret: string
  readonly vault: ApiKeyVault
  /** Puts the base URL into the sample's credentials and answers the file's path; undefined where there is none. */
  updateCredentials(): Promise<string | undefined>
  close(): Promise<void>
}

/**
 * Opens the database that the settings name, at this version's schema. The embedded one is made, with sample
 * data, where there is none.
 * @param baseUrl goes into the sample's credentials
 * @throws Failure
 */
export async function openData(
  settings: Settings,
  baseUrl: string,
  onDatabaseError?: (error: Error) => void,
): Promise<Data> {
  const { databaseUrl, secret } = settings
  if (databaseUrl === undefined || secret === undefined) return openOwn(settings, baseUrl, onDatabaseError)
  const database = await openPostgres(databaseUrl, settings.pool, onDatabaseError)
  const close = () => database.close()
  try {
    await prepare(database, secret)
  } catch (error) {
    await close()
    if (!(error instanceof ProblemError)) throw error
    throw new Failure(`DATABASE_URL: the database does not serve: ${reasonOf(error.cause)}`, 1, {
      cause: error,
    })
  }
  return {
    database,
    secret,
    vault: createApiKeyVault(secret),
    updateCredentials: async () => undefined,
    close,
  }
}

async function openOwn(
  settings: Settings,
  baseUrl: string,
  onDatabaseError?: (error: Error) => void,
): Promise<Data> {
  const directory = await claimDataDirectory(settings.dataDirectory)
  try {
    const secret = settings.secret ?? (await directory.secret())
    const credentials = credentialsFile(directory.path)
    const vault = createApiKeyVault(secret)
    const database = await directory.database({
      async create(empty) {
        await prepare(empty, secret)
        await credentials.write(baseUrl, await insertSample(empty, vault))
      },
      prepare: (found) => prepare(found, secret),
      onError: onDatabaseError,
    })
    return {
      database,
      secret,
      vault,
      updateCredentials: () => credentials.update(baseUrl),
      async close() {
        await database.close()
        directory.release()
      },
    }
  } catch (error) {
    directory.release()
    throw error
  }
}

async function prepare(database: Database, secret: string): Promise<void> {
  await migrate(database, await readMigrations())
  await checkSecret(database, secret)
}
