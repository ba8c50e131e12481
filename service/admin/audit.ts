import { isDay } from '../settings/day.js'
import type { AuditSearch } from '../storage/tables/audit.js'
import { withFaults } from './form.js'
import { pageSize, shownEntry } from './shown.js'
import type { Area, PageResult, SignedIn } from './visit.js'

/** The audit trail, newest first. Filters: entity, user and days. */
export async function showAudit(area: Area, { query, timezone }: SignedIn): Promise<PageResult> {
  const typed = Object.fromEntries(names.map((name) => [name, (query.get(name) ?? '').trim()]))
  const { entity = '', id = '', user = '', from = '', to = '', before = '' } = typed
  const userId = user === '' ? undefined : await area.findLogin(user)
  const faults = {
    ...(id !== '' && entity === '' && { id: 'Choose the kind of this number.' }),
    ...(user !== '' && userId === undefined && { user: 'No user has this login.' }),
    ...(from !== '' && !isDay(from) && { from: notADay }),
    ...(to !== '' && !isDay(to) && { to: notADay }),
    ...(isDay(from) && isDay(to) && from > to && { to: 'This is before the other day.' }),
  }
  const search: AuditSearch = {
    limit: pageSize + 1,
    before: /^\d{1,15}$/.test(before) ? Number(before) : undefined,
    entity: entity === '' ? undefined : { name: entity, id },
    userId,
    days: { from: from || undefined, to: to || undefined, timezone },
  }
  const isWrong = Object.keys(faults).length > 0
  const [found, resellers] = await Promise.all([
    isWrong ? [] : area.audit.search(search),
    area.resellers.names(),
  ])
  const entries = found.slice(0, pageSize)
  const filter = { entity, id, user, from, to }
  const hrefOf = (more: object) => `/admin/audit?${new URLSearchParams({ ...filter, ...more })}`
  return {
    page: 'audit',
    title: 'Audit trail',
    status: isWrong ? 422 : 200,
    data: {
      timezone,
      fields: withFaults(
        {
          entity: { label: 'What', value: entity, options: entityOptions(entity) },
          id: { label: 'Number', value: id, inputmode: 'numeric' },
          user: { label: 'Changed by', value: user, autocomplete: 'off' },
          from: { label: 'From day', value: from, type: 'date' },
          to: { label: 'To day', value: to, type: 'date' },
        },
        faults,
      ),
      entries: entries.map((entry) => shownEntry(entry, timezone, resellers)),
      isAsked: !isWrong,
      isFiltered: Object.values(filter).some((value) => value !== ''),
      pager: {
        ...(search.before !== undefined && { newer: hrefOf({}), newerText: 'Newest' }),
        ...(found.length > pageSize && { older: hrefOf({ before: entries.at(-1)?.id }), olderText: 'Older' }),
        isLong: search.before !== undefined || found.length > pageSize,
      },
    },
  }
}

const names = ['entity', 'id', 'user', 'from', 'to', 'before']

const notADay = 'Enter a day, such as 2026-01-31.'

function entityOptions(chosen: string) {
  return [
    { value: '', label: 'Everything' },
    { value: 'user', label: 'Users' },
    { value: 'reseller', label: 'Resellers' },
    { value: 'client', label: 'Clients' },
  ].map((option) => ({ ...option, isChosen: option.value === chosen }))
}
