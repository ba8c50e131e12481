import { hkdfSync } from 'node:crypto'

/** The purpose of a derived key. */
export type KeyPurpose =
  | 'api-key digest'
  | 'api-key encryption'
  | 'second factor encryption'
  | 'sign-in step'
  | 'token signature'
  | 'secret fingerprint'

/** A 32-byte key for one purpose, derived from BILLING_SECRET with HKDF-SHA-256 (RFC 5869). */
export function deriveKey(secret: string, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'billing', purpose, 32))
}
