import { createHash, timingSafeEqual } from 'node:crypto'
import { Failure } from '../failure.js'
import type { Queryable } from '../storage/database/database.js'
import { deriveKey } from './keys.js'

/**
 * Checks that this node has the secret of the other nodes. The first node stores a fingerprint.
 * @param oldSecrets secrets whose fingerprint the database may still have
 * @throws Failure if the fingerprint differs, since all API keys and tokens would be invalid
 */
export async function checkSecret(
  database: Queryable,
  secret: string,
  oldSecrets: readonly string[] = [],
): Promise<void> {
  await database.query('insert into secret_check (fingerprint) values ($1) on conflict do nothing', [
    fingerprintOf(secret),
  ])
  const [row] = await database.query<{ fingerprint: Uint8Array }>('select fingerprint from secret_check')
  const isKnown = [secret, ...oldSecrets].some(
    (each) => row !== undefined && timingSafeEqual(row.fingerprint, fingerprintOf(each)),
  )
  if (!isKnown) throw new Failure('BILLING_SECRET is not the secret of this database', 2)
}

/** Stores the fingerprint of a new secret. */
export async function changeSecret(database: Queryable, secret: string): Promise<void> {
  await database.query('update secret_check set fingerprint = $1', [fingerprintOf(secret)])
}

function fingerprintOf(secret: string): Buffer {
  return createHash('sha256').update(deriveKey(secret, 'secret fingerprint')).digest()
}
