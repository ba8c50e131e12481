import type { Database } from '../storage/database/database.js'
import type { ApiKeyVault } from './api-key.js'
import type { Sealer } from './sealer.js'
import { changeSecret } from './secret-check.js'
import { totpContext } from './totp.js'

/**
 * Re-encrypts all API keys and secrets of authenticator apps with the current secret. Safe to repeat, to resume after an interruption, and to run
 * while the service runs.
 * @returns how many keys it changed
 */
export async function rotateSecret(
  database: Database,
  { vault, sealer }: { readonly vault: ApiKeyVault; readonly sealer: Sealer },
  secret: string,
): Promise<number> {
  // The key in `users` first: its row of `api_keys` follows it.
  const stored = (await inBatches(database, vault, userKeys)) + (await inBatches(database, vault, apiKeys))
  await sealAgain(database, sealer)
  await changeSecret(database, secret)
  return stored
}

const userKeys = { table: 'users', digest: 'api_key_digest', ciphertext: 'api_key_ciphertext' } as const
const apiKeys = { table: 'api_keys', digest: 'digest', ciphertext: 'ciphertext' } as const

type Keys = typeof userKeys | typeof apiKeys

async function inBatches(database: Database, vault: ApiKeyVault, keys: Keys): Promise<number> {
  let stored = 0
  for (let after: string | undefined = '0'; after !== undefined; ) {
    const batch: Batch = await rotateBatch(database, vault, keys, after)
    stored += batch.stored
    after = batch.last
  }
  return stored
}

interface Batch {
  readonly stored: number
  /** The last row's id. Undefined: there are no more rows. */
  readonly last: string | undefined
}

/** Takes few rows at a time, since it locks them. */
function rotateBatch(
  database: Database,
  vault: ApiKeyVault,
  { table, digest, ciphertext }: Keys,
  after: string,
): Promise<Batch> {
  return database.transaction(async (transaction) => {
    const rows = await transaction.query<KeyRow>(
      `select id, ${digest} as digest, ${ciphertext} as ciphertext from ${table}
        where id > $1::bigint and ${digest} is not null order by id limit 200 for no key update`,
      [after],
    )
    let stored = 0
    for (const row of rows) {
      const apiKey = vault.open(row.ciphertext, row.digest)
      const fresh = vault.digest(apiKey)
      if (fresh.equals(row.digest)) continue
      await transaction.query(
        `update ${table} set ${digest} = $2, ${ciphertext} = $3 where id = $1::bigint`,
        [row.id, fresh, vault.seal(apiKey)],
      )
      stored += 1
    }
    return { stored, last: rows.at(-1)?.id }
  })
}

/** Seals the secrets of authenticator apps with the new secret. Few users have one. */
function sealAgain(database: Database, sealer: Sealer): Promise<void> {
  return database.transaction(async (transaction) => {
    const rows = await transaction.query<{ user_id: string; sealed: Uint8Array }>(
      'select user_id, sealed from totp_secrets order by user_id for no key update',
    )
    for (const { user_id, sealed } of rows) {
      const context = totpContext(Number(user_id))
      await transaction.query('update totp_secrets set sealed = $2 where user_id = $1::bigint', [
        user_id,
        sealer.seal(sealer.open(sealed, context), context),
      ])
    }
  })
}

interface KeyRow {
  readonly id: string
  readonly digest: Uint8Array
  readonly ciphertext: Uint8Array
}
