import type { Database, Queryable, SqlValue } from '../database/database.js'
import { type Actor, recordChange } from './audit.js'
import { fromRowId, isStorable, toRowId } from './identifier.js'
import { hasText } from './text-search.js'
import { insertUser, type NewUser } from './users.js'

/** The settings of a user that administrators can change. */
export interface AccountSettings {
  readonly login: string
  readonly role: string
  readonly resellerId: number | null
  /** IANA name. */
  readonly timezone: string | null
  readonly active: boolean
}

/** A user as shown in System / Users. */
export interface AccountRecord extends AccountSettings {
  readonly id: number
  /** Name of the Reseller. */
  readonly reseller: string | null
  readonly hasPassword: boolean
  readonly hasApiKey: boolean
  /** UTC datetime. */
  readonly createdAt: string
  /** A text that differs after every change. */
  readonly version: string
}

/** The outcome of a change. `stale`: the user has changed since the page was loaded. */
export type Outcome = 'changed' | 'unchanged' | 'stale' | 'gone' | 'taken' | 'last_admin'

export interface SealedKey {
  readonly digest: Uint8Array
  readonly ciphertext: Uint8Array
}

/** The users for administrators. Every change is one transaction with its entry in the audit trail. */
export interface AccountStore {
  /** Ordered by login. Searches logins and names of Resellers for `text`. `resellerId`: only users of this Reseller. */
  list(page: {
    readonly text: string
    readonly resellerId?: number | undefined
    readonly limit: number
    readonly offset: number
  }): Promise<{ readonly total: number; readonly accounts: readonly AccountRecord[] }>
  get(id: number): Promise<AccountRecord | undefined>
  /** The id of the new user. Undefined if the login is taken. */
  create(actor: Actor, user: NewUser): Promise<number | undefined>
  update(actor: Actor, id: number, version: string, settings: AccountSettings): Promise<Outcome>
  setPassword(actor: Actor, id: number, version: string, hash: string): Promise<Outcome>
  /** Null removes the key. */
  setKey(actor: Actor, id: number, version: string, key: SealedKey | null): Promise<Outcome>
  /** The sealed key, for display. Undefined if there is none. */
  readKey(actor: Actor, id: number): Promise<SealedKey | undefined>
}

export function accountStore(database: Database): AccountStore {
  const change = (actor: Actor, id: number, version: string, set: string, values: readonly SqlValue[]) =>
    changeUser(database, actor, { id, version, set, values })
  return {
    async list({ text, resellerId, limit, offset }) {
      if (!isStorable(text)) return { total: 0, accounts: [] }
      const rows = await database.query<AccountRow & { total: string }>(
        `select ${columns}, count(*) over () as total from ${tables}
          where ($1 = '' or ${hasText('login', '$1')} or ${hasText('resellers.name', '$1')})
            and ($4::bigint is null or reseller_id = $4::bigint)
          order by login, users.id limit $2::bigint offset $3::bigint`,
        [text, String(limit), String(offset), resellerId === undefined ? null : (toRowId(resellerId) ?? '0')],
      )
      return { total: Number(rows[0]?.total ?? 0), accounts: rows.map(toAccount) }
    },
    async get(id) {
      const [row] = await database.query<AccountRow>(
        `select ${columns} from ${tables} where users.id = $1::bigint`,
        [toRowId(id) ?? '0'],
      )
      return row && toAccount(row)
    },
    async create(actor, user) {
      try {
        return await database.transaction(async (transaction) => {
          const id = await insertUser(transaction, user)
          await recordUser(transaction, actor, id)
          return id
        })
      } catch (error) {
        if (isTaken(error, 'users_login_key')) return undefined
        throw error
      }
    },
    update: (actor, id, version, { login, role, resellerId, timezone, active }) =>
      change(
        actor,
        id,
        version,
        'login = $2, role = $3, reseller_id = $4::bigint, timezone = $5, active = $6::boolean',
        [login, role, resellerId === null ? null : String(resellerId), timezone, active],
      ),
    setPassword: (actor, id, version, hash) => change(actor, id, version, 'password_hash = $2', [hash]),
    setKey: (actor, id, version, key) =>
      change(actor, id, version, 'api_key_digest = $2::bytea, api_key_ciphertext = $3::bytea', [
        key?.digest ?? null,
        key?.ciphertext ?? null,
      ]),
    readKey: (actor, id) =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.query<AuditedUser & KeyRow>(
          `select ${auditedColumns}, api_key_digest, api_key_ciphertext from users where id = $1::bigint`,
          [toRowId(id) ?? '0'],
        )
        if (row === undefined || row.api_key_digest === null || row.api_key_ciphertext === null)
          return undefined
        await recordChange(transaction, actor, { ...entryOf(id, null, row), after: null })
        return { digest: row.api_key_digest, ciphertext: row.api_key_ciphertext }
      }),
  }
}

