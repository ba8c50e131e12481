import type { Database, Queryable } from '../../database/database.js'
import { type Actor, recordChange } from '../audit.js'
import { fromRowId, toRowId } from '../identifier.js'

/** A user's second factors. */
interface Factors {
  readonly hasApp: boolean
  readonly passkeys: number
  /** Recovery codes that are left. */
  readonly codes: number
}

/** A secret of an authenticator app. */
interface TotpSecret {
  readonly sealed: Uint8Array
  readonly isConfirmed: boolean
  readonly lastStep: number
}

/** Authenticator apps and recovery codes. Every change has its entry in the audit trail. */
export interface FactorStore {
  of(userId: number): Promise<Factors>
  secretOf(userId: number): Promise<TotpSecret | undefined>
  /** Stores a secret that is not confirmed yet, in the place of another such. False: the user has a confirmed one. */
  begin(userId: number, sealed: Uint8Array): Promise<boolean>
  /** Confirms the secret, whose code of this step was right. False: it is confirmed already, or replaced. */
  confirm(actor: Actor, userId: number, sealed: Uint8Array, step: number): Promise<boolean>
  /** Uses up the code of a step. False: it is used already. */
  useStep(userId: number, step: number): Promise<boolean>
  removeApp(actor: Actor, userId: number): Promise<boolean>
  /** Replaces the recovery codes, and offers the new ones to a session, which sees them once. */
  setCodes(
    actor: Actor,
    userId: number,
    digests: readonly Uint8Array[],
    offer: { readonly sealed: Uint8Array; readonly sessionId: string },
  ): Promise<void>
  takeCodes(userId: number, sessionId: string): Promise<Uint8Array | undefined>
  /** Uses up a recovery code. False: it is none, or used already. */
  useCode(actor: Actor, userId: number, digest: Uint8Array): Promise<boolean>
  /** Removes all factors of a user, and ends the user's sessions. */
  reset(actor: Actor, userId: number): Promise<void>
}

export function factorStore(database: Database): FactorStore {
  return {
    async of(userId) {
      const [row] = await database.query<{ app: boolean; passkeys: string; codes: string }>(
        `select exists (select from totp_secrets where user_id = $1::bigint and confirmed_at is not null) as app,
          (select count(*) from passkeys where user_id = $1::bigint) as passkeys,
          (select count(*) from recovery_codes where user_id = $1::bigint) as codes`,
        [toRowId(userId) ?? '0'],
      )
      return { hasApp: row?.app === true, passkeys: Number(row?.passkeys), codes: Number(row?.codes) }
    },
    async secretOf(userId) {
      const [row] = await database.query<{ sealed: Uint8Array; confirmed: boolean; last_step: string }>(
        `select sealed, confirmed_at is not null as confirmed, last_step from totp_secrets where user_id = $1::bigint`,
        [toRowId(userId) ?? '0'],
      )
      return row && { sealed: row.sealed, isConfirmed: row.confirmed, lastStep: Number(row.last_step) }
    },
    async begin(userId, sealed) {
      const rows = await database.query(
        `insert into totp_secrets as known (user_id, sealed) values ($1::bigint, $2::bytea)
          on conflict (user_id) do update set sealed = excluded.sealed where known.confirmed_at is null
          returning user_id`,
        [String(userId), sealed],
      )
      return rows.length > 0
    },
    confirm: (actor, userId, sealed, step) =>
      changing(database, actor, userId, { app: false }, { app: true }, (transaction) =>
        transaction.query(
          `update totp_secrets set confirmed_at = now(), last_step = $3::bigint
            where user_id = $1::bigint and sealed = $2::bytea and confirmed_at is null returning user_id`,
          [String(userId), sealed, String(step)],
        ),
      ),
    async useStep(userId, step) {
      const rows = await database.query(
        `update totp_secrets set last_step = $2::bigint
          where user_id = $1::bigint and confirmed_at is not null and last_step < $2::bigint returning user_id`,
        [String(userId), String(step)],
      )
      return rows.length > 0
    },
    removeApp: (actor, userId) =>
      changing(database, actor, userId, { app: true }, { app: false }, async (transaction) => {
        const removed = await transaction.query(
          'delete from totp_secrets where user_id = $1::bigint and confirmed_at is not null returning user_id',
          [String(userId)],
        )
        await forgetCodesWithoutFactor(transaction, userId)
        return removed
      }),
    async setCodes(actor, userId, digests, { sealed, sessionId }) {
      await changing(database, actor, userId, null, null, async (transaction) => {
        await transaction.query('delete from recovery_codes where user_id = $1::bigint', [String(userId)])
        for (const digest of digests)
          await transaction.query(
            'insert into recovery_codes (user_id, digest) values ($1::bigint, $2::bytea)',
            [String(userId), digest],
          )
        return await transaction.query(
          `insert into recovery_offers (user_id, sealed, session_id, until)
            values ($1::bigint, $2::bytea, $3::uuid, now() + interval '10 minutes')
            on conflict (user_id) do update
              set sealed = excluded.sealed, session_id = excluded.session_id, until = excluded.until
            returning user_id`,
          [String(userId), sealed, sessionId],
        )
      })
    },
    async takeCodes(userId, sessionId) {
      const [row] = await database.query<{ sealed: Uint8Array; open: boolean }>(
        `delete from recovery_offers where user_id = $1::bigint and session_id = $2::uuid
          returning sealed, until > now() as open`,
        [String(userId), sessionId],
      )
      return row?.open === true ? row.sealed : undefined
    },
    useCode: (actor, userId, digest) =>
      changing(database, actor, userId, null, null, (transaction) =>
        transaction.query(
          'delete from recovery_codes where user_id = $1::bigint and digest = $2::bytea returning user_id',
          [String(userId), digest],
        ),
      ),
    async reset(actor, userId) {
      await changing(database, actor, userId, null, null, async (transaction) => {
        const id = [String(userId)]
        for (const table of [
          'totp_secrets',
          'passkeys',
          'recovery_codes',
          'recovery_offers',
          'admin_sessions',
        ])
          await transaction.query(`delete from ${table} where user_id = $1::bigint`, id)
        return id
      })
    },
  }
}

/** Recovery codes stand in for a factor, so they go with the last one. */
export async function forgetCodesWithoutFactor(transaction: Queryable, userId: number): Promise<void> {
  await transaction.query(
    `delete from recovery_codes where user_id = $1::bigint
      and not exists (select from totp_secrets where user_id = $1::bigint and confirmed_at is not null)
      and not exists (select from passkeys where user_id = $1::bigint)`,
    [String(userId)],
  )
}

/** Changes something of a user in one transaction with its entry. False, without an entry: the change had no row. */
export function changing(
  database: Database,
  actor: Actor,
  userId: number,
  before: object | null,
  after: object | null,
  change: (transaction: Queryable) => Promise<readonly unknown[]>,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const [user] = await transaction.query<{ id: string; reseller_id: string | null }>(
      'select id, reseller_id from users where id = $1::bigint for no key update',
      [toRowId(userId) ?? '0'],
    )
    if (user === undefined || (await change(transaction)).length === 0) return false
    await recordChange(transaction, actor, {
      entity: 'user',
      entityId: userId,
      resellerId: user.reseller_id === null ? null : fromRowId(user.reseller_id),
      before,
      after,
    })
    return true
  })
}
