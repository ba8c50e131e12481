import { errors, jwtVerify, SignJWT } from 'jose'
import { deriveKey } from './keys.js'

/** Lifetime of a token in seconds. A refresh renews it. */
export const tokenSeconds = 15 * 60

/** The claims of a token: its user, its own id, its session's id. */
interface TokenClaims {
  readonly userId: number
  /** UUID: `jti`. */
  readonly tokenId: string
  /** UUID: `sid`. */
  readonly sessionId: string
}

/** Signs and verifies the JWTs of the deprecated mechanism (seed section 5). */
export interface TokenSigner {
  /** @param expiresAt seconds since the epoch */
  sign(claims: TokenClaims, issuedAt: number, expiresAt: number): Promise<string>
  /**
   * The claims. Undefined unless it is an unexpired token of this service. `now` is in milliseconds since the epoch.
   */
  verify(token: string, now: number): Promise<TokenClaims | undefined>
}

/**
 * @param secret BILLING_SECRET
 * @param oldSecrets tokens that were signed with them are still valid
 */
export function createTokenSigner(secret: string, oldSecrets: readonly string[] = []): TokenSigner {
  const signer = signerOf(secret)
  const all = [signer, ...oldSecrets.map(signerOf)]
  return {
    sign: signer.sign,
    async verify(token, now) {
      for (const { verify } of all) {
        const claims = await verify(token, now)
        if (claims !== undefined) return claims
      }
      return undefined
    },
  }
}

function signerOf(secret: string): TokenSigner {
  const key = deriveKey(secret, 'token signature')
  return {
    sign: ({ userId, tokenId, sessionId }, issuedAt, expiresAt) =>
      new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: algorithm, typ: type })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(String(userId))
        .setJti(tokenId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(key),
    async verify(token, now) {
      // RFC 7515 section 7.1: base64url without padding. A lenient decoder would accept many spellings of one token.
      // The last of the 43 digits has two unused bits, which must be 0 (RFC 4648 section 3.5).
      if (!/^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/.test(token)) return undefined
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [algorithm],
          typ: type,
          issuer,
          audience,
          requiredClaims: ['sub', 'jti', 'sid', 'iat', 'exp'],
          clockTolerance: 5,
          currentDate: new Date(now),
        })
        const { sub, jti, sid } = payload
        if (sub === undefined || !/^[1-9]\d{0,15}$/.test(sub) || !isUuid(jti) || !isUuid(sid))
          return undefined
        return { userId: Number(sub), tokenId: jti, sessionId: sid }
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined
        throw error
      }
    },
  }
}

const algorithm = 'HS256'
// RFC 9068 section 2.1. It rules out tokens of another kind that are signed with the same key.
const type = 'at+jwt'
const issuer = 'billing'
const audience = 'billing-api'

function isUuid(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
}
