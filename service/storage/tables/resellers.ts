import type { Database, Queryable } from '../database/database.js'
import { type Actor, recordChange } from './audit.js'
import { fromRowId, isStorable, toRowId } from './identifier.js'
import type { Outcome } from './identity/accounts.js'
import { resellerLike } from './identity/look.js'
import { insertReseller } from './identity/users.js'
import { isTaken } from './taken.js'
import { hasText } from './text-search.js'

export interface Reseller {
  readonly id: number
  readonly name: string
  /** A text that differs after every change. */
  readonly version: string
  readonly users: number
  readonly clients: number
}

export type ResellerSort = 'name' | 'users' | 'clients'

/** The Resellers for administrators. Every change has its entry in the audit trail. */
export interface ResellerStore {
  /** Ids and names of all Resellers, by name. */
  names(): Promise<readonly { readonly id: number; readonly name: string }[]>
  /** Searches names for `text`. */
  list(page: {
    readonly text: string
    readonly order: { readonly column: ResellerSort; readonly isDescending: boolean }
    readonly limit: number
    readonly offset: number
  }): Promise<{ readonly total: number; readonly resellers: readonly Reseller[] }>
  get(id: number): Promise<Reseller | undefined>
  /** The id. Undefined if another has the name, or one that looks like it. */
  create(actor: Actor, name: string): Promise<number | undefined>
  rename(actor: Actor, id: number, version: string, name: string): Promise<Outcome>
}

export function resellerStore(database: Database): ResellerStore {
  return {
    async names() {
      const rows = await database.query<{ id: string; name: string }>(
        'select id, name from resellers order by name',
      )
      return rows.map(({ id, name }) => ({ id: fromRowId(id), name }))
    },
    async list({ text, order, limit, offset }) {
      if (!isStorable(text)) return { total: 0, resellers: [] }
      const rows = await database.query<ResellerRow & { total: string }>(
        `select ${columns}, count(*) over () as total from resellers
          where $1 = '' or ${hasText('name', '$1')}
          order by ${order.column} ${order.isDescending ? 'desc' : 'asc'}, name limit $2::bigint offset $3::bigint`,
        [text, String(limit), String(offset)],
      )
      return { total: Number(rows[0]?.total ?? 0), resellers: rows.map(toReseller) }
    },
    async get(id) {
      const [row] = await database.query<ResellerRow>(
        `select ${columns} from resellers where id = $1::bigint`,
        [toRowId(id) ?? '0'],
      )
      return row && toReseller(row)
    },
    async create(actor, name) {
      try {
        return await database.transaction(async (transaction) =>
          (await resellerLike(transaction, name)) === undefined
            ? await makeReseller(transaction, actor, name)
            : undefined,
        )
      } catch (error) {
        if (isTaken(error, nameKey)) return undefined
        throw error
      }
    },
    async rename(actor, id, version, name) {
      try {
        return await database.transaction(async (transaction) => {
          const [before] = await transaction.query<AuditedRow>(
            'select told_of_reseller(resellers) as told, name, version from resellers where id = $1::bigint for update',
            [toRowId(id) ?? '0'],
          )
          if (before === undefined) return 'gone'
          if (before.version !== version) return 'stale'
          if (before.name === name) return 'unchanged'
          if ((await resellerLike(transaction, name, String(id))) !== undefined) return 'taken'
          const [after] = await transaction.query<AuditedRow>(
            `update resellers set name = $2, version = version + 1 where id = $1::bigint
              returning told_of_reseller(resellers) as told, name, version`,
            [String(id), name],
          )
          await recordChange(transaction, actor, entryOf(id, before.told, after?.told ?? null))
          return 'changed'
        })
      } catch (error) {
        if (isTaken(error, nameKey)) return 'taken'
        throw error
      }
    },
  }
}

/** Adds a Reseller with its entry in the audit trail. Returns its id. */
export async function makeReseller(transaction: Queryable, actor: Actor, name: string): Promise<number> {
  const id = await insertReseller(transaction, name)
  await recordChange(transaction, actor, entryOf(id, null, { id, name, version: '1' }))
  return id
}

const nameKey = 'resellers_name_key'

const columns = `id, name, version, (select count(*) from users where reseller_id = resellers.id) as users,
  (select count(*) from clients where reseller_id = resellers.id) as clients`

interface ResellerRow {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly users: string
  readonly clients: string
}

interface AuditedRow {
  readonly told: object
  readonly name: string
  readonly version: string
}

function toReseller({ id, name, version, users, clients }: ResellerRow): Reseller {
  return { id: fromRowId(id), name, version, users: Number(users), clients: Number(clients) }
}

function entryOf(id: number, before: object | null, after: object | null) {
  return { entity: 'reseller', entityId: id, resellerId: id, before, after }
}
