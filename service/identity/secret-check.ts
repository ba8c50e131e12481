import { createHash, timingSafeEqual } from 'node:crypto'
import { Failure } from '../failure.js'
import type { Queryable } from '../storage/database.js'
import { deriveKey } from './keys.js'

/**
 * Makes sure that this node has the secret of the others: the first one leaves a fingerprint.
 * @throws Failure where the fingerprint is another's; all API keys and tokens would be invalid
 */
export async function checkSecret(database: Queryable, secret: string): Promise<void> {
  const fingerprint = createHash('sha256').update(deriveKey(secret, 'secret fingerprint')).digest()
  await database.query('insert into secret_check (fingerprint) values ($1) on conflict do nothing', [
    fingerprint,
  ])
  const [row] = await database.query<{ fingerprint: Uint8Array }>('select fingerprint from secret_check')
  if (row === undefined || !timingSafeEqual(row.fingerprint, fingerprint)) {
    throw new Failure('BILLING_SECRET is not the one that this database was set up with', 2)
  }
}
