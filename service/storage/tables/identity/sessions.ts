import type { Queryable, Statement } from '../../database/database.js'
import type { QueryCache } from '../query-cache.js'
import { toUser, type User, type UserRow } from './users.js'

/** A session with its current token. */
interface Session {
  /** UUID. */
  readonly id: string
  /** UUID of the only token that may be refreshed. */
  readonly tokenId: string
  /** UTC datetime at which that token expires. */
  readonly expiresAt: string
}

/** For identity/ only. */
export interface SessionStore {
  /** Opens a session, and removes the user's expired ones. */
  open(userId: number, session: Session): Promise<void>
  /** The active user of a session. Undefined for a revoked session. */
  userOf(sessionId: string): Promise<User | undefined>
  /**
   * Replaces the current token. False if `spent` is not the current one: then it revokes the session, since two
   * parties have its tokens (RFC 9700 section 4.14.2). False too if the session no longer exists.
   */
  rotate(spent: string, next: Session): Promise<boolean>
}

/** @param recent cache by session id; undefined: none */
export function sessionStore(database: Queryable, recent?: QueryCache<User>): SessionStore {
  return {
    async open(userId, { id, tokenId, expiresAt }) {
      await database.query(insertSession, [id, String(userId), tokenId, expiresAt])
    },
    userOf(sessionId) {
      const ask = async () => {
        const [row] = await database.query<UserRow>(selectUser, [sessionId])
        return row && toUser(row)
      }
      return recent?.get(sessionId, ask) ?? ask()
    },
    async rotate(spent, { id, tokenId, expiresAt }) {
      const [row] = await database.query<{ rotated: boolean }>(rotateToken, [id, spent, tokenId, expiresAt])
      if (row?.rotated === true) return true
      // This node need not wait for the notification.
      recent?.forget(id)
      return false
    },
  }
}

const insertSession: Statement = {
  prepared: true,
  text: `with expired as (
      delete from sessions where user_id = $2::bigint and expires_at < now() - interval '1 minute'
    )
    insert into sessions (id, user_id, token_id, expires_at) values ($1::uuid, $2::bigint, $3::uuid, $4::timestamptz)`,
}

const selectUser: Statement = {
  prepared: true,
  text: `select users.id, login, role, reseller_id, timezone
    from sessions join users on users.id = sessions.user_id
    where sessions.id = $1::uuid and revoked_at is null and active`,
}

// One statement, so that of two concurrent refreshes with one token the second finds it spent.
const rotateToken: Statement = {
  prepared: true,
  text: `update sessions set
      token_id = case when token_id = $2::uuid then $3::uuid else token_id end,
      expires_at = case when token_id = $2::uuid then $4::timestamptz else expires_at end,
      revoked_at = case when token_id = $2::uuid then null else now() end
    where id = $1::uuid and revoked_at is null
    returning token_id = $3::uuid as rotated`,
}
