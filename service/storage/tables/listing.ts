import type { SqlValue, Statement } from '../database/database.js'

/** The part of a listing to return, and its order. */
export interface Page {
  /** Number of rows to return. */
  readonly limit: number
  /** Number of rows to skip. */
  readonly offset: number
  /** Columns to order by, with a `-` prefix for descending. Ties and an empty list are ordered by id. */
  readonly order: readonly string[]
}

/** Rows of one table, filtered. */
export interface Listing {
  readonly table: string
  readonly columns: readonly string[]
  /** Columns that a caller may order by. */
  readonly sortable: ReadonlySet<string>
  /** The boolean ones of them. */
  readonly booleans?: ReadonlySet<string>
  readonly conditions: readonly Condition[]
}

/** SQL that is true for the wanted rows. `?` is the placeholder of the value, if any. */
export interface Condition {
  readonly sql: string
  readonly value?: SqlValue
  /** The column that it restricts to one value, so that ordering by it is pointless. */
  readonly fixes?: string
}

/** The statement for one page of a listing in a total order, and its values. */
export function pageOf(listing: Listing, page: Page): [statement: Statement, values: readonly SqlValue[]] {
  const values: SqlValue[] = [String(page.limit), String(Math.min(page.offset, Number.MAX_SAFE_INTEGER))]
  const conditions = listing.conditions.map(({ sql, value }) =>
    value === undefined ? sql : sql.replace('?', () => `$${values.push(value)}`),
  )
  const fixed = new Set(listing.conditions.map(({ fixes }) => fixes))
  const order = orderOf(listing.sortable, page.order, fixed)
  const [first] = order
  const rows =
    first !== undefined && listing.booleans?.has(first.column)
      ? halvesOf(listing, conditions, first.column, order.slice(1))
      : `select ${listing.columns.join(', ')} from ${listing.table} ${whereOf(conditions)}`
  const text = `${rows} ${orderBy(order)} limit $1::bigint offset $2::bigint`
  // Only common orders are prepared. Callers can request thousands of orders, and the server would keep them all.
  return [order.length <= 2 ? { text, prepared: true } : { text }, values]
}

/**
 * The rows that a page ordered by a boolean column can contain, as two queries: one for true, one for false. Each can
 * walk an index in the rest of the order, while one query for both would sort all rows.
 */
function halvesOf(
  { table, columns }: Listing,
  conditions: readonly string[],
  column: string,
  rest: readonly Term[],
): string {
  const halves = [`not ${column}`, column].map(
    (condition) => `(select ${columns.join(', ')} from ${table} ${whereOf([...conditions, condition])}
      ${orderBy(rest)} limit $1::bigint + $2::bigint)`,
  )
  return `select * from (${halves.join(' union all ')}) halves`
}

function whereOf(conditions: readonly string[]): string {
  return conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
}

interface Term {
  readonly column: string
  readonly direction: 'asc' | 'desc'
}

function orderBy(order: readonly Term[]): string {
  return `order by ${order.map(({ column, direction }) => `${column} ${direction}`).join(', ')}`
}

/** A total order: the first mention of a column counts, and id comes last. */
function orderOf(
  sortable: ReadonlySet<string>,
  order: readonly string[],
  fixed: ReadonlySet<string | undefined>,
): readonly Term[] {
  const terms = new Map<string, Term>()
  for (const entry of [...order, 'id']) {
    const column = entry.replace(/^-/, '')
    if (!sortable.has(column)) throw new Error('A sort column that the document does not allow')
    if (!terms.has(column)) terms.set(column, { column, direction: entry === column ? 'asc' : 'desc' })
    if (column === 'id') break
  }
  return [...terms.values()].filter(({ column }) => column === 'id' || !fixed.has(column))
}
