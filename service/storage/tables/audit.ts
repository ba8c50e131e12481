import { randomUUID } from 'node:crypto'
import type { Queryable, Statement } from '../database/database.js'
import { fromRowId, isStorable, toRowId } from './identifier.js'
import { type Condition, pageOf } from './listing.js'
import { type Scope, scopeConditions } from './scope.js'
import { hasText } from './text-search.js'

/** The user of a change, and the call. An entry also has the Reseller of that user. */
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
  /** The user's login at that time. Undefined for commands, and for older entries of a user who no longer exists. */
  readonly login: string | undefined
  /** Whether the user still exists. */
  readonly isUser: boolean
  /** The user's Reseller at that time. Null: not limited. */
  readonly userResellerId: number | null
  /** The changed entity, such as `client`. */
  readonly entity: string
  readonly entityId: string
  /** Its name at that time. Undefined in older entries if it no longer exists. */
  readonly entityName: string | undefined
  /** Its Reseller. Null: none. */
  readonly resellerId: number | null
  /** State before the change. Undefined if it was created. */
  readonly before: Readonly<Record<string, unknown>> | undefined
  /** State after the change. Undefined if it was removed. */
  readonly after: Readonly<Record<string, unknown>> | undefined
}

export interface AuditSearch {
  /** Number of entries to return. */
  readonly limit: number
  /** Only entries before the one with this id: for the next page, the id of the last entry. */
  readonly before?: number | undefined
  /** Without a name: all kinds. `called`: those whose name has this text, or had it, in any case. */
  readonly entity?:
    | {
        readonly name?: string | undefined
        readonly id?: string | undefined
        readonly called?: string | undefined
      }
    | undefined
  readonly operation?: string | undefined
  /** The id, or its beginning. */
  readonly requestId?: string | undefined
  readonly protocol?: string | undefined
  readonly userId?: number | undefined
  /** Login of the user, in any case. */
  readonly login?: string | undefined
  /** From the start of the first day to the end of the last, in the zone. */
  readonly days?: Days | undefined
}

interface Days {
  /** `2026-01-31`, years 0001 to 9999. Undefined: no bound. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** IANA name. */
  readonly timezone: string
}

/** The audit trail. The service only appends to it; the database refuses changes and deletions. */
export interface AuditStore {
  /** Newest first: entries on entities of the scope's Reseller, or on all entities without a Reseller. */
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

/** The user of a change, and the user's Reseller. Null: not limited. */
export interface Actor extends Author {
  readonly resellerId: number | null
}

/** The actor of a command on the host, which is no user. */
export function commandActor(operation: string): Actor {
  return { userId: commandUserId, resellerId: null, operation, protocol: 'command', requestId: randomUUID() }
}

/** The user id of commands. No user has it. */
export const commandUserId = 0

/** The changed entity, as stored JSON. */
export interface AuditedChange {
  readonly entity: string
  readonly entityId: number
  readonly resellerId: number | null
  readonly before: object | null
  readonly after: object | null
}

/** Adds an entry, in the transaction of the change. */
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
    'coalesce(user_login, (select login from users where users.id = audit.user_id)) as login',
    'exists (select from users where users.id = audit.user_id) as is_user',
    'user_reseller_id',
    'operation',
    'protocol',
    'request_id',
    'entity',
    'entity_id',
    `coalesce(entity_name, case entity
      when 'client' then (select name from clients where clients.id = entity_id::bigint)
      when 'reseller' then (select name from resellers where resellers.id = entity_id::bigint)
      when 'user' then (select login from users where users.id = entity_id::bigint)
    end) as entity_name`,
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
  readonly is_user: boolean
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
    isUser: row.is_user,
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

/** Undefined if no entry can match. */
function conditionsOf({
  before,
  entity,
  userId,
  login,
  days,
  operation,
  requestId,
  protocol,
}: Omit<AuditSearch, 'limit'>): Condition[] | undefined {
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
    const { name, id = '', called } = entity
    if (![name ?? '', id, called ?? ''].every(isStorable)) return undefined
    if (name !== undefined) conditions.push({ sql: 'entity = ?', value: name })
    if (id !== '') conditions.push({ sql: 'entity_id = ?', value: id })
    if (called !== undefined)
      conditions.push({ sql: `(entity, entity_id) in (${entitiesCalled})`, value: called })
  }
  for (const [sql, value] of [
    ['operation = ?', operation],
    [`request_id in (${requestsFrom})`, requestId],
    ['protocol = ?', protocol],
    [`user_id in (${usersOfLogin})`, login],
  ] as const) {
    if (value === undefined) continue
    if (!isStorable(value)) return undefined
    conditions.push({ sql, value })
  }
  if (days?.from !== undefined)
    conditions.push({ sql: `at >= (${dayStart('?')})`, value: `${days.from} ${days.timezone}` })
  if (days?.to !== undefined)
    conditions.push({ sql: `at < (${dayStart('?', 1)})`, value: `${days.to} ${days.timezone}` })
  return conditions
}

/**
 * SQL for the entities whose name has a text, or had it. Walks the distinct names of the trail in its index, since it has
 * many entries of each name.
 */
const entitiesCalled = `with recursive given as (select ?::text as called),
    former as (
      (select entity, entity_name from audit where entity_name is not null order by entity, entity_name limit 1)
      union all
      select later.* from former, lateral (
        select entity, entity_name from audit
          where (entity, entity_name) > (former.entity, former.entity_name) and entity_name is not null
          order by entity, entity_name limit 1
      ) later
    )
    select 'client', id::text from given, clients where ${hasText('name', 'called')}
    union select 'reseller', id::text from given, resellers where ${hasText('name', 'called')}
    union select 'user', id::text from given, users where ${hasText('login', 'called')}
    union select other.entity, other.entity_id
      from given, former join audit as other using (entity, entity_name) where ${hasText('entity_name', 'called')}`

/** SQL for the request ids that begin with a text: as it is, or in lower case, as the service's own. */
const requestsFrom = `select other.request_id from (select ?::text) as given (sent),
    lateral (values (sent), (lower(sent))) as typed (first),
    audit as other
    where other.request_id >= first and other.request_id < first || chr(1114111)`

const usersOfLogin = 'select id from users where in_any_case(login) = in_any_case(?)'

/** SQL for the moment at which a day begins in a zone. One parameter has both: `2026-01-31 Europe/Berlin`. */
function dayStart(parameter: string, later = 0): string {
  return `select (split_part(day, ' ', 1)::date + ${later})::timestamp at time zone split_part(day, ' ', 2)
    from (values (${parameter}::text)) as given (day)`
}
