import { type AuditEntry, commandUserId } from '../storage/tables/audit.js'
import { protocolNames } from './protocol-names.js'
import { wordsOf } from './sentence.js'
import type { Resellers } from './users/settings-form.js'

/** Formats a UTC datetime for people in a zone, to the second. */
export function shownTime(
  datetime: string,
  timezone: string,
): { readonly iso: string; readonly text: string } {
  // Swedish writes dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone: timezone,
  })
  return { iso: datetime, text: format.format(new Date(datetime)) }
}

/** The same to the minute. */
export function shownMinute(datetime: string, timezone: string): ReturnType<typeof shownTime> {
  const { iso, text } = shownTime(datetime, timezone)
  return { iso, text: text.slice(0, 16) }
}

/** Formats seconds as a waiting time. */
export function shownWait(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? '1 second' : `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}

/** An entry of the audit trail as a table row: only the differences, without the version, which always differs. */
export function shownEntry(entry: AuditEntry, timezone: string, resellers: Resellers) {
  const { id, userId, operation, entity, entityId, before = {} } = entry
  const isOne = entry.before === undefined || entry.after === undefined
  const after = entry.after ?? before
  const names = new Set([...labels.keys(), ...Object.keys(before), ...Object.keys(after)])
  const shown = (name: string, value: unknown) => {
    if (name === 'expires_at' || name === 'old_works_until')
      return typeof value === 'string' ? shownMinute(value, timezone).text : 'never'
    return textOf(name === 'reseller_id' ? (resellers.find((one) => one.id === value)?.name ?? value) : value)
  }
  const changes = [...names]
    .filter((name) => !unshown.has(name))
    .filter((name) => isOne || JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .filter((name) => name in before || name in after)
    .map((name) => ({
      name: labels.get(name) ?? name.replaceAll('_', ' '),
      ...(!isOne && name in before && { before: shown(name, before[name]) }),
      after: shown(name, after[name]),
    }))
    // Times may differ by less than they show.
    .filter(({ before, after }) => before !== after)
  const folder = { user: 'users', reseller: 'resellers' }[entity]
  return {
    id,
    at: shownTime(entry.at, timezone),
    login: entry.login ?? (userId === commandUserId ? 'a command on the host' : `user ${userId}`),
    ...(entry.isUser ? { userHref: `/admin/users/${userId}` } : { isDeleted: userId !== commandUserId }),
    operation,
    protocol: protocolNames.get(entry.protocol) ?? entry.protocol,
    requestId: entry.requestId,
    request: entry.requestId.length > 12 ? `${entry.requestId.slice(0, 8)}…` : entry.requestId,
    ...wordsOf(entry),
    entity: entry.entityName ?? entityId,
    href: folder && `/admin/${folder}/${entityId}`,
    changes,
  }
}

/** Labels of a user's fields, in the order of the form. */
const labels = new Map([
  ['login', 'login'],
  ['reseller_id', 'Reseller'],
  ['role', 'role'],
  ['timezone', 'time zone'],
  ['has_password', 'password'],
  ['has_api_key', 'API key'],
  ['active', 'active'],
  ['begins', 'begins with'],
  ['expires_at', 'expires'],
  ['old_works_until', 'old key works until'],
])

/** What always differs, and what the sentence says. */
const unshown = new Set(['version', 'id', 'key', 'key_id', 'with', 'app', 'passkey'])

/** Links to the previous and next page of a listing, and the range of rows on this one. */
export function pagerOf(path: string, query: Readonly<Record<string, string>>, page: number, total: number) {
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const hrefOf = (target: number) => `${path}?${new URLSearchParams({ ...query, page: String(target) })}`
  return {
    ...(page > 1 && { newer: hrefOf(Math.min(page - 1, pages)), newerText: 'Previous' }),
    ...(page < pages && { older: hrefOf(page + 1), olderText: 'Next' }),
    text:
      total === 0
        ? 'None'
        : `${(page - 1) * pageSize + 1} to ${Math.min(page * pageSize, total)} of ${total}`,
    isLong: pages > 1,
  }
}

export const pageSize = 25

/** The requested page, from 1. */
export function pageNumber(query: URLSearchParams): number {
  const text = query.get('page') ?? ''
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export function shownNumber(value: number): string {
  return value.toLocaleString('en-US')
}
