import type { Queryable } from '../../database/database.js'
import { isStorable, toRowId } from '../identifier.js'
import { hasText } from '../text-search.js'
import { type AccountRecord, type AccountRow, toAccount } from './account-row.js'

/** The users to list, and their order. */
export interface AccountSearch {
  /** A part of the login or of the Reseller's name. */
  readonly text: string
  /** Id of a Reseller. Null: users whom none limits. */
  readonly resellerId?: number | null | undefined
  readonly role?: string | undefined
  readonly active?: boolean | undefined
  readonly order: { readonly column: AccountSort; readonly isDescending: boolean }
  readonly limit: number
  readonly offset: number
}

export type AccountSort = keyof typeof sortable

export async function listAccounts(
  database: Queryable,
  { text, resellerId, role, active, order, limit, offset }: AccountSearch,
): Promise<{ readonly total: number; readonly accounts: readonly AccountRecord[] }> {
  if (!isStorable(text) || !isStorable(role ?? '')) return { total: 0, accounts: [] }
  const limited = typeof resellerId === 'number' ? (toRowId(resellerId) ?? '0') : null
  const rows = await database.query<AccountRow & { total: string }>(
    `select ${accountColumns}, count(*) over () as total from ${accountTables}
      where ($1 = '' or ${hasText('login', '$1')} or ${hasText('resellers.name', '$1')})
        and ($4::bigint is null or reseller_id = $4::bigint)
        and (not $5::boolean or reseller_id is null)
        and ($6::text is null or role = $6::text)
        and ($7::boolean is null or active = $7::boolean)
      order by ${sortable[order.column]} ${order.isDescending ? 'desc' : 'asc'} nulls last, login, users.id
      limit $2::bigint offset $3::bigint`,
    [
      text,
      String(limit),
      String(offset),
      limited,
      String(resellerId === null),
      role ?? null,
      active === undefined ? null : String(active),
    ],
  )
  return { total: Number(rows[0]?.total ?? 0), accounts: rows.map(toAccount) }
}

const sortable = {
  login: 'login',
  reseller: 'resellers.name',
  role: 'role',
  timezone: 'timezone',
  created: 'users.created_at',
  'last-sign-in': 'last_sign_in_at',
  state: 'active',
  keys: 'keys',
} as const

export const accountTables = 'users left join resellers on resellers.id = users.reseller_id'

export const accountColumns = `users.id, login, role, reseller_id, resellers.name as reseller, timezone, active,
  password_hash is not null as has_password, users.created_at,
  (select count(*) from api_keys where user_id = users.id and (expires_at is null or expires_at > now())) as keys,
  last_sign_in_at, users.version`
