import type { Database, Queryable, Statement } from '../../database/database.js'
import { type Actor, recordChange } from '../audit.js'
import { fromRowId, toRowId } from '../identifier.js'
import { isTaken } from '../taken.js'

export interface SealedKey {
  readonly digest: Uint8Array
  readonly ciphertext: Uint8Array
}

/** A stored API key. */
export interface ApiKeyRecord extends SealedKey {
  readonly id: number
  readonly name: string
  /** UTC datetimes. */
  readonly createdAt: string
  /** Undefined: never. */
  readonly expiresAt: string | undefined
  /** To the minute. Undefined: never. */
  readonly lastUsedAt: string | undefined
  /** Whether another key has its name. It works until it expires. */
  readonly isReplaced: boolean
  readonly isExpired: boolean
}

/** A key to store. */
interface NewKey extends SealedKey {
  readonly name: string
  /** Undefined: it does not expire. */
  readonly days: number | undefined
}

/** `taken`: another key has this name. `full`: the user has as many keys as a user may have. */
export type KeyOutcome = { readonly id: number } | 'taken' | 'full' | 'gone'

/**
 * The keys of users. Every change, and every look at a key, has its entry in the audit trail. A key that is created,
 * replaced or looked at is offered to a session, which sees it once.
 */
export interface ApiKeyStore {
  /** The user's keys, oldest first. */
  list(userId: number): Promise<readonly ApiKeyRecord[]>
  create(actor: Actor, userId: number, key: NewKey, sessionId: string): Promise<KeyOutcome>
  /**
   * Stores a key under the name of another, which works on for some seconds. `gone`: that one is replaced already, or
   * removed.
   */
  replace(
    actor: Actor,
    userId: number,
    keyId: number,
    sealed: SealedKey,
    overlapSeconds: number,
    sessionId: string,
  ): Promise<KeyOutcome>
  /** False: there is no such key. */
  revoke(actor: Actor, userId: number, keyId: number): Promise<boolean>
  /** Offers a stored key. False: there is no such key. */
  offer(actor: Actor, userId: number, keyId: number, sessionId: string): Promise<boolean>
  /** Takes an offer: the sealed key, once. */
  take(userId: number, keyId: number, sessionId: string): Promise<SealedKey | undefined>
  /** Stores when keys were last used, by their row ids. */
  used(uses: readonly { readonly id: string; readonly at: string }[]): Promise<void>
}

/** A user has at most as many keys, and one more while a replaced one works on. */
export const mostKeys = 20

/** Minutes for which an offer can be taken. */
const offerMinutes = 10

/** @param beginningOf the beginning of a key, which tells it from others in the audit trail */
export function apiKeyStore(database: Database, beginningOf?: (sealed: SealedKey) => string): ApiKeyStore {
  const recordKey = recorderOf(beginningOf)
  return {
    async list(userId) {
      const rows = await database.query<KeyRow>(
        `select ${columns} from api_keys where user_id = $1::bigint order by id`,
        [toRowId(userId) ?? '0'],
      )
      return rows.map(toKey)
    },
    create: (actor, userId, key, sessionId) =>
      unlessTaken(
        database.transaction(async (transaction) => {
          const user = await lockUser(transaction, userId)
          if (user === undefined) return 'gone'
          if (await isFull(transaction, userId)) return 'full'
          const id = await insertKey(transaction, userId, key, sessionId)
          await recordKey(transaction, actor, user, null, await readKey(transaction, id))
          return { id: fromRowId(id) }
        }),
      ),
    replace: (actor, userId, keyId, sealed, overlapSeconds, sessionId) =>
      database.transaction(async (transaction) => {
        const user = await lockUser(transaction, userId)
        const before = await findKey(transaction, userId, keyId)
        if (user === undefined || before === undefined || before.is_replaced) return 'gone'
        // One more than the bound, so that as many keys can rotate, one after the other.
        if (overlapSeconds > 0 && (await isFull(transaction, userId, mostKeys + 1))) return 'full'
        const [old] = await transaction.query<{ until: string }>(
          `update api_keys set is_replaced = true,
            expires_at = least(expires_at, now() + make_interval(secs => $2::bigint))
            where id = $1::bigint returning expires_at as until`,
          [before.id, String(overlapSeconds)],
        )
        const days =
          before.lifetime_days === null ? undefined : Math.max(1, Math.ceil(Number(before.lifetime_days)))
        const id = await insertKey(transaction, userId, { ...sealed, name: before.name, days }, sessionId)
        // A key that works no longer leaves nothing behind.
        if (overlapSeconds === 0)
          await transaction.query('delete from api_keys where id = $1::bigint', [before.id])
        await recordKey(transaction, actor, user, before, await readKey(transaction, id), {
          old_works_until: old?.until,
        })
        return { id: fromRowId(id) }
      }),
    revoke: (actor, userId, keyId) =>
      database.transaction(async (transaction) => {
        const user = await lockUser(transaction, userId)
        const before = await findKey(transaction, userId, keyId)
        if (user === undefined || before === undefined) return false
        await transaction.query('delete from api_keys where id = $1::bigint', [before.id])
        await recordKey(transaction, actor, user, before, undefined)
        return true
      }),
    offer: (actor, userId, keyId, sessionId) =>
      database.transaction(async (transaction) => {
        const user = await lockUser(transaction, userId)
        const key = await findKey(transaction, userId, keyId)
        if (user === undefined || key === undefined) return false
        await offerKey(transaction, key.id, sessionId)
        await recordKey(transaction, actor, user, key, key)
        return true
      }),
    async take(userId, keyId, sessionId) {
      const [row] = await database.query<SealedKey>(
        `update api_keys set shown_to = null, shown_until = null
          where id = $1::bigint and user_id = $2::bigint and shown_to = $3::uuid and shown_until > now()
          returning digest, ciphertext`,
        [toRowId(keyId) ?? '0', toRowId(userId) ?? '0', sessionId],
      )
      return row
    },
    async used(uses) {
      if (uses.length > 0) await database.query(storeUses, [JSON.stringify(uses)])
    },
  }
}

