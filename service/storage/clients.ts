import { ProblemError } from '@duet/runtime'
import type { Queryable, Statement } from './database.js'
import { creditSize, fromNumeric, toNumeric } from './decimal.js'
import { fromRowId, toRowId } from './identifier.js'
import { type Scope, scopeValue } from './scope.js'

interface Client {
  readonly id: number
  readonly name: string
  /** Credit limit in `currency`, exact to 4 decimal places. */
  readonly credit: number
  readonly currency: string
}

interface ClientChanges {
  readonly credit?: number | undefined
}

export interface ClientStore {
  /** The client; undefined where there is none or another reseller's. */
  get(id: number): Promise<Client | undefined>
  /**
   * Changes the client and answers it as it is then; undefined as above.
   * @throws ProblemError `validation_failed` for a credit that the column can't hold exactly
   */
  update(id: number, changes: ClientChanges): Promise<Client | undefined>
}

/** The clients that a scope gives access to. */
export function clientStore(database: Queryable, scope: Scope | undefined): ClientStore {
  const reseller = scopeValue(scope)
  const get = async (id: number) => {
    const rowId = toRowId(id)
    if (rowId === undefined) return undefined
    return toClient(await database.query<ClientRow>(selectClient, [rowId, reseller]))
  }
  return {
    get,
    async update(id, { credit }) {
      if (credit === undefined) return get(id)
      const numeric = toNumeric(credit, creditSize)
      if (numeric === undefined) throw inexactCredit()
      const rowId = toRowId(id)
      if (rowId === undefined) return undefined
      return toClient(await database.query<ClientRow>(updateCredit, [rowId, reseller, numeric]))
    },
  }
}

const selectClient: Statement = {
  prepared: true,
  text: `select id, name, credit, currency from clients
    where id = $1::bigint and ($2::bigint is null or reseller_id = $2::bigint)`,
}

const updateCredit: Statement = {
  prepared: true,
  text: `update clients set credit = $3::numeric
    where id = $1::bigint and ($2::bigint is null or reseller_id = $2::bigint)
    returning id, name, credit, currency`,
}

interface ClientRow {
  readonly id: string
  readonly name: string
  readonly credit: string
  readonly currency: string
}

function toClient([row]: readonly ClientRow[]): Client | undefined {
  if (row === undefined) return undefined
  return { id: fromRowId(row.id), name: row.name, credit: fromNumeric(row.credit), currency: row.currency }
}

function inexactCredit(): ProblemError {
  const { precision, scale } = creditSize
  return new ProblemError('validation_failed', {
    violations: [
      {
        path: '/credit',
        keyword: 'exact',
        message: `must be exact with ${precision - scale} digits before the point and ${scale} after it`,
      },
    ],
  })
}
