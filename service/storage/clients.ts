import { ProblemError } from '@duet/runtime'
import type { Queryable, Statement } from './database.js'
import { creditSize, fromNumeric, toNumeric } from './decimal.js'
import { fromRowId, isStorable, toRowId } from './identifier.js'
import { type Condition, type Page, pageOf } from './listing.js'
import { type Scope, scopeConditions, scopeValue } from './scope.js'

interface Client {
  readonly id: number
  readonly name: string
  /** Credit limit in `currency`, exact to 4 decimal places. */
  readonly credit: number
  readonly currency: string
}

export interface ClientSearch extends Page {
  readonly id?: number | undefined
  /** The whole name, case and all. */
  readonly name?: string | undefined
  readonly currency?: string | undefined
}

interface ClientChanges {
  readonly credit?: number | undefined
  /** 1 to 255 characters. */
  readonly name?: string | undefined
}

export interface ClientStore {
  /** The client; undefined where there is none or another reseller's. */
  get(id: number): Promise<Client | undefined>
  search(search: ClientSearch): Promise<Client[]>
  /**
   * Changes the client and answers it as it is then; undefined as above.
   * @throws ProblemError `validation_failed` for what its column can't hold exactly
   */
  update(id: number, changes: ClientChanges): Promise<Client | undefined>
}

/** The clients that a scope gives access to. */
export function clientStore(database: Queryable, scope: Scope | undefined): ClientStore {
  const reseller = scopeValue(scope)
  const one = async (statement: Statement, id: number, ...changes: (string | null)[]) => {
    const rowId = toRowId(id)
    if (rowId === undefined) return undefined
    const [row] = await database.query<ClientRow>(statement, [rowId, reseller, ...changes])
    return row && toClient(row)
  }
  return {
    get: (id) => one(selectClient, id),
    async search(search) {
      const filter = conditionsOf(search)
      if (filter === undefined) return []
      const conditions = [...scopeConditions(scope), ...filter]
      const rows = await database.query<ClientRow>(...pageOf({ ...clients, conditions }, search))
      return rows.map(toClient)
    },
    async update(id, { credit, name }) {
      if (credit === undefined && name === undefined) return one(selectClient, id)
      const numeric = credit === undefined ? null : toNumeric(credit, creditSize)
      if (numeric === undefined) throw inexactCredit()
      if (name !== undefined && !isStorable(name)) throw unstorableName()
      return one(updateClient, id, numeric, name ?? null)
    },
  }
}

const clients = {
  table: 'clients',
  columns: ['id', 'name', 'credit', 'currency'],
  sortable: new Set(['id', 'name']),
} as const

const selectClient: Statement = {
  prepared: true,
  text: `select ${clients.columns.join(', ')} from clients
    where id = $1::bigint and ($2::bigint is null or reseller_id = $2::bigint)`,
}

const updateClient: Statement = {
  prepared: true,
  text: `update clients set credit = coalesce($3::numeric, credit), name = coalesce($4::text, name)
    where id = $1::bigint and ($2::bigint is null or reseller_id = $2::bigint)
    returning ${clients.columns.join(', ')}`,
}

interface ClientRow {
  readonly id: string
  readonly name: string
  readonly credit: string
  readonly currency: string
}

function toClient({ id, name, credit, currency }: ClientRow): Client {
  return { id: fromRowId(id), name, credit: fromNumeric(credit), currency }
}

/** Undefined where no row can match. */
function conditionsOf({ id, name, currency }: ClientSearch): Condition[] | undefined {
  const conditions: Condition[] = []
  if (id !== undefined) {
    const value = toRowId(id)
    if (value === undefined) return undefined
    conditions.push({ sql: 'id = ?::bigint', value })
  }
  for (const [column, value] of Object.entries({ name, currency })) {
    if (value === undefined) continue
    if (!isStorable(value)) return undefined
    conditions.push({ sql: `${column} = ?`, value })
  }
  return conditions
}

function inexactCredit(): ProblemError {
  const { precision, scale } = creditSize
  return violation(
    '/credit',
    'exact',
    `must be exact with ${precision - scale} digits before the point and ${scale} after it`,
  )
}

function unstorableName(): ProblemError {
  return violation('/name', 'characters', 'must have no NUL and no half of a surrogate pair')
}

function violation(path: string, keyword: string, message: string): ProblemError {
  return new ProblemError('validation_failed', { violations: [{ path, keyword, message }] })
}