/** Offers the key with this digest, in the transaction that adds it, and limits its life. Returns its id. */
export async function offerNewKey(
  transaction: Queryable,
  digest: Uint8Array,
  days: number,
  sessionId: string,
): Promise<number | undefined> {
  const [row] = await transaction.query<{ id: string }>(
    'update api_keys set expires_at = now() + make_interval(days => $2::int) where digest = $1::bytea returning id',
    [digest, String(days)],
  )
  if (row === undefined) return undefined
  await offerKey(transaction, row.id, sessionId)
  return fromRowId(row.id)
}

async function offerKey(transaction: Queryable, id: string, sessionId: string): Promise<void> {
  await transaction.query(
    `update api_keys set shown_to = $2::uuid, shown_until = now() + interval '${offerMinutes} minutes'
      where id = $1::bigint`,
    [id, sessionId],
  )
}

async function insertKey(
  transaction: Queryable,
  userId: number,
  { name, digest, ciphertext, days }: NewKey,
  sessionId: string,
): Promise<string> {
  const [row] = await transaction.query<{ id: string }>(
    `insert into api_keys (user_id, name, digest, ciphertext, expires_at)
      values ($1::bigint, $2, $3::bytea, $4::bytea, now() + make_interval(days => $5::int)) returning id`,
    [String(userId), name, digest, ciphertext, days === undefined ? null : String(days)],
  )
  if (row === undefined) throw new Error('The insert answered no id')
  await offerKey(transaction, row.id, sessionId)
  return row.id
}

interface LockedUser {
  readonly id: string
  readonly reseller_id: string | null
}

/** One change of a user's keys at a time. */
async function lockUser(transaction: Queryable, userId: number): Promise<LockedUser | undefined> {
  const [row] = await transaction.query<LockedUser>(
    'select id, reseller_id from users where id = $1::bigint for no key update',
    [toRowId(userId) ?? '0'],
  )
  return row
}

/** Removes expired keys first. */
async function isFull(transaction: Queryable, userId: number, most = mostKeys): Promise<boolean> {
  await transaction.query('delete from api_keys where user_id = $1::bigint and expires_at <= now()', [
    String(userId),
  ])
  const [row] = await transaction.query<{ keys: string }>(
    'select count(*) as keys from api_keys where user_id = $1::bigint',
    [String(userId)],
  )
  return Number(row?.keys) >= most
}

async function findKey(transaction: Queryable, userId: number, keyId: number): Promise<KeyRow | undefined> {
  const [row] = await transaction.query<KeyRow>(
    `select ${columns} from api_keys where id = $1::bigint and user_id = $2::bigint`,
    [toRowId(keyId) ?? '0', String(userId)],
  )
  return row
}

async function readKey(transaction: Queryable, id: string): Promise<KeyRow | undefined> {
  const [row] = await transaction.query<KeyRow>(`select ${columns} from api_keys where id = $1::bigint`, [id])
  return row
}

function recorderOf(beginningOf?: (sealed: SealedKey) => string) {
  const told = (row: KeyRow | null | undefined, more?: object) =>
    row === null || row === undefined
      ? null
      : {
          key: row.name,
          key_id: row.id,
          ...(beginningOf && { begins: beginningOf(row) }),
          expires_at: row.expires_at,
          ...more,
        }
  return (
    transaction: Queryable,
    actor: Actor,
    { id, reseller_id }: LockedUser,
    before: KeyRow | null,
    after: KeyRow | undefined,
    more?: object,
  ): Promise<void> =>
    recordChange(transaction, actor, {
      entity: 'user',
      entityId: fromRowId(id),
      resellerId: reseller_id === null ? null : fromRowId(reseller_id),
      before: told(before),
      after: told(after, more),
    })
}

async function unlessTaken(creating: Promise<KeyOutcome>): Promise<KeyOutcome> {
  try {
    return await creating
  } catch (error) {
    if (isTaken(error, 'api_keys_name')) return 'taken'
    throw error
  }
}

const columns = `id, name, digest, ciphertext, created_at, expires_at, last_used_at, is_replaced,
  coalesce(expires_at <= now(), false) as is_expired,
  extract(epoch from expires_at - created_at) / 86400 as lifetime_days`

interface KeyRow extends SealedKey {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
  readonly is_replaced: boolean
  readonly is_expired: boolean
  readonly lifetime_days: string | null
}

function toKey({ id, name, digest, ciphertext, ...row }: KeyRow): ApiKeyRecord {
  return {
    id: fromRowId(id),
    name,
    digest,
    ciphertext,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
    isReplaced: row.is_replaced,
    isExpired: row.is_expired,
  }
}

// Rows are locked in one order, so that two nodes never deadlock.
const storeUses: Statement = {
  text: `with given as (
      select id, date_trunc('minute', max(at)) as at
        from jsonb_to_recordset($1::jsonb) as given (id bigint, at timestamptz) group by id
    ), locked as (
      select id from api_keys where id in (select id from given) order by id for no key update
    )
    update api_keys set last_used_at = greatest(last_used_at, given.at)
      from given where api_keys.id = given.id and api_keys.id in (select id from locked)`,
}
