import type { IamAuthJwtHandlers, Token } from '@billing/api/1.1.0'
import type { Identity, IssuedToken } from '../identity/identity.js'
import type { Principal } from '../identity/principal.js'

/** The deprecated token operations (seed section 4.5). */
export function jwtHandlers(identity: Identity): IamAuthJwtHandlers<Principal> {
  return {
    async authenticate({ login, password }) {
      return toToken(await identity.login(login, password))
    },
    async refresh(_params, { principal }) {
      return toToken(await identity.refresh(principal))
    },
  }
}

function toToken({ token, expiresAt }: IssuedToken): Token {
  return { token, expires_at: expiresAt }
}
