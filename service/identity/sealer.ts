import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deriveKey, type KeyPurpose } from './keys.js'

/** Encrypts texts with AES-256-GCM. A sealed text belongs to its context, such as a row, and opens with no other. */
export interface Sealer {
  seal(text: string, context: Uint8Array): Buffer
  /** @throws Error if the bytes were changed, or belong to another context or secret */
  open(sealed: Uint8Array, context: Uint8Array): string
}

/** @param key 32 bytes */
function sealerOf(key: Buffer): Sealer {
  return {
    seal(text, context) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(context)
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([formatVersion, nonce, cipher.getAuthTag(), encrypted])
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed)
      if (bytes.length < textAt || !bytes.subarray(0, 1).equals(formatVersion)) {
        throw new Error('Not a sealed text')
      }
      const nonce = bytes.subarray(1, 1 + nonceBytes)
      const tag = bytes.subarray(1 + nonceBytes, textAt)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
      decipher.setAAD(context).setAuthTag(tag)
      return Buffer.concat([decipher.update(bytes.subarray(textAt)), decipher.final()]).toString('utf8')
    },
  }
}

/**
 * Seals with a key of BILLING_SECRET for one purpose, and opens what any of the secrets sealed.
 * @param oldSecrets secrets that the database may still have
 */
export function sealerFor(purpose: KeyPurpose, secret: string, oldSecrets: readonly string[] = []): Sealer {
  const sealers = [secret, ...oldSecrets].map((each) => sealerOf(deriveKey(each, purpose)))
  return {
    seal: (text, context) => sealerOf(deriveKey(secret, purpose)).seal(text, context),
    open(sealed, context) {
      const faults: unknown[] = []
      for (const { open } of sealers) {
        try {
          return open(sealed, context)
        } catch (fault) {
          faults.push(fault)
        }
      }
      throw faults[0]
    },
  }
}

// Sealed: format version, nonce (96 bits, NIST SP 800-38D section 8.2), tag, text.
const formatVersion = Buffer.from([1])
const nonceBytes = 12
const tagBytes = 16
const textAt = 1 + nonceBytes + tagBytes
