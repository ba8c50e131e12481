import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { deriveKey } from './keys.js'

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
  const vault = vaultOf(secret)
  const all = [vault, ...oldSecrets.map(vaultOf)]
  return {
    ...vault,
    digests: (apiKey) => all.map(({ digest }) => digest(apiKey)),
    open(sealed, digest) {
      const faults: unknown[] = []
      for (const { open } of all) {
        try {
          return open(sealed, digest)
        } catch (fault) {
          faults.push(fault)
        }
      }
      throw faults[0]
    },
  }
}

function vaultOf(secret: string): Omit<ApiKeyVault, 'digests'> {
  const digestKey = deriveKey(secret, 'api-key digest')
  const cipherKey = deriveKey(secret, 'api-key encryption')
  const digest = (apiKey: string) => createHmac('sha256', digestKey).update(apiKey).digest()
  return {
    digest,
    seal(apiKey) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', cipherKey, nonce).setAAD(digest(apiKey))
      const text = Buffer.concat([cipher.update(apiKey, 'utf8'), cipher.final()])
      return Buffer.concat([formatVersion, nonce, cipher.getAuthTag(), text])
    },
    open(sealed, rowDigest) {
      const bytes = Buffer.from(sealed)
      if (bytes.length < textAt || !bytes.subarray(0, 1).equals(formatVersion)) {
        throw new Error('Not a sealed API key')
      }
      const nonce = bytes.subarray(1, 1 + nonceBytes)
      const tag = bytes.subarray(1 + nonceBytes, textAt)
      const decipher = createDecipheriv('aes-256-gcm', cipherKey, nonce, { authTagLength: tagBytes })
      decipher.setAAD(rowDigest).setAuthTag(tag)
      return Buffer.concat([decipher.update(bytes.subarray(textAt)), decipher.final()]).toString('utf8')
    },
  }
}

// Sealed: format version, nonce (96 bits, NIST SP 800-38D section 8.2), tag, text.
const formatVersion = Buffer.from([1])
const nonceBytes = 12
const tagBytes = 16
const textAt = 1 + nonceBytes + tagBytes
