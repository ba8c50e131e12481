import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { Credentials } from 'duet-runtime'
import { problem } from '../problem.js'
import type { Queryable } from '../storage/database/database.js'
import { type SessionStore, sessionStore } from '../storage/tables/identity/sessions.js'
import { type SignInUser, type UserStore, userStore } from '../storage/tables/identity/users.js'
import type { Recent } from '../storage/tables/recent.js'
import { type ApiKeyVault, createApiKeyVault } from './api-key.js'
import type { Hasher } from './hash-line.js'
import { verifyPassword } from './password.js'
import { type Principal, toPrincipal } from './principal.js'
import { createTokenSigner, type TokenSigner, tokenSeconds } from './token.js'

/** A token and the UTC datetime at which it expires. */
export interface IssuedToken {
  readonly token: string
  readonly expiresAt: string
}

/** The token of a new session, and its user. */
export interface SignedIn extends IssuedToken {
  readonly principal: Principal
}

/**
 * Authenticates users by both mechanisms of seed section 5.
 * @typeParam By who tries a password
 */
export interface Identity<By = Hasher> {
  /**
   * The principal behind an API key or a bearer token.
   * @throws ProblemError `invalid_api_key`, `invalid_token`, or `unauthenticated` without either
   */
  authenticate(credentials: Credentials<'apiKey' | 'jwt'>): Promise<Principal>
  /**
   * The active user with this login and password, and the hash that the password was compared with.
   * @throws ProblemError `invalid_credentials`: one error, in the same time, for a wrong login and a wrong password
   */
  verify(login: string, password: string, by?: By): Promise<SignInUser>
  /**
   * Opens a session for a login and its password.
   * @throws ProblemError `invalid_credentials` as above
   */
  login(login: string, password: string, by?: By): Promise<SignedIn>
  /**
   * Replaces the current token of the session with a new one.
   * @throws ProblemError `invalid_token` for a spent token, whose session is then revoked
   */
  refresh(principal: Principal | undefined): Promise<IssuedToken>
}

export interface IdentityOptions {
  readonly database: Queryable
  /** BILLING_SECRET. */
  readonly secret: string
  /** Secrets whose stored keys and signed tokens are still valid. */
  readonly oldSecrets?: readonly string[] | undefined
  /** Caches of recent answers. Undefined: none. */
  readonly recent?: Recent | undefined
  /** Receives the row id of each key that authenticates a call. */
  readonly onKeyUse?: ((id: string) => void) | undefined
  /** Milliseconds since the epoch; for tests. */
  readonly now?: () => number
}

export function createIdentity({
  database,
  secret,
  oldSecrets,
  recent,
  onKeyUse = () => {},
  now = Date.now,
}: IdentityOptions): Identity {
  const users = userStore(database, recent?.apiKeys)
  const sessions = sessionStore(database, recent?.sessions)
  const vault = createApiKeyVault(secret, oldSecrets)
  const signer = createTokenSigner(secret, oldSecrets)
  const verify: Identity['verify'] = async (login, password, by) => {
    let found: SignInUser | undefined
    const stored = async () => {
      found = await users.withLogin(login)
      return found?.passwordHash ?? null
    }
    const right = await verifyPassword(password, stored, by)
    if (found === undefined || !right) {
      throw problem('invalid_credentials', { detail: 'The login or the password is wrong.' })
    }
    return found
  }
  return {
    authenticate({ apiKey, jwt }) {
      if (apiKey !== undefined) return withApiKey(users, vault, apiKey, onKeyUse)
      if (jwt !== undefined) return withToken(sessions, signer, jwt, now())
      throw problem('unauthenticated')
    },
    verify,
    async login(login, password, by) {
      const { user } = await verify(login, password, by)
      const next = nextToken(now(), user.id, randomUUID())
      await sessions.open(user.id, next.session)
      return { ...(await next.issue(signer)), principal: toPrincipal(user) }
    },
    async refresh(principal) {
      if (principal?.session === undefined) throw problem('unauthenticated')
      const next = nextToken(now(), principal.userId, principal.session.id)
      if (!(await sessions.rotate(principal.session.tokenId, next.session))) {
        throw problem('invalid_token', { detail: 'The token has already been refreshed. Sign in again.' })
      }
      return next.issue(signer)
    },
  }
}

async function withApiKey(
  users: UserStore,
  vault: ApiKeyVault,
  apiKey: string,
  onKeyUse: (id: string) => void,
): Promise<Principal> {
  for (const digest of vault.digests(apiKey)) {
    const found = await users.withApiKey(digest)
    if (found !== undefined && timingSafeEqual(digest, found.apiKeyDigest)) {
      onKeyUse(found.keyId)
      return toPrincipal(found.user)
    }
  }
  throw problem('invalid_api_key')
}

async function withToken(
  sessions: SessionStore,
  signer: TokenSigner,
  token: string,
  now: number,
): Promise<Principal> {
  const claims = await signer.verify(token, now)
  const user = claims && (await sessions.userOf(claims.sessionId))
  if (claims === undefined || user === undefined || user.id !== claims.userId) throw problem('invalid_token')
  return toPrincipal(user, { id: claims.sessionId, tokenId: claims.tokenId })
}

function nextToken(now: number, userId: number, sessionId: string) {
  const issuedAt = Math.floor(now / 1000)
  const expiry = issuedAt + tokenSeconds
  const expiresAt = new Date(expiry * 1000).toISOString()
  const tokenId = randomUUID()
  return {
    session: { id: sessionId, tokenId, expiresAt },
    issue: async (signer: TokenSigner): Promise<IssuedToken> => ({
      token: await signer.sign({ userId, tokenId, sessionId }, issuedAt, expiry),
      expiresAt,
    }),
  }
}