/** Records a new user in the audit trail, in the transaction that adds it. */
export async function recordUser(transaction: Queryable, actor: Actor, id: number): Promise<void> {
  const [row] = await transaction.query<AuditedUser>(
    `select ${auditedColumns} from users where id = $1::bigint`,
    [String(id)],
  )
  await recordChange(transaction, actor, entryOf(id, null, row))
}

/** Whether a statement failed because another row has the value (SQLSTATE unique_violation). */
export function isTaken(error: unknown, constraint: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === '23505' &&
    'constraint' in error &&
    error.constraint === constraint
  )
}

interface UserChange {
  readonly id: number
  readonly version: string
  /** Assignments from `$2` on. */
  readonly set: string
  readonly values: readonly SqlValue[]
}

async function changeUser(
  database: Database,
  actor: Actor,
  { id, version, set, values }: UserChange,
): Promise<Outcome> {
  const rowId = toRowId(id) ?? '0'
  try {
    return await database.transaction(async (transaction) => {
      // Locked in one order, so that of two administrators who demote each other the second sees the first change.
      await transaction.query(`${selectAdmins} order by id for update`)
      const [before] = await transaction.query<AuditedUser & { version: string }>(
        `select ${auditedColumns}, version from users where id = $1::bigint for update`,
        [rowId],
      )
      if (before === undefined) return 'gone'
      if (before.version !== version) return 'stale'
      const [after] = await transaction.query<AuditedUser>(
        `update users set ${set} where id = $1::bigint returning ${auditedColumns}`,
        [rowId, ...values],
      )
      if (before.is_admin && !after?.is_admin && (await transaction.query(selectAdmins)).length === 0)
        throw new LastAdmin()
      if (!(set.includes('_hash') || set.includes('_key')) && haveSameAudit(before, after)) return 'unchanged'
      const [numbered] = await transaction.query<AuditedUser>(
        `update users set version = version + 1 where id = $1::bigint returning ${auditedColumns}`,
        [rowId],
      )
      await recordChange(transaction, actor, entryOf(id, before, numbered))
      return 'changed'
    })
  } catch (error) {
    if (error instanceof LastAdmin) return 'last_admin'
    if (isTaken(error, 'users_login_key')) return 'taken'
    throw error
  }
}

/** Rolls back a change that would leave no administrator. */
class LastAdmin extends Error {}

const selectAdmins = `select id from users where role = 'admin' and active`

function haveSameAudit(before: AuditedUser, after: AuditedUser | undefined): boolean {
  return JSON.stringify(before.audited) === JSON.stringify(after?.audited)
}

function entryOf(id: number, before: AuditedUser | null, after: AuditedUser | undefined) {
  const reseller = after?.reseller_id ?? null
  return {
    entity: 'user',
    entityId: id,
    resellerId: reseller === null ? null : fromRowId(reseller),
    before: before?.audited ?? null,
    after: after?.audited ?? null,
  }
}

const auditedColumns = `told_of_user(users) as audited, users.reseller_id, (role = 'admin' and active) as is_admin`

interface AuditedUser {
  readonly audited: object
  readonly reseller_id: string | null
  readonly is_admin: boolean
}

interface KeyRow {
  readonly api_key_digest: Uint8Array | null
  readonly api_key_ciphertext: Uint8Array | null
}

const tables = 'users left join resellers on resellers.id = users.reseller_id'
const columns = `users.id, login, role, reseller_id, resellers.name as reseller, timezone, active,
  password_hash is not null as has_password, api_key_digest is not null as has_api_key, created_at, users.version`

interface AccountRow {
  readonly id: string
  readonly login: string
  readonly role: string
  readonly reseller_id: string | null
  readonly reseller: string | null
  readonly timezone: string | null
  readonly active: boolean
  readonly has_password: boolean
  readonly has_api_key: boolean
  readonly created_at: string
  readonly version: string
}

function toAccount(row: AccountRow): AccountRecord {
  const { login, role, reseller, timezone, active, version } = row
  return {
    id: fromRowId(row.id),
    login,
    role,
    resellerId: row.reseller_id === null ? null : fromRowId(row.reseller_id),
    reseller,
    timezone,
    active,
    hasPassword: row.has_password,
    hasApiKey: row.has_api_key,
    createdAt: row.created_at,
    version,
  }
}

/** Id of the user with this login, active or not. */
export async function findLogin(database: Queryable, login: string): Promise<number | undefined> {
  if (!isStorable(login)) return undefined
  const [row] = await database.query<{ id: string }>('select id from users where login = $1', [login])
  return row && fromRowId(row.id)
}
