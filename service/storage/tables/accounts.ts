import type { Database, Queryable, SqlValue } from '../database/database.js'
import { type AccountSearch, accountColumns, accountTables, listAccounts } from './account-list.js'
import { type AccountRecord, type AccountRow, type AccountSettings, toAccount } from './account-row.js'
import { type Actor, recordChange } from './audit.js'
import { fromRowId, isStorable, toRowId } from './identifier.js'
import { loginLike } from './login-look.js'
import { insertUser, type NewUser } from './users.js'

/** The outcome of a change. `stale`: the user has changed since the page was loaded. */
export type Outcome = 'changed' | 'unchanged' | 'stale' | 'gone' | 'taken' | 'last_admin'

export type { AccountRecord, AccountSettings } from './account-row.js'

export interface SealedKey {
  readonly digest: Uint8Array
  readonly ciphertext: Uint8Array
}

/** The users for administrators. Every change is one transaction with its entry in the audit trail. */
export interface AccountStore {
  list(
    search: AccountSearch,
  ): Promise<{ readonly total: number; readonly accounts: readonly AccountRecord[] }>
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
  const change = (
    actor: Actor,
    id: number,
    version: string,
    set: string,
    values: readonly SqlValue[],
    login?: string,
  ) => changeUser(database, actor, { id, version, set, values, login })
  return {
    list: (search) => listAccounts(database, search),
    async get(id) {
      const [row] = await database.query<AccountRow>(
        `select ${accountColumns} from ${accountTables} where users.id = $1::bigint`,
        [toRowId(id) ?? '0'],
      )
      return row && toAccount(row)
    },
    async create(actor, user) {
      try {
        return await database.transaction(async (transaction) => {
          if ((await loginLike(transaction, user.login)) !== undefined) return undefined
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
        login,
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
  /** The new login, if it may change. */
  readonly login: string | undefined
}

async function changeUser(
  database: Database,
  actor: Actor,
  { id, version, set, values, login }: UserChange,
): Promise<Outcome> {
  const rowId = toRowId(id) ?? '0'
  try {
    return await database.transaction(async (transaction) => {
      // Locked in one order, so that of two administrators who demote each other the second sees the first change.
      await transaction.query(`${selectAdmins} order by id for update`)
      const [before] = await transaction.query<AuditedUser & { version: string; login: string }>(
        `select ${auditedColumns}, version, login from users where id = $1::bigint for update`,
        [rowId],
      )
      if (before === undefined) return 'gone'
      if (before.version !== version) return 'stale'
      if (
        login !== undefined &&
        login !== before.login &&
        (await loginLike(transaction, login, rowId)) !== undefined
      )
        return 'taken'
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

/** Id of the user with this login, active or not. */
export async function findLogin(database: Queryable, login: string): Promise<number | undefined> {
  if (!isStorable(login)) return undefined
  const [row] = await database.query<{ id: string }>('select id from users where login = $1', [login])
  return row && fromRowId(row.id)
}
