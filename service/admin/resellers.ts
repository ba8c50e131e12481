import { isName, nameLength } from '../identity/rules.js'
import type { Reseller, ResellerSort } from '../storage/tables/resellers.js'
import { type Column, filterOf, headingsOf, orderOf, sortChoice, sortText } from './columns.js'
import { csvOf, mostRows, requireExportable } from './csv.js'
import { type Faults, withFaults } from './form.js'
import { pageNumber, pagerOf, pageSize } from './shown.js'
import { nameFault } from './users/settings-form.js'
import { isolated } from './visible.js'
import { type Area, noSuchPage, type PageResult, type SignedIn } from './visit.js'

export async function listResellers(area: Area, visit: SignedIn): Promise<PageResult> {
  const done = visit.query.get('done')
  return resellersPage(area, visit, '', {}, done === 'created' ? 'The Reseller is created.' : undefined)
}

export async function createReseller(area: Area, visit: SignedIn): Promise<PageResult> {
  const name = visit.form.get('name') ?? ''
  if (!isName(name, nameLength.reseller))
    return resellersPage(area, visit, name, { name: nameFault('a name', name, nameLength.reseller) })
  const id = await area.resellers.create(visit.actor, name)
  return id === undefined
    ? resellersPage(area, visit, name, { name: taken })
    : { to: `/admin/resellers?${new URLSearchParams({ q: name, done: 'created' })}` }
}

export async function showReseller({ resellers }: Area, visit: SignedIn): Promise<PageResult> {
  const notice = { changed: 'Saved.', unchanged: 'There was nothing to save.' }[visit.query.get('done') ?? '']
  return resellerPage(await resellers.get(Number(visit.named.id)), { notice })
}

export async function renameReseller(
  { resellers }: Area,
  { named, form, actor }: SignedIn,
): Promise<PageResult> {
  const id = Number(named.id)
  const sent = { name: form.get('name') ?? '', loaded: form.get('loaded_name') ?? undefined }
  if (!isName(sent.name, nameLength.reseller)) {
    const faults = { name: nameFault('a name', sent.name, nameLength.reseller) }
    return resellerPage(await resellers.get(id), { sent, faults })
  }
  const outcome = await resellers.rename(actor, id, form.get('version') ?? '', sent.name)
  const now = await resellers.get(id)
  if (outcome === 'unchanged') return { to: `/admin/resellers/${id}?done=unchanged` }
  // The stored name is the wanted one, as after a form that was sent twice.
  if (now?.name === sent.name) return { to: `/admin/resellers/${id}?done=changed` }
  return resellerPage(now, {
    sent,
    ...(outcome === 'taken' ? { faults: { name: taken } } : { isStale: true }),
  })
}

/** The Resellers of the search as CSV. */
export async function exportResellers({ resellers }: Area, { query }: SignedIn): Promise<PageResult> {
  const text = (query.get('q') ?? '').trim()
  const order = orderOf(query, columns, byName)
  const found = await resellers.list({ text, order, limit: mostRows, offset: 0 })
  requireExportable(found.total)
  const rows = found.resellers.map(({ id, name, users, clients }) => [id, name, users, clients])
  return { file: { name: 'resellers.csv', text: csvOf(['id', 'name', 'users', 'clients'], rows) } }
}

const path = '/admin/resellers'

const byName = { column: 'name', isDescending: false } as const

const columns: readonly Column<ResellerSort>[] = [
  { label: 'Name', name: 'name' },
  { label: 'Users', name: 'users', isNumber: true },
  { label: 'Clients', name: 'clients', isNumber: true },
  { label: 'Actions', isHidden: true },
]

const taken = 'Another Reseller has this name, or one that looks like it.'

async function resellersPage(
  { resellers }: Area,
  { query }: SignedIn,
  typed: string,
  faults: Faults,
  notice?: string,
): Promise<PageResult> {
  const text = (query.get('q') ?? '').trim()
  const page = pageNumber(query)
  const order = orderOf(query, columns, byName)
  const found = await resellers.list({ text, order, limit: pageSize, offset: (page - 1) * pageSize })
  const sort = sortText(order, byName)
  const shown = filterOf({ q: text, sort })
  if (page > 1 && found.total === 0) return { to: `${path}?${new URLSearchParams(shown)}` }
  const fields = withFaults(
    { name: { label: 'Name', value: typed, isRequired: true, autocomplete: 'off' } },
    faults,
  )
  return {
    page: 'resellers',
    title: 'Resellers',
    status: Object.keys(faults).length > 0 ? 422 : 200,
    data: {
      text,
      notice,
      fields,
      resellers: found.resellers.map((reseller) => ({ ...reseller, usersPath: usersPath(reseller) })),
      sortField: sortChoice(columns, order, byName),
      headings: headingsOf(path, filterOf({ q: text }), columns, order),
      exportPath: `${path}.csv?${new URLSearchParams(shown)}`,
      pager: pagerOf(path, shown, page, found.total),
    },
  }
}

function usersPath({ id }: Reseller): string {
  return `/admin/users?${new URLSearchParams({ reseller: String(id) })}`
}

interface ResellerPageState {
  /** The form as sent, if it has faults: the typed name and the name it was loaded with. */
  readonly sent?: { readonly name: string; readonly loaded: string | undefined }
  readonly faults?: Faults
  readonly isStale?: boolean
  readonly notice?: string | undefined
}

function resellerPage(
  reseller: Reseller | undefined,
  { sent, faults = {}, isStale, notice }: ResellerPageState,
): PageResult {
  if (reseller === undefined) return noSuchPage
  // As in a user's settings: a field that was not edited shows the stored name.
  const isTyped = sent !== undefined && sent.name !== sent.loaded
  const value = isTyped ? sent.name : reseller.name
  const isOthers = isTyped && reseller.name !== value && reseller.name !== sent.loaded
  const field = { label: 'Name', value, isRequired: true, autocomplete: 'off' }
  const wrong = Object.keys(faults).length > 0
  return {
    page: 'reseller',
    title: isolated(reseller.name),
    status: isStale ? 409 : wrong ? 422 : 200,
    data: {
      reseller,
      usersPath: usersPath(reseller),
      auditPath: `/admin/audit?${new URLSearchParams({ entity: 'reseller', id: String(reseller.id) })}`,
      notice,
      fields: withFaults({ name: { ...field, ...(isOthers && { stored: reseller.name }) } }, faults),
      ...(isStale && {
        fault:
          'Someone has renamed this Reseller since you opened the page. Your changes are not saved: check the stored values, then save again.',
      }),
    },
  }
}
