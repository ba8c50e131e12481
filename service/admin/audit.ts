import { isDay } from '../settings/day.js'
import type { AuditEntry, AuditSearch } from '../storage/tables/audit.js'
import { filterOf } from './columns.js'
import { csvOf, mostRows, requireExportable } from './csv.js'
import { withFaults } from './form.js'
import { protocolNames } from './protocol-names.js'
import { actions } from './sentence.js'
import { pageSize, shownEntry } from './shown.js'
import type { Area, PageResult, SignedIn } from './visit.js'

/** The audit trail, newest first. Filters: action, object, user, request, protocol and days. */
export async function showAudit(area: Area, { query, timezone }: SignedIn): Promise<PageResult> {
  const { filter, faults, search } = readSearch(query, timezone)
  const { before = '' } = Object.fromEntries(query)
  const isWrong = Object.keys(faults).length > 0
  const page = {
    ...search,
    limit: pageSize + 1,
    before: /^\d{1,15}$/.test(before) ? Number(before) : undefined,
  }
  const [found, resellers] = await Promise.all([
    isWrong ? [] : area.audit.search(page),
    area.resellers.names(),
  ])
  const entries = found.slice(0, pageSize)
  const asked = filterOf(filter)
  const hrefOf = (more: object) => `${path}?${new URLSearchParams({ ...asked, ...more })}`
  const isPaged = page.before !== undefined
  return {
    page: 'audit',
    title: 'Audit trail',
    status: isWrong ? 422 : 200,
    data: {
      timezone,
      fields: withFaults(fieldsOf(filter), faults),
      entries: entries.map((entry) => shownEntry(entry, timezone, resellers)),
      isAsked: !isWrong,
      isFiltered: Object.keys(asked).length > 0,
      exportPath: `${path}.csv?${new URLSearchParams(asked)}`,
      pager: {
        ...(isPaged && { newer: hrefOf({}), newerText: 'Newest' }),
        ...(found.length > pageSize && { older: hrefOf({ before: entries.at(-1)?.id }), olderText: 'Older' }),
        isLong: isPaged || found.length > pageSize,
      },
    },
  }
}

/** The entries of the filter as CSV, newest first. */
export async function exportAudit(area: Area, visit: SignedIn): Promise<PageResult> {
  const { faults, search } = readSearch(visit.query, visit.timezone)
  if (Object.keys(faults).length > 0) return showAudit(area, visit)
  const found = await area.audit.search({ ...search, limit: mostRows + 1 })
  requireExportable(found.length)
  return { file: { name: 'audit.csv', text: csvOf(csvNames, found.map(rowOf)) } }
}

const path = '/admin/audit'

const csvNames = [
  'at',
  'user_id',
  'login',
  'operation',
  'protocol',
  'request_id',
  'entity',
  'entity_id',
  'name',
  'before',
  'after',
]

function rowOf(entry: AuditEntry) {
  const { at, userId, login, operation, protocol, requestId, entity, entityId, entityName } = entry
  const json = (state: object | undefined) => (state === undefined ? undefined : JSON.stringify(state))
  return [
    at,
    userId,
    login,
    operation,
    protocol,
    requestId,
    entity,
    entityId,
    entityName,
    json(entry.before),
    json(entry.after),
  ]
}

type Filter = Readonly<Record<(typeof names)[number], string>>

const names = ['action', 'entity', 'id', 'user', 'request', 'protocol', 'from', 'to'] as const

function readSearch(query: URLSearchParams, timezone: string) {
  const filter = Object.fromEntries(names.map((name) => [name, (query.get(name) ?? '').trim()])) as Filter
  const { action, entity, id, user, request, protocol, from, to } = filter
  const faults = {
    ...(from !== '' && !isDay(from) && { from: notADay }),
    ...(to !== '' && !isDay(to) && { to: notADay }),
    ...(isDay(from) && isDay(to) && from > to && { to: 'This is before the other day.' }),
  }
  const search: Omit<AuditSearch, 'limit'> = {
    operation: action || undefined,
    entity: { name: entity || undefined, ...(/^\d*$/.test(id) ? { id } : { called: id }) },
    login: user || undefined,
    // Rows show the beginning of an id.
    requestId: request.replace(/…$/, '') || undefined,
    protocol: protocol || undefined,
    days: { from: from || undefined, to: to || undefined, timezone },
  }
  return { filter, faults, search }
}

const notADay = 'Enter a day, such as 2026-01-31.'

function fieldsOf({ action, entity, id, user, request, protocol, from, to }: Filter) {
  const labels = [...actions].map(([value, { label }]) => [value, label] as const)
  return {
    action: { label: 'Action', value: action, options: optionsOf(action, [['', 'All actions'], ...labels]) },
    entity: { label: 'Object', value: entity, options: optionsOf(entity, entities) },
    id: { label: 'Its name or number', value: id, autocomplete: 'off' },
    user: { label: 'Done by', value: user, autocomplete: 'off' },
    protocol: { label: 'Protocol', value: protocol, options: optionsOf(protocol, protocols) },
    request: { label: 'Request id', value: request, autocomplete: 'off' },
    from: { label: 'From day', value: from, type: 'date' },
    to: { label: 'To day', value: to, type: 'date' },
  }
}

const entities = [
  ['', 'Everything'],
  ['user', 'User'],
  ['reseller', 'Reseller'],
  ['client', 'Client'],
] as const

const protocols = [
  ['', 'All protocols'],
  ...protocolNames,
  ['admin', 'Administration'],
  ['command', 'Command'],
] as const

/** An address may name what is not in the list. */
function optionsOf(chosen: string, options: readonly (readonly [value: string, label: string])[]) {
  const missing = options.every(([value]) => value !== chosen)
  return [...options, ...(missing ? [[chosen, chosen] as const] : [])].map(([value, label]) => ({
    value,
    label,
    isChosen: value === chosen,
  }))
}
