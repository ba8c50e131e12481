import { randomUUID } from 'node:crypto'
import type { Queryable, Statement } from '../database/database.js'
import { fromRowId, isStorable, toRowId } from './identifier.js'
import { type Condition, pageOf } from './listing.js'
import { type Scope, scopeConditions } from './scope.js'

/** Who makes a change, and by which call. Beside it an entry has the Reseller that limits who makes it. */
export interface Author {
  readonly userId: number
  readonly operation: string
  readonly protocol: string
  readonly requestId: string
}

/** One change. */
export interface AuditEntry extends Author {
  readonly id: number
  /** UTC datetime. */
  readonly at: string
  /** Login of the user now; undefined where the user is gone. */
  readonly login: string | undefined
  /** The user's Reseller at that time; null: not limited. */
  readonly userResellerId: number | null
  /** What was changed: `client`. */
  readonly entity: string
  readonly entityId: string
  /** What it is called now; undefined where it is gone. */
  readonly entityName: string | undefined
  /** The Reseller that it belongs to; null: to none. */
  readonly resellerId: number | null
  /** What it was; undefined where it was made. */
  readonly before: Readonly<Record<string, unknown>> | undefined
  /** What it became; undefined where it was removed. */
  readonly after: Readonly<Record<string, unknown>> | undefined
}

export interface AuditSearch {
  /** Number of entries to answer. */
  readonly limit: number
  /** Only entries before the one with this id: the next page starts at the last of the one before. */
  readonly before?: number | undefined
  /** Without an id: all of that kind. */
  readonly entity?: { readonly name: string; readonly id?: string | undefined } | undefined
  readonly userId?: number | undefined
  /** From the start of the first day to the end of the last, as a zone has them. */
  readonly days?: Days | undefined
}

interface Days {
  /** `2026-01-31`, from 0001 to 9999; undefined: no bound. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** IANA name. */
  readonly timezone: string
}

/** The audit trail. The service adds to it and never changes or removes what is in it; the database refuses both. */
export interface AuditStore {
  /** Newest first: of entities of the scope's Reseller, whoever changed them, or of all where it has none. */
  search(search: AuditSearch): Promise<AuditEntry[]>
}

export function auditStore(database: Queryable, scope: Scope | undefined): AuditStore {
  return {
    async search({ limit, ...filter }) {
      const found = conditionsOf(filter)
      if (found === undefined) return []
      const conditions = [...scopeConditions(scope), ...found]
      const page = { limit, offset: 0, order: ['-id'] }
      return (await database.query<AuditRow>(...pageOf({ ...audit, conditions }, page))).map(toEntry)
    },
  }
}

/** Who makes a change, and the Reseller that limits who it is; null: none. */
export interface Actor extends Author {
  readonly resellerId: number | null
}

/** Who runs a command of the service on its host: no user. */
export function commandActor(operation: string): Actor {
  return { userId: nobody, resellerId: null, operation, protocol: 'command', requestId: randomUUID() }
}

/** No user has this id. */
export const nobody = 0

/** What was changed, as its JSON has it in the database. */
export interface AuditedChange {
  readonly entity: string
  readonly entityId: number
  readonly resellerId: number | null
  readonly before: object | null
  readonly after: object | null
}

/** Adds an entry, in the transaction of what it tells of. */
export async function recordChange(
  transaction: Queryable,
  { userId, resellerId, operation, protocol, requestId }: Actor,
  change: AuditedChange,
): Promise<void> {
  const idText = (id: number | null) => (id === null ? null : String(id))
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value))
  await transaction.query(insertEntry, [
    String(userId),
    idText(resellerId),
    operation,
    protocol,
    requestId,
    change.entity,
    String(change.entityId),
    idText(change.resellerId),
    json(change.before),
    json(change.after),
  ])
}

const insertEntry: Statement = {
  prepared: true,
  text: `insert into audit (
      user_id, user_reseller_id, operation, protocol, request_id, entity, entity_id, reseller_id, before, after
    ) values ($1::bigint, $2::bigint, $3, $4, $5, $6, $7, $8::bigint, $9::text::jsonb, $10::text::jsonb)`,
}

const audit = {
  table: 'audit',
  columns: [
    'id',
    'at',
    'user_id',
    '(select login from users where users.id = audit.user_id) as login',
    'user_reseller_id',
    'operation',
    'protocol',
    'request_id',
    'entity',
    'entity_id',
    `case entity
      when 'client' then (select name from clients where clients.id = entity_id::bigint)
      when 'reseller' then (select name from resellers where resellers.id = entity_id::bigint)
      when 'user' then (select login from users where users.id = entity_id::bigint)
    end as entity_name`,
    'reseller_id',
    'before',
    'after',
  ],
  sortable: new Set(['id']),
} as const

interface AuditRow {
  readonly id: string
  readonly at: string
  readonly user_id: string
  readonly login: string | null
  readonly user_reseller_id: string | null
  readonly operation: string
  readonly protocol: string
  readonly request_id: string
  readonly entity: string
  readonly entity_id: string
  readonly entity_name: string | null
  readonly reseller_id: string | null
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

function toEntry(row: AuditRow): AuditEntry {
  return {
    id: fromRowId(row.id),
    at: row.at,
    userId: fromRowId(row.user_id),
    login: row.login ?? undefined,
    userResellerId: row.user_reseller_id === null ? null : fromRowId(row.user_reseller_id),
    operation: row.operation,
    protocol: row.protocol,
    requestId: row.request_id,
    entity: row.entity,
    entityId: row.entity_id,
    entityName: row.entity_name ?? undefined,
    resellerId: row.reseller_id === null ? null : fromRowId(row.reseller_id),
    before: row.before ?? undefined,
    after: row.after ?? undefined,
  }
}

/** Undefined where no entry can match. */
function conditionsOf({ before, entity, userId, days }: Omit<AuditSearch, 'limit'>): Condition[] | undefined {
  const conditions: Condition[] = []
  for (const [sql, number] of [
    ['id < ?::bigint', before],
    ['user_id = ?::bigint', userId],
  ] as const) {
    if (number === undefined) continue
    const value = toRowId(number)
    if (value === undefined) return undefined
    conditions.push({ sql, value })
  }
  if (entity !== undefined) {
    const { name, id = '' } = entity
    if (!isStorable(name) || !isStorable(id)) return undefined
    conditions.push({ sql: 'entity = ?', value: name })
    if (id !== '') conditions.push({ sql: 'entity_id = ?', value: id })
  }
  if (days?.from !== undefined)
    conditions.push({ sql: `at >= (${dayStart('?')})`, value: `${days.from} ${days.timezone}` })
  if (days?.to !== undefined)
    conditions.push({ sql: `at < (${dayStart('?', 1)})`, value: `${days.to} ${days.timezone}` })
  return conditions
}

/** SQL of the moment at which a day begins in a zone, where one parameter has both: `2026-01-31 Europe/Berlin`. */
function dayStart(parameter: string, later = 0): string {
  return `select (split_part(day, ' ', 1)::date + ${later})::timestamp at time zone split_part(day, ' ', 2)
    from (values (${parameter}::text)) as given (day)`
}
