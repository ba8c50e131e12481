import type { Queryable, SqlValue, Statement } from './database.js'
import { fromRowId, isStorable, toRowId } from './identifier.js'

interface Gateway {
  readonly id: number
  readonly name: string
  readonly title: string
  readonly credentials_id: number
  readonly editable: boolean
}

export interface GatewaySearch {
  /** Number of rows to answer. */
  readonly limit: number
  /** Number of rows to skip. */
  readonly offset: number
  /** Columns to order by, `-` first for descending; ties and an empty list are ordered by id. */
  readonly order: readonly string[]
  readonly id?: number | undefined
  /** The whole name, case and all. */
  readonly name?: string | undefined
  /** True: only gateways that can be edited. False is no filter (seed section 4.1). */
  readonly editable?: boolean | undefined
}

export interface GatewayStore {
  search(search: GatewaySearch): Promise<Gateway[]>
}

/** All gateways: they are not limited by Reseller. */
export function gatewayStore(database: Queryable): GatewayStore {
  return {
    async search(search) {
      const filter = filterOf(search)
      if (filter === undefined) return []
      const rows = await database.query<GatewayRow>(searchStatement(filter, orderOf(search.order)), [
        String(search.limit),
        String(Math.min(search.offset, Number.MAX_SAFE_INTEGER)),
        ...filter.values,
      ])
      return rows.map((row) => ({
        ...row,
        id: fromRowId(row.id),
        credentials_id: fromRowId(row.credentials_id),
      }))
    },
  }
}

interface GatewayRow {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly credentials_id: string
  readonly editable: boolean
}

interface Filter {
  readonly conditions: readonly string[]
  readonly values: readonly SqlValue[]
}

/** Conditions from `$3` on; undefined where no row can match. */
function filterOf({ id, name, editable }: GatewaySearch): Filter | undefined {
  const conditions: string[] = []
  const values: SqlValue[] = []
  if (id !== undefined) {
    const rowId = toRowId(id)
    if (rowId === undefined) return undefined
    conditions.push(`id = $${values.push(rowId) + 2}::bigint`)
  }
  if (name !== undefined) {
    if (!isStorable(name)) return undefined
    conditions.push(`name = $${values.push(name) + 2}`)
  }
  if (editable === true) conditions.push('editable')
  return { conditions, values }
}

const sortColumns: ReadonlyMap<string, string> = new Map(
  ['id', 'name', 'title', 'credentials_id', 'editable'].flatMap((column) => [
    [column, `${column} asc`],
    [`-${column}`, `${column} desc`],
  ]),
)

/** A total order: the first mention of a column counts, id ends it. */
function orderOf(order: readonly string[]): readonly string[] {
  const terms = new Map<string, string>()
  for (const entry of [...order, 'id']) {
    const term = sortColumns.get(entry)
    const column = entry.replace(/^-/, '')
    if (term === undefined) throw new Error('A sort column that the document does not allow')
    if (!terms.has(column)) terms.set(column, term)
    if (column === 'id') break
  }
  return [...terms.values()]
}

function searchStatement({ conditions }: Filter, order: readonly string[]): Statement {
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
  const text = `select id, name, title, credentials_id, editable from gateways ${where}
    order by ${order.join(', ')} limit $1::bigint offset $2::bigint`
  // Only the common shapes stay prepared: callers can make thousands of orders, which a server would all keep.
  return order.length <= 2 ? { text, prepared: true } : { text }
}
