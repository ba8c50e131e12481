import type { Database, Queryable, SqlValue } from '../../database/database.js'
import { type Actor, recordChange } from '../audit.js'
import { fromRowId, isStorable, toRowId } from '../identifier.js'
import { isTaken } from '../taken.js'
import { type AccountSearch, accountColumns, accountTables, listAccounts } from './account-list.js'
import { type AccountRecord, type AccountRow, type AccountSettings, toAccount } from './account-row.js'
import { offerNewKey } from './api-keys.js'
import { loginLike } from './look.js'
import { insertUser, type NewUser } from './users.js'

/** The outcome of a change. `stale`: the user has changed since the page was loaded. */
export type Outcome = 'changed' | 'unchanged' | 'stale' | 'gone' | 'taken' | 'last_admin'

export type { AccountRecord, AccountSettings } from './account-row.js'

/** The users for administrators. Every change is one transaction with its entry in the audit trail. */
export interface AccountStore {
  list(
    search: AccountSearch,
  ): Promise<{ readonly total: number; readonly accounts: readonly AccountRecord[] }>
  get(id: number): Promise<AccountRecord | undefined>
  /** The ids of the new user and of its key, which is offered to a session and works for some days. Undefined if the login is taken. */
  create(
    actor: Actor,
    user: NewUser & { readonly keyDays: number },
    sessionId: string,
  ): Promise<{ readonly id: number; readonly keyId: number | undefined } | undefined>
  update(actor: Actor, id: number, version: string, settings: AccountSettings): Promise<Outcome>
  setPassword(actor: Actor, id: number, version: string, hash: string): Promise<Outcome>
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
    async create(actor, { keyDays, ...user }, sessionId) {
      try {
        return await database.transaction(async (transaction) => {
          if ((await loginLike(transaction, user.login)) !== undefined) return undefined
          const id = await insertUser(transaction, user)
          await recordUser(transaction, actor, id)
          return { id, keyId: await offerNewKey(transaction, user.apiKeyDigest, keyDays, sessionId) }
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
      if (!set.includes('_hash') && haveSameAudit(before, after)) return 'unchanged'
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

/** Id of the user with this login, active or not. */
export async function findLogin(database: Queryable, login: string): Promise<number | undefined> {
  if (!isStorable(login)) return undefined
  const [row] = await database.query<{ id: string }>('select id from users where login = $1', [login])
  return row && fromRowId(row.id)
}
