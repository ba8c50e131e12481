import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { problem } from '../problem.js'
import { type PasswordCost, passwordCost } from './password-cost.js'

/** Length limits of a password in characters. Longer ones are refused before any hashing. */
export const passwordLength = { minimum: 8, maximum: 1_024 } as const

/** Milliseconds of the processor that a hash takes: some 150 with 64 MiB, and in proportion (RFC 7914 section 5). */
export const hashMs = (150 * passwordCost.N * passwordCost.r * passwordCost.p) / 2 ** 19

/** A new random password: 18 bytes in base64url, 24 characters. */
export function makePassword(): string {
  return randomBytes(18).toString('base64url')
}

/**
 * Returns `scrypt$N$r$p$salt$hash`, salt and hash in base64url. Each hash has its parameters, so new hashes can cost
 * more while the old ones stay valid.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, passwordCost)
  return encode(passwordCost, salt, hash)
}

/**
 * Whether the password matches the hash. Without a hash it is false, after the same work. A password with NUL is false
 * too: HMAC, which scrypt uses, pads its key with NUL (RFC 2104 section 2), so a trailing NUL would change nothing.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const parsed = parse(stored ?? dummyHash)
  const hash = await derive(password.slice(0, passwordLength.maximum + 1), parsed.salt, parsed.cost)
  const isOne = password.length <= passwordLength.maximum && !password.includes('\0')
  return timingSafeEqual(hash, parsed.hash) && stored !== null && isOne
}

const hashBytes = 32
const dummyHash = encode(passwordCost, Buffer.alloc(16), Buffer.alloc(hashBytes))

function encode({ N, r, p }: PasswordCost, salt: Buffer, hash: Buffer): string {
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

function parse(stored: string): { cost: PasswordCost; salt: Buffer; hash: Buffer } {
  const [scheme, N, r, p, salt, hash] = stored.split('$')
  if (scheme !== 'scrypt' || salt === undefined || hash === undefined) throw new Error('Not a password hash')
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  }
}

async function derive(password: string, salt: Buffer, { N, r, p }: PasswordCost): Promise<Buffer> {
  // RFC 8265 section 4.2.2: all Unicode forms of the same characters are one password.
  const bytes = Buffer.from(password.normalize('NFC'), 'utf8')
  await enter()
  try {
    return await new Promise((resolve, reject) => {
      scrypt(bytes, salt, hashBytes, { N, r, p, maxmem: 256 * N * r + 2 ** 20 }, (error, key) =>
        error === null ? resolve(key) : reject(error),
      )
    })
  } finally {
    leave()
  }
}

// Each derivation takes 64 MiB and one of four threads. So two run at a time, with a bounded queue.
const atOnce = 2
const waitingAtMost = 100
let running = 0
const waiting: (() => void)[] = []

async function enter(): Promise<void> {
  if (running < atOnce) {
    running += 1
    return
  }
  if (waiting.length >= waitingAtMost) {
    throw problem('unavailable', { detail: 'Too many logins at the same time. Try again shortly.' })
  }
  await new Promise<void>((resolve) => waiting.push(resolve))
}

function leave(): void {
  const next = waiting.shift()
  if (next === undefined) running -= 1
  else next()
}
