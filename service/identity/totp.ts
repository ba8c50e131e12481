import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** A new secret of 160 bits, as RFC 4226 section 4 recommends. */
export function makeTotpSecret(): Buffer {
  return randomBytes(20)
}

/** The code of a step (RFC 4226 section 5.3). */
export function hotp(secret: Uint8Array, step: number, digits = 6, hash = 'sha1'): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac(hash, secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The step of a moment in milliseconds (RFC 6238 section 4.2). */
export function stepOf(now: number): number {
  return Math.floor(now / 1000 / stepSeconds)
}

/**
 * The step whose code this is: the one of now, or its neighbours, since clocks differ (RFC 6238 section 5.2). Undefined:
 * the code is wrong, or of a step that was used already.
 * @param lastStep the step of the last accepted code
 */
export function acceptedStep(
  secret: Uint8Array,
  code: string,
  now: number,
  lastStep: number,
): number | undefined {
  const given = Buffer.from(code.padEnd(6).slice(0, 6))
  let accepted: number | undefined
  for (const step of [-1, 0, 1].map((drift) => stepOf(now) + drift)) {
    const isRight = timingSafeEqual(Buffer.from(hotp(secret, step)), padded(given))
    if (isRight && /^\d{6}$/.test(code) && step > lastStep) accepted = step
  }
  return accepted
}

/** The URI that authenticator apps read from a QR code (Key Uri Format). */
export function totpUri(secret: Uint8Array, login: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(login)}`
  return `otpauth://totp/${label}?${new URLSearchParams({ secret: base32(secret), issuer })}`
}

/** What the sealed secret of a user is bound to. */
export function totpContext(userId: number): Buffer {
  return Buffer.from(`totp ${userId}`)
}

/** Base32 without padding (RFC 4648 section 6). */
export function base32(bytes: Uint8Array): string {
  let bits = 0
  let value = 0
  let text = ''
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet[(value >>> bits) & 31]
    }
    value &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + alphabet[(value << (5 - bits)) & 31]
}

const stepSeconds = 30

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Six bytes, whatever was typed. */
function padded(given: Buffer): Buffer {
  const bytes = Buffer.alloc(6)
  given.copy(bytes)
  return bytes
}
