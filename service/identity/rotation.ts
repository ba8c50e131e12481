import type { Database } from '../storage/database/database.js'
import type { ApiKeyVault } from './api-key.js'
import { changeSecret } from './secret-check.js'

/**
 * Re-encrypts all API keys with the vault's own secret. Safe to repeat, to resume after an interruption, and to run
 * while the service runs.
 * @returns how many keys it changed
 */
export async function rotateSecret(database: Database, vault: ApiKeyVault, secret: string): Promise<number> {
  let stored = 0
  for (let after: string | undefined = '0'; after !== undefined; ) {
    const batch: Batch = await rotateBatch(database, vault, after)
    stored += batch.stored
    after = batch.last
  }
  await changeSecret(database, secret)
  return stored
}

interface Batch {
  readonly stored: number
  /** The last user's id. Undefined: there are no more users. */
  readonly last: string | undefined
}

/** Takes few users at a time, since it locks them. */
function rotateBatch(database: Database, vault: ApiKeyVault, after: string): Promise<Batch> {
  return database.transaction(async (transaction) => {
    const rows = await transaction.query<KeyRow>(
      `select id, api_key_digest, api_key_ciphertext from users
        where id > $1::bigint and api_key_digest is not null order by id limit 200 for no key update`,
      [after],
    )
    let stored = 0
    for (const { id, api_key_digest, api_key_ciphertext } of rows) {
      const apiKey = vault.open(api_key_ciphertext, api_key_digest)
      const digest = vault.digest(apiKey)
      if (digest.equals(api_key_digest)) continue
      await transaction.query(
        'update users set api_key_digest = $2, api_key_ciphertext = $3 where id = $1::bigint',
        [id, digest, vault.seal(apiKey)],
      )
      stored += 1
    }
    return { stored, last: rows.at(-1)?.id }
  })
}

interface KeyRow {
  readonly id: string
  readonly api_key_digest: Uint8Array
  readonly api_key_ciphertext: Uint8Array
}
