import type { Queryable, Statement } from '../database/database.js'
import { fromRowId, isStorable, toRowId } from './identifier.js'
import { type Condition, type Page, pageOf } from './listing.js'

interface Gateway {
  readonly id: number
  readonly name: string
  readonly title: string
  readonly credentials_id: number
  readonly editable: boolean
}

export interface GatewaySearch extends Page {
  readonly id?: number | undefined
  /** The whole name, case-sensitive. */
  readonly name?: string | undefined
  /** True: only gateways that can be edited. False is no filter (seed section 4.1). */
  readonly editable?: boolean | undefined
  readonly credentials_id?: number | undefined
}

export interface GatewayStore {
  /** The gateway. Undefined if there is none. */
  get(id: number): Promise<Gateway | undefined>
  search(search: GatewaySearch): Promise<Gateway[]>
}

/** All gateways: they are not limited by Reseller. */
export function gatewayStore(database: Queryable): GatewayStore {
  return {
    async get(id) {
      const rowId = toRowId(id)
      if (rowId === undefined) return undefined
      const [row] = await database.query<GatewayRow>(selectGateway, [rowId])
      return row && toGateway(row)
    },
    async search(search) {
      const conditions = conditionsOf(search)
      if (conditions === undefined) return []
      const rows = await database.query<GatewayRow>(...pageOf({ ...gateways, conditions }, search))
      return rows.map(toGateway)
    },
  }
}

const gateways = {
  table: 'gateways',
  columns: ['id', 'name', 'title', 'credentials_id', 'editable'],
  sortable: new Set(['id', 'name', 'title', 'credentials_id', 'editable']),
  booleans: new Set(['editable']),
} as const

const selectGateway: Statement = {
  prepared: true,
  text: `select ${gateways.columns.join(', ')} from gateways where id = $1::bigint`,
}

interface GatewayRow {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly credentials_id: string
  readonly editable: boolean
}

function toGateway(row: GatewayRow): Gateway {
  return { ...row, id: fromRowId(row.id), credentials_id: fromRowId(row.credentials_id) }
}

/** Undefined if no row can match. */
function conditionsOf({ id, name, editable, credentials_id }: GatewaySearch): Condition[] | undefined {
  const conditions: Condition[] = []
  for (const [column, number] of Object.entries({ id, credentials_id })) {
    if (number === undefined) continue
    const value = toRowId(number)
    if (value === undefined) return undefined
    conditions.push({ sql: `${column} = ?::bigint`, value, fixes: column })
  }
  if (name !== undefined) {
    if (!isStorable(name)) return undefined
    conditions.push({ sql: 'name = ?', value: name, fixes: 'name' })
  }
  if (editable === true) conditions.push({ sql: 'editable', fixes: 'editable' })
  return conditions
}
