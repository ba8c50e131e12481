import { randomBytes, randomUUID, scrypt, timingSafeEqual } from 'node:crypto'
import { type Hasher, HashLine } from './hash-line.js'
import { type PasswordCost, passwordCost } from './password-cost.js'

/** Length limits of a password in characters. Longer ones are refused before any hashing. */
export const passwordLength = { minimum: 8, maximum: 1_024 } as const

/** Milliseconds of the processor that a hash takes at least: some 150 with 64 MiB, and in proportion (RFC 7914 section 5). */
const leastHashMs = (150 * passwordCost.N * passwordCost.r * passwordCost.p) / 2 ** 19

/** Milliseconds of the processor that the next hash will take, by those before it: twice as many on a busy machine. */
export function hashMs(): number {
  return Math.max(leastHashMs, meanHashMs)
}

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
  const hash = await line.run(authenticated(), () => derive(password, salt, passwordCost))
  return encode(passwordCost, salt, hash)
}

/**
 * Whether the password matches the hash. Without a hash it is false, after the same work. A password with NUL is false
 * too: HMAC, which scrypt uses, pads its key with NUL (RFC 2104 section 2), so a trailing NUL would change nothing.
 * @param stored reads the hash when the turn of `hasher` has come
 */
export async function verifyPassword(
  password: string,
  stored: () => Promise<string | null> | string | null,
  hasher: Hasher = authenticated(),
): Promise<boolean> {
  return await line.run(hasher, async () => {
    const own = await stored()
    const parsed = parse(own ?? dummyHash)
    const hash = await derive(password.slice(0, passwordLength.maximum + 1), parsed.salt, parsed.cost)
    const isOne = password.length <= passwordLength.maximum && !password.includes('\0')
    return timingSafeEqual(hash, parsed.hash) && own !== null && isOne
  })
}

const authenticated = (): Hasher => ({ subject: randomUUID(), isKnown: true })

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
  const began = performance.now()
  const before = process.cpuUsage()
  const hash = await new Promise<Buffer>((resolve, reject) => {
    scrypt(bytes, salt, hashBytes, { N, r, p, maxmem: 256 * N * r + 2 ** 20 }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })
  // Processor time is that of all threads, wall time includes waits.
  const { user, system } = process.cpuUsage(before)
  const spentMs = Math.min(performance.now() - began, (user + system) / 1000 / line.running)
  if (N === passwordCost.N) meanHashMs += (spentMs - meanHashMs) / 4
  return hash
}

// Each derivation takes 64 MiB and one of four threads. So two run at a time, with a bounded line.
const line = new HashLine({ atOnce: 2, waiting: 100 })

let meanHashMs = leastHashMs
