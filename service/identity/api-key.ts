import { createHmac, randomBytes } from 'node:crypto'
import { deriveKey } from './keys.js'
import { sealerFor } from './sealer.js'

/** Stores API keys as a digest for lookup and a ciphertext for display. */
export interface ApiKeyVault {
  /** HMAC-SHA-256 of a key, 32 bytes. */
  digest(apiKey: string): Buffer
  /** The digests under which a key may be stored: with this secret and with the old ones. */
  digests(apiKey: string): readonly Buffer[]
  /** The key, encrypted with AES-256-GCM and bound to its digest. */
  seal(apiKey: string): Buffer
  /**
   * Decrypts the key that was sealed with this digest.
   * @throws Error if the ciphertext was changed, or belongs to another row or secret
   */
  open(sealed: Uint8Array, digest: Uint8Array): string
}

/** A new key: `bk_` and 32 random bytes in base64url. */
export function makeApiKey(): string {
  return `bk_${randomBytes(32).toString('base64url')}`
}

/**
 * @param secret BILLING_SECRET
 * @param oldSecrets the vault can still read keys that were stored with them
 */
export function createApiKeyVault(secret: string, oldSecrets: readonly string[] = []): ApiKeyVault {
  const digestKeys = [secret, ...oldSecrets].map((each) => deriveKey(each, 'api-key digest'))
  const digests = (apiKey: string) =>
    digestKeys.map((key) => createHmac('sha256', key).update(apiKey).digest())
  const digest = (apiKey: string) => digests(apiKey)[0] ?? Buffer.alloc(0)
  const sealer = sealerFor('api-key encryption', secret, oldSecrets)
  return {
    digest,
    digests,
    seal: (apiKey) => sealer.seal(apiKey, digest(apiKey)),
    open: (sealed, rowDigest) => sealer.open(sealed, rowDigest),
  }
}
