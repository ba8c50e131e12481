import type { Database } from '../../database/database.js'
import { type Actor, recordChange } from '../audit.js'
import { isStorable } from '../identifier.js'
import { toUser, type User, type UserRow } from './users.js'

/** Greatest idle time and total lifetime of a session of the administration area. */
const sessionMinutes = { idle: 20, absolute: 8 * 60 } as const

/** A session of the administration area, or a session of API tokens. */
interface OpenSession {
  /** UUID. */
  readonly id: string
  readonly kind: 'administration' | 'token'
  /** UTC datetime. */
  readonly createdAt: string
  /** UTC datetime of the last use; for API tokens, when the current token expires. */
  readonly until: string
  /** The browser's User-Agent. Empty for API tokens. */
  readonly agent: string
}

/** The sessions of the administration area. */
export interface AdminSessionStore {
  /**
   * Opens a session, and removes the user's expired ones. False if the user was deactivated, or got another password,
   * since the password with this hash was checked.
   * @param by the factor besides a password, for the audit trail
   */
  open(
    actor: Actor,
    digest: Uint8Array,
    passwordHash: string | null,
    agent: string,
    by?: string,
  ): Promise<boolean>
  /**
   * The active user of an open session. This counts as a use of the session. `isFresh`: the user proved to be the one, by
   * signing in or by the password, in the last 15 minutes.
   */
  use(
    digest: Uint8Array,
  ): Promise<{ readonly sessionId: string; readonly user: User; readonly isFresh: boolean } | undefined>
  /** Remembers that the user has just proved to be the one. */
  confirm(digest: Uint8Array): Promise<void>
  /** Keeps the page about a refused form in the place of the last one, for 15 minutes. */
  keepRefused(digest: Uint8Array, id: string, page: string): Promise<void>
  refused(digest: Uint8Array, id: string): Promise<string | undefined>
  close(digest: Uint8Array): Promise<void>
  /** The user's open sessions of both kinds, newest first. */
  list(userId: number): Promise<readonly OpenSession[]>
  /** Ends the user's session with this id, or all of them. Returns how many ended. */
  revoke(actor: Actor, user: User, sessionId?: string): Promise<number>
}

export function adminSessionStore(database: Database): AdminSessionStore {
  return {
    open: (actor, digest, passwordHash, agent, by) =>
      database.transaction(async (transaction) => {
        const userId = String(actor.userId)
        await transaction.query(`delete from admin_sessions where user_id = $1::bigint and not (${isOpen})`, [
          userId,
        ])
        // Lock the row, so that a change of the password either ends this session or is visible here.
        const opened = await transaction.query(
          `insert into admin_sessions (digest, user_id, agent)
            select $1::bytea, id, $2 from users
              where id = $3::bigint and active and password_hash is not distinct from $4 for share
            returning id`,
          [digest, agent, userId, passwordHash],
        )
        if (opened.length === 0) return false
        await transaction.query('update users set last_sign_in_at = now() where id = $1::bigint', [userId])
        await recordChange(transaction, actor, {
          ...sessionEntry(actor.userId, actor.resellerId),
          after: by === undefined ? null : { with: by },
        })
        return true
      }),
    async use(digest) {
      const [row] = await database.query<UserRow & { session_id: string; fresh: boolean }>(
        `update admin_sessions set used_at = now() from users
          where digest = $1::bytea and ${isOpen} and users.id = user_id and active
          returning users.id, login, role, reseller_id, timezone, admin_sessions.id as session_id,
            confirmed_at > now() - interval '15 minutes' as fresh`,
        [digest],
      )
      return row && { sessionId: row.session_id, user: toUser(row), isFresh: row.fresh }
    },
    async confirm(digest) {
      await database.query('update admin_sessions set confirmed_at = now() where digest = $1::bytea', [
        digest,
      ])
    },
    async keepRefused(digest, id, page) {
      await database.query(
        'update admin_sessions set refused_id = $2, refused_page = $3, refused_at = now() where digest = $1::bytea',
        [digest, id, page],
      )
    },
    async refused(digest, id) {
      if (!isStorable(id)) return undefined
      const [row] = await database.query<{ page: string }>(
        `select refused_page as page from admin_sessions
          where digest = $1::bytea and refused_id = $2 and refused_at > now() - interval '15 minutes'`,
        [digest, id],
      )
      return row?.page
    },
    async close(digest) {
      await database.query('delete from admin_sessions where digest = $1::bytea', [digest])
    },
    async list(userId) {
      return (
        await database.query<SessionRow>(
          `select id, 'administration' as kind, created_at, used_at as until, agent from admin_sessions
              where user_id = $1::bigint and ${isOpen}
            union all
            select id, 'token', created_at, expires_at, '' from sessions
              where user_id = $1::bigint and revoked_at is null and expires_at > now()
            order by created_at desc, id limit 200`,
          [String(userId)],
        )
      ).map(({ created_at: createdAt, ...row }) => ({ createdAt, ...row }))
    },
    revoke: (actor, user, sessionId) =>
      database.transaction(async (transaction) => {
        const values = [String(user.id), sessionId ?? null]
        const ended = [
          ...(await transaction.query(
            `delete from admin_sessions where user_id = $1::bigint and ($2::uuid is null or id = $2::uuid)
              returning id`,
            values,
          )),
          ...(await transaction.query(
            `update sessions set revoked_at = now()
              where user_id = $1::bigint and ($2::uuid is null or id = $2::uuid)
                and revoked_at is null and expires_at > now()
              returning id`,
            values,
          )),
        ]
        if (ended.length > 0) await recordChange(transaction, actor, sessionEntry(user.id, user.resellerId))
        return ended.length
      }),
  }
}

const isOpen = `used_at > now() - interval '${sessionMinutes.idle} minutes'
  and admin_sessions.created_at > now() - interval '${sessionMinutes.absolute} minutes'`

interface SessionRow {
  readonly id: string
  readonly kind: OpenSession['kind']
  readonly created_at: string
  readonly until: string
  readonly agent: string
}

function sessionEntry(userId: number, resellerId: number | null) {
  return { entity: 'user', entityId: userId, resellerId, before: null, after: null }
}
