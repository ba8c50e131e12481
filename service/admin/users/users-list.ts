import { roles } from '../../identity/rules.js'
import type { AccountSearch, AccountSort } from '../../storage/tables/identity/account-list.js'
import type { AccountRecord } from '../../storage/tables/identity/accounts.js'
import { type Column, choiceOf, filterOf, headingsOf, orderOf, sortChoice, sortText } from '../columns.js'
import { csvOf, mostRows, requireExportable } from '../csv.js'
import { pageNumber, pagerOf, pageSize, shownMinute } from '../shown.js'
import { type Area, noSuchPage, type PageResult, type SignedIn } from '../visit.js'
import { unlimited } from './settings-form.js'

export async function listUsers(area: Area, { query, timezone }: SignedIn): Promise<PageResult> {
  const asked = await searchOf(area, query)
  if (asked === undefined) return noSuchPage
  const { filter, search, reseller, resellers } = asked
  const page = pageNumber(query)
  const found = await area.accounts.list({ ...search, limit: pageSize, offset: (page - 1) * pageSize })
  const sort = sortText(search.order, byLogin)
  const shown = filterOf({ ...filter, sort })
  if (page > 1 && found.total === 0) return { to: `${path}?${new URLSearchParams(shown)}` }
  return {
    page: 'users',
    title: 'Users',
    data: {
      text: filter.q,
      reseller,
      isFiltered: Object.keys(filterOf(filter)).length > 0,
      fields: {
        reseller: choiceOf('reseller', 'Reseller', filter.reseller, [
          ['', 'All'],
          ...resellers.map(({ id, name }) => [String(id), name] as const),
          [unlimited, 'No limit'],
        ]),
        role: choiceOf('role', 'Role', filter.role, [
          ['', 'All'],
          ...roles.map((role) => [role, role] as const),
        ]),
        state: choiceOf('state', 'State', filter.state, [
          ['', 'All'],
          ['active', 'Active'],
          ['inactive', 'Inactive'],
        ]),
        sort: sortChoice(columns, search.order, byLogin),
      },
      headings: headingsOf(path, filterOf(filter), columns, search.order),
      accounts: found.accounts.map((account) => ({
        ...account,
        ...(account.lastSignInAt !== undefined && { signedIn: shownMinute(account.lastSignInAt, timezone) }),
      })),
      exportPath: `${path}.csv?${new URLSearchParams(shown)}`,
      pager: pagerOf(path, shown, page, found.total),
    },
  }
}

/** The users of the filter as CSV. */
export async function exportUsers(area: Area, { query }: SignedIn): Promise<PageResult> {
  const asked = await searchOf(area, query)
  if (asked === undefined) return noSuchPage
  const { total, accounts } = await area.accounts.list({ ...asked.search, limit: mostRows, offset: 0 })
  requireExportable(total)
  const names = ['id', 'login', 'role', 'reseller', 'time_zone', 'active', 'created_at', 'last_sign_in_at']
  return { file: { name: 'users.csv', text: csvOf(names, accounts.map(rowOf)) } }
}

function rowOf({ id, login, role, reseller, timezone, active, createdAt, lastSignInAt }: AccountRecord) {
  return [id, login, role, reseller, timezone, active, createdAt, lastSignInAt]
}

const path = '/admin/users'

const byLogin = { column: 'login', isDescending: false } as const

const columns: readonly Column<AccountSort>[] = [
  { label: 'Login', name: 'login' },
  { label: 'Reseller', name: 'reseller' },
  { label: 'Role', name: 'role' },
  { label: 'Time zone', name: 'timezone' },
  { label: 'API keys', name: 'keys' },
  { label: 'Last sign-in', name: 'last-sign-in' },
  { label: 'State', name: 'state' },
]

/** The search of a query. Undefined: its Reseller does not exist. */
async function searchOf({ resellers }: Area, query: URLSearchParams) {
  const textOf = (name: string) => (query.get(name) ?? '').trim()
  const filter = {
    q: textOf('q'),
    reseller: textOf('reseller'),
    role: roles.find((role) => role === textOf('role')) ?? '',
    state: ['active', 'inactive'].find((state) => state === textOf('state')) ?? '',
  }
  const known = await resellers.names()
  const reseller = known.find(({ id }) => String(id) === filter.reseller)
  if (filter.reseller !== '' && filter.reseller !== unlimited && reseller === undefined) return undefined
  const search: Omit<AccountSearch, 'limit' | 'offset'> = {
    text: filter.q,
    resellerId: filter.reseller === unlimited ? null : reseller?.id,
    role: filter.role === '' ? undefined : filter.role,
    active: filter.state === '' ? undefined : filter.state === 'active',
    order: orderOf(query, columns, byLogin),
  }
  return { filter, search, reseller, resellers: known }
}
