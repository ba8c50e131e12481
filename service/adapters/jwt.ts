import type { IamAuthJwtHandlers, Token } from '@billing/api/1.1.0'
import type { HttpRequest } from 'duet-runtime'
import type { Identity, IssuedToken } from '../identity/identity.js'
import type { Principal } from '../identity/principal.js'

/** An identity that counts the attempts at passwords for their sender. */
export type SenderIdentity = Pick<Identity<Sender>, 'login' | 'refresh'>

type Sender = Pick<HttpRequest, 'socket' | 'headers'>

/** The deprecated token operations (seed section 4.5). */
export function jwtHandlers(identity: SenderIdentity): IamAuthJwtHandlers<Principal> {
  return {
    async authenticate({ login, password }, context) {
      const { request } = context
      const sender = request && { socket: { remoteAddress: request.address }, headers: request.headers }
      const signedIn = await identity.login(login, password, sender)
      context.identify(signedIn.principal)
      return toToken(signedIn)
    },
    async refresh(_params, { principal }) {
      return toToken(await identity.refresh(principal))
    },
  }
}

function toToken({ token, expiresAt }: IssuedToken): Token {
  return { token, expires_at: expiresAt }
}
