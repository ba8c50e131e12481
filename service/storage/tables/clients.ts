import type { ProblemError } from 'duet-runtime'
import { problem } from '../../problem.js'
import type { Queryable, Statement } from '../database/database.js'
import type { Author } from './audit.js'
import { creditSize, fromNumeric, toNumeric } from './decimal.js'
import { digestOf } from './digest.js'
import { fromRowId, isStorable, toRowId } from './identifier.js'
import { type Condition, type Page, pageOf } from './listing.js'
import { type Scope, scopeConditions, scopeValue } from './scope.js'

interface Client {
  readonly id: number
  readonly name: string
  /** Credit limit in `currency`, exact to 4 decimal places. */
  readonly credit: number
  readonly currency: string
  /** A text that differs after every change. */
  readonly version: string
}

export interface ClientSearch extends Page {
  readonly id?: number | undefined
  /** The whole name, case-sensitive. */
  readonly name?: string | undefined
  readonly currency?: string | undefined
}

interface ClientChanges {
  readonly credit?: number | undefined
  /** 1 to 255 characters. */
  readonly name?: string | undefined
}

interface ChangeTerms {
  readonly author: Author
  /** The version that the client must have. */
  readonly expectedVersion?: string | undefined
  /** 1 to 255 characters, per user. A change with a key of the last 24 hours is not repeated. */
  readonly idempotencyKey?: string | undefined
}

export interface ClientStore {
  /** The client. Undefined if there is none or it belongs to another reseller. */
  get(id: number): Promise<Client | undefined>
  search(search: ClientSearch): Promise<Client[]>
  /**
   * Changes the client, records that in the audit trail and returns the changed client; undefined as above. A repeated
   * idempotency key changes nothing and returns the earlier result. Without a difference there is no entry.
   * @throws ProblemError `validation_failed` for a value that its column can't hold exactly; `precondition_failed` if
   *   the client has another version; `idempotency_key_reused` if the key belongs to other changes
   */
  update(id: number, changes: ClientChanges, terms: ChangeTerms): Promise<Client | undefined>
}

/** The clients in a scope. */
export function clientStore(database: Queryable, scope: Scope | undefined): ClientStore {
  const reseller = scopeValue(scope)
  return {
    async get(id) {
      const rowId = toRowId(id)
      if (rowId === undefined) return undefined
      const [row] = await database.query<ClientRow>(selectClient, [rowId, reseller])
      return row && toClient(row)
    },
    async search(search) {
      const filter = conditionsOf(search)
      if (filter === undefined) return []
      const conditions = [...scopeConditions(scope), ...filter]
      const rows = await database.query<ClientRow>(...pageOf({ ...clients, conditions }, search))
      return rows.map(toClient)
    },
    async update(id, { credit, name }, { author, expectedVersion, idempotencyKey }) {
      const numeric = credit === undefined ? null : toNumeric(credit, creditSize)
      if (numeric === undefined) throw inexactCredit()
      if (name !== undefined && !isStorable(name)) throw unstorableName()
      const rowId = toRowId(id)
      if (rowId === undefined) return undefined
      const [row] = await database.query<ChangedRow>(changeClient, [
        rowId,
        reseller,
        numeric,
        name ?? null,
        // The empty text is no valid version, so it never matches.
        expectedVersion === undefined || isStorable(expectedVersion) ? (expectedVersion ?? null) : '',
        idempotencyKey ?? null,
        idempotencyKey === undefined ? null : digestOf({ id, credit, name, expectedVersion }),
        String(author.userId),
        author.operation,
        author.protocol,
        author.requestId,
      ])
      if (row === undefined) throw new Error('The change has no outcome')
      if (row.outcome === 'precondition_failed') throw changedMeanwhile(id)
      if (row.outcome === 'key_reused') throw reusedKey()
      return row.outcome === 'not_found' ? undefined : toClient(row)
    },
  }
}

const clients = {
  table: 'clients',
  columns: ['id', 'name', 'credit', 'currency', 'version'],
  sortable: new Set(['id', 'name']),
} as const

const selectClient: Statement = {
  prepared: true,
  text: `select ${clients.columns.join(', ')} from clients
    where id = $1::bigint and ($2::bigint is null or reseller_id = $2::bigint)`,
}

const changeClient: Statement = {
  prepared: true,
  text: `select outcome, ${clients.columns.map((column) => `client ->> '${column}' as ${column}`).join(', ')}
    from change_client($1::bigint, $2::bigint, $3::numeric, $4::text, $5::text,
      $6::text, $7::bytea, $8::bigint, $9::text, $10::text, $11::text)`,
}

/** The client's columns are null if the outcome has no client. */
interface ChangedRow extends ClientRow {
  readonly outcome: 'changed' | 'unchanged' | 'replayed' | 'not_found' | 'precondition_failed' | 'key_reused'
}

interface ClientRow {
  readonly id: string
  readonly name: string
  readonly credit: string
  readonly currency: string
  readonly version: string
}

function toClient({ id, name, credit, currency, version }: ClientRow): Client {
  return { id: fromRowId(id), name, credit: fromNumeric(credit), currency, version }
}

/** Undefined if no row can match. */
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
    conditions.push({ sql: `${column} = ?`, value, fixes: column })
  }
  return conditions
}

function changedMeanwhile(id: number): ProblemError {
  return problem('precondition_failed', {
    detail: `Client ${id} has another version. Get it again before you change it.`,
  })
}

function reusedKey(): ProblemError {
  return problem('idempotency_key_reused', {
    detail: 'This key came with another change. Use a new key for each change.',
  })
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
  return problem('validation_failed', { violations: [{ path, keyword, message }] })
}
