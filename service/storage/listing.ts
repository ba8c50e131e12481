import type { SqlValue, Statement } from './database.js'

/** Which part of a listing is answered, and in which order. */
export interface Page {
  /** Number of rows to answer. */
  readonly limit: number
  /** Number of rows to skip. */
  readonly offset: number
  /** Columns to order by, `-` first for descending; ties and an empty list are ordered by id. */
  readonly order: readonly string[]
}

/** Rows of one table, filtered. */
export interface Listing {
  readonly table: string
  readonly columns: readonly string[]
  /** Columns that a caller may order by. */
  readonly sortable: ReadonlySet<string>
  readonly conditions: readonly Condition[]
}

/** SQL that is true of the rows wanted; `?` stands for the value, where there is one. */
export interface Condition {
  readonly sql: string
  readonly value?: SqlValue
}

/** The statement of one page of a listing, in a total order, and its values. */
export function pageOf(listing: Listing, page: Page): [statement: Statement, values: readonly SqlValue[]] {
  const values: SqlValue[] = [String(page.limit), String(Math.min(page.offset, Number.MAX_SAFE_INTEGER))]
  const conditions = listing.conditions.map(({ sql, value }) =>
    value === undefined ? sql : sql.replace('?', () => `$${values.push(value)}`),
  )
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
  const order = orderOf(listing.sortable, page.order)
  const text = `select ${listing.columns.join(', ')} from ${listing.table} ${where}
    order by ${order.join(', ')} limit $1::bigint offset $2::bigint`
  // Only the common shapes stay prepared: callers can make thousands of orders, which a server would all keep.
  return [order.length <= 2 ? { text, prepared: true } : { text }, values]
}

/** A total order: the first mention of a column counts, id ends it. */
function orderOf(sortable: ReadonlySet<string>, order: readonly string[]): readonly string[] {
  const terms = new Map<string, string>()
  for (const entry of [...order, 'id']) {
    const column = entry.replace(/^-/, '')
    if (!sortable.has(column)) throw new Error('A sort column that the document does not allow')
    if (!terms.has(column)) terms.set(column, `${column} ${entry === column ? 'asc' : 'desc'}`)
    if (column === 'id') break
  }
  return [...terms.values()]
}
