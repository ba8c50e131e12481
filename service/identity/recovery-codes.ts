import { createHash, randomBytes } from 'node:crypto'
import { base32 } from './totp.js'

/** Ten new codes of 80 random bits, such as `k3zm-7qha-2b5x-w6dj`. */
export function makeRecoveryCodes(): readonly string[] {
  return Array.from({ length: 10 }, () =>
    (base32(randomBytes(10)).toLowerCase().match(/.{4}/g) ?? []).join('-'),
  )
}

/** The digest under which a user's code is stored. Case, spaces and hyphens do not matter. */
export function recoveryDigest(userId: number, code: string): Buffer {
  const letters = code.toUpperCase().replace(/[^A-Z2-7]/g, '')
  return createHash('sha256').update(`recovery code ${userId} ${letters}`).digest()
}
