import type { Queryable, Statement } from '../../database/database.js'
import { fromRowId, isStorable, toRowId } from '../identifier.js'
import type { QueryCache } from '../query-cache.js'

/** The data of a user that calls need. */
export interface User {
  readonly id: number
  readonly login: string
  readonly role: string
  /** The user's Reseller. Null: not limited. */
  readonly resellerId: number | null
  /** IANA name. */
  readonly timezone: string | undefined
}

export interface UserWithApiKey {
  readonly user: User
  readonly apiKeyDigest: Uint8Array
  /** Row id of the key. */
  readonly keyId: string
  /** Milliseconds since the epoch. Undefined: the key does not expire. */
  readonly expiresAt: number | undefined
}

/** An active user who may sign in with a password of this hash. */
export interface SignInUser {
  readonly user: User
  readonly passwordHash: string | null
}

export interface NewUser {
  readonly login: string
  /** Null: the user has only an API key. */
  readonly passwordHash: string | null
  readonly apiKeyDigest: Uint8Array
  readonly apiKeyCiphertext: Uint8Array
  readonly role: string
  readonly resellerId: number | null
  readonly timezone: string | null
}

/** Finds active users. For identity/ only. */
export interface UserStore {
  withApiKey(digest: Uint8Array): Promise<UserWithApiKey | undefined>
  withLogin(login: string): Promise<SignInUser | undefined>
}

/** @param recent cache by digest; undefined: none */
export function userStore(database: Queryable, recent?: QueryCache<UserWithApiKey>): UserStore {
  return {
    withApiKey(digest) {
      const ask = async () => {
        const [row] = await database.query<KeyedRow>(selectByApiKey, [digest])
        if (row === undefined) return undefined
        const expiresAt = row.expires_at === null ? undefined : Date.parse(row.expires_at)
        return { user: toUser(row), apiKeyDigest: row.digest, keyId: row.key_id, expiresAt }
      }
      return recent?.get(Buffer.from(digest).toString('base64'), ask) ?? ask()
    },
    async withLogin(login) {
      if (!isStorable(login)) return undefined
      const [row] = await database.query<UserRow & { password_hash: string | null }>(selectByLogin, [login])
      return row && { user: toUser(row), passwordHash: row.password_hash }
    },
  }
}

/** The active user with this id. */
export async function findActive(database: Queryable, id: number): Promise<SignInUser | undefined> {
  const [row] = await database.query<UserRow & { password_hash: string | null }>(
    `select id, login, role, reseller_id, timezone, password_hash from users where id = $1::bigint and active`,
    [toRowId(id) ?? '0'],
  )
  return row && { user: toUser(row), passwordHash: row.password_hash }
}

/** Adds the user and returns the id. */
export async function insertUser(database: Queryable, user: NewUser): Promise<number> {
  const [row] = await database.query<{ id: string }>(
    `insert into users (login, password_hash, api_key_digest, api_key_ciphertext, role, reseller_id, timezone)
      values ($1, $2, $3, $4, $5, $6::bigint, $7) returning id`,
    [
      user.login,
      user.passwordHash,
      user.apiKeyDigest,
      user.apiKeyCiphertext,
      user.role,
      user.resellerId === null ? null : String(user.resellerId),
      user.timezone,
    ],
  )
  if (row === undefined) throw new Error('The insert answered no id')
  return fromRowId(row.id)
}

export async function insertReseller(database: Queryable, name: string): Promise<number> {
  const [row] = await database.query<{ id: string }>(
    'insert into resellers (name) values ($1) returning id',
    [name],
  )
  if (row === undefined) throw new Error('The insert answered no id')
  return fromRowId(row.id)
}

/** Id of the reseller with this name. */
export async function findReseller(database: Queryable, name: string): Promise<number | undefined> {
  const [row] = await database.query<{ id: string }>('select id from resellers where name = $1', [name])
  return row && fromRowId(row.id)
}

export interface UserRow {
  readonly id: string
  readonly login: string
  readonly role: string
  readonly reseller_id: string | null
  readonly timezone: string | null
}

interface KeyedRow extends UserRow {
  readonly digest: Uint8Array
  readonly key_id: string
  readonly expires_at: string | null
}

export function toUser(row: UserRow): User {
  return {
    id: fromRowId(row.id),
    login: row.login,
    role: row.role,
    resellerId: row.reseller_id === null ? null : fromRowId(row.reseller_id),
    timezone: row.timezone ?? undefined,
  }
}

const selectByApiKey: Statement = {
  prepared: true,
  text: `select users.id, login, role, reseller_id, timezone, digest, api_keys.id as key_id, expires_at
    from api_keys join users on users.id = user_id
    where digest = $1 and active and (expires_at is null or expires_at > now())`,
}

const selectByLogin: Statement = {
  prepared: true,
  text: `select id, login, role, reseller_id, timezone, password_hash from users where login = $1 and active`,
}
