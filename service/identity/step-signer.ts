import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { deriveKey } from './keys.js'

/** Signs what a browser carries between two pages for five minutes, so that any node can take it back. */
export interface StepSigner {
  /** Random bytes with their time and a signature, for one purpose. */
  challenge(purpose: string): Buffer
  isChallenge(purpose: string, challenge: Uint8Array): boolean
  /** A text with its time and a signature, for one purpose. */
  sign(purpose: string, text: string): string
  /** The text. Undefined: it is not signed here for this purpose, or too old. */
  open(purpose: string, signed: string): string | undefined
}

/**
 * @param secret BILLING_SECRET
 * @param now milliseconds since the epoch; for tests
 */
export function createStepSigner(secret: string, now: () => number = Date.now): StepSigner {
  const key = deriveKey(secret, 'sign-in step')
  const macOf = (...parts: readonly (string | Uint8Array)[]) => {
    const mac = createHmac('sha256', key)
    for (const part of parts) mac.update(part).update('\0')
    return mac.digest()
  }
  const isRecent = (time: number) => time <= now() && now() - time < stepMs
  return {
    challenge(purpose) {
      const body = Buffer.concat([randomBytes(16), timeBytes(now())])
      return Buffer.concat([body, macOf('challenge', purpose, body)])
    },
    isChallenge(purpose, challenge) {
      const bytes = Buffer.from(challenge)
      if (bytes.length !== 56) return false
      const body = bytes.subarray(0, 24)
      return (
        timingSafeEqual(bytes.subarray(24), macOf('challenge', purpose, body)) &&
        isRecent(Number(body.readBigUInt64BE(16)))
      )
    },
    sign(purpose, text) {
      const body = `${now()}.${Buffer.from(text).toString('base64url')}`
      return `${body}.${macOf('text', purpose, body).toString('base64url')}`
    },
    open(purpose, signed) {
      const [time = '', text = '', mac = ''] = signed.split('.', 3)
      const expected = macOf('text', purpose, `${time}.${text}`)
      const given = Buffer.from(mac, 'base64url')
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
      return isRecent(Number(time)) ? Buffer.from(text, 'base64url').toString('utf8') : undefined
    },
  }
}

const stepMs = 5 * 60_000

function timeBytes(time: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(time))
  return bytes
}
