import { ProblemError } from 'duet-runtime'
import { Failure, reasonOf } from '../failure.js'
import { type ApiKeyVault, createApiKeyVault } from '../identity/api-key.js'
import { rotateSecret } from '../identity/rotation.js'
import { type Sealer, sealerFor } from '../identity/sealer.js'
import { checkSecret } from '../identity/secret-check.js'
import type { Settings } from '../settings/settings.js'
import type { Database } from '../storage/database/database.js'
import { migrate, readMigrations } from '../storage/database/migrate.js'
import { requireRowSecurity } from '../storage/database/row-security.js'
import { claimDataDirectory } from '../storage/embedded/data-directory.js'
import { openPostgres } from '../storage/postgres/postgres.js'
import { credentialsFile } from './credentials.js'
import { insertSample } from './sample.js'

/** The open database and its secret. */
export interface Data {
  readonly database: Database
  readonly secret: string
  /** Secrets whose stored keys are still readable. */
  readonly oldSecrets: readonly string[]
  readonly vault: ApiKeyVault
  /** Encrypts the secrets of second factors. */
  readonly sealer: Sealer
  /**
   * Re-encrypts all API keys with BILLING_SECRET, or else with a new secret in DATA_DIR. Returns how many.
   * @throws Failure if the previous secret is unknown
   */
  rotateSecret(): Promise<number>
  /** Writes the base URL into the sample's credentials and returns the file's path. Undefined if there is no file. */
  updateCredentials(): Promise<string | undefined>
  close(): Promise<void>
}

/**
 * Opens the database of the settings and migrates it to this version. Creates a missing embedded database with sample
 * data.
 * @param baseUrl written into the sample's credentials
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
  const secrets = secretsOf(secret, settings.oldSecrets)
  try {
    await prepare(database, secrets)
  } catch (error) {
    await close()
    if (!(error instanceof ProblemError)) throw error
    throw new Failure(`DATABASE_URL: the database is unavailable: ${reasonOf(error.cause)}`, 1, {
      cause: error,
    })
  }
  return {
    database,
    ...secrets,
    rotateSecret: () => rotateToGiven(database, secrets),
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
    const secrets =
      settings.secret === undefined
        ? secretsOf(await directory.secret(), [...settings.oldSecrets, ...(await directory.nextSecret())])
        : secretsOf(settings.secret, settings.oldSecrets)
    const credentials = credentialsFile(directory.path)
    const database = await directory.database({
      async create(empty) {
        await prepare(empty, secrets)
        await credentials.write(baseUrl, await insertSample(empty, secrets.vault))
      },
      prepare: (found) => prepare(found, secrets),
      onError: onDatabaseError,
    })
    return {
      database,
      ...secrets,
      rotateSecret: () =>
        settings.secret === undefined
          ? directory.replaceSecret((next) =>
              rotateSecret(database, secretsOf(next, [secrets.secret, ...secrets.oldSecrets]), next),
            )
          : rotateToGiven(database, secrets),
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

type Secrets = Pick<Data, 'secret' | 'oldSecrets' | 'vault' | 'sealer'>

function secretsOf(secret: string, oldSecrets: readonly string[]): Secrets {
  return {
    secret,
    oldSecrets,
    vault: createApiKeyVault(secret, oldSecrets),
    sealer: sealerFor('second factor encryption', secret, oldSecrets),
  }
}

function rotateToGiven(database: Database, { secret, oldSecrets, vault, sealer }: Secrets): Promise<number> {
  if (oldSecrets.length === 0) {
    throw new Failure('BILLING_SECRET_OLD must be set to the previous secret', 2)
  }
  return rotateSecret(database, { vault, sealer }, secret)
}

async function prepare(database: Database, { secret, oldSecrets }: Secrets): Promise<void> {
  await migrate(database, await readMigrations())
  await requireRowSecurity(database)
  await checkSecret(database, secret, oldSecrets)
}
