import { ANONYMOUS, type Ending, type EndingUsage, endingUsage, OTHERS } from 'duet-runtime/usage'
import { problem } from '../problem.js'
import type { UsageSum } from '../storage/tables/usage.js'
import type { KnownUser } from '../usage/area.js'
import { type Column, choiceOf, filterOf, headingsOf, orderOf, sortChoice, sortText } from './columns.js'
import { csvOf, mostRows as mostInFile } from './csv.js'
import { protocolNames } from './protocol-names.js'
import { pageNumber, pagerOf, pageSize } from './shown.js'
import type { Area, PageResult, SignedIn } from './visit.js'

/** Who calls what, in the last days: what is deprecated first. */
export async function showUsage(area: Area, { query }: SignedIn): Promise<PageResult> {
  const { usage } = area
  const today = new Date().toISOString().slice(0, 10)
  const [{ filter, order, sums, rows, isCut }, first] = await Promise.all([
    searchUsage(area, query, mostRows),
    usage.first(),
  ])
  const endings = usage.endings.map((ending) => endingUsage(ending, { today, days: shownDays, sums, first }))
  const sort = order === undefined ? '' : sortText(order, unsorted)
  const shown = filterOf({ ...filter, sort })
  const page = pageNumber(query)
  return {
    page: 'usage',
    title: 'Usage',
    data: {
      days: shownDays,
      isOn: usage.isOn,
      isCut,
      mostRows,
      consumer: filter.consumer,
      isFiltered: Object.keys(filterOf(filter)).length > 0,
      endings: endings.map(shownEnding),
      fields: {
        version: choiceOf('version', 'Version', filter.version, [['', 'All'], ...valuesOf(sums, 'version')]),
        operation: choiceOf('operation', 'Operation', filter.operation, [
          ['', 'All'],
          ...valuesOf(sums, 'operation'),
        ]),
        protocol: choiceOf('protocol', 'Protocol', filter.protocol, [['', 'All'], ...protocolNames]),
        sort: sortChoice(columns, order ?? unsorted, unsorted, 'Deprecated first'),
      },
      headings: headingsOf(path, filterOf(filter), columns, order ?? unsorted),
      rows: rows.slice((page - 1) * pageSize, page * pageSize),
      exportPath: `${path}.csv?${new URLSearchParams(shown)}`,
      pager: pagerOf(path, shown, page, rows.length),
    },
  }
}

/**
 * All rows of the filter as CSV.
 *
 * @throws ProblemError `payload_too_large` if there are more rows than a file has, without the filter
 */
export async function exportUsage(area: Area, { query }: SignedIn): Promise<PageResult> {
  const { rows, isCut } = await searchUsage(area, query, mostInFile)
  if (isCut)
    throw problem('payload_too_large', {
      detail: `A file has at most ${mostInFile.toLocaleString('en-US')} rows, and usage has more. npm run usage:export writes all.`,
    })
  const names = ['version', 'operation', 'protocol', 'consumer', 'deprecated', 'calls', 'broken_next', 'last']
  const cells = rows.map(({ sum, consumer, isDeprecated }) => [
    sum.version,
    sum.operation,
    sum.protocol,
    consumer.text,
    isDeprecated,
    sum.calls,
    sum.broken,
    sum.last,
  ])
  return { file: { name: 'usage.csv', text: csvOf(names, cells) } }
}

const path = '/admin/usage'

type Sort = 'version' | 'operation' | 'protocol' | 'consumer' | 'calls' | 'broken' | 'last'

const columns: readonly Column<Sort | ''>[] = [
  { label: 'Version', name: 'version' },
  { label: 'Operation', name: 'operation' },
  { label: 'Protocol', name: 'protocol' },
  { label: 'Consumer', name: 'consumer' },
  { label: 'Calls', name: 'calls', isNumber: true },
  { label: 'Breaks in next version', name: 'broken', isNumber: true },
  { label: 'Last', name: 'last' },
]

/** What is deprecated first. */
const unsorted = { column: '', isDescending: false } as const

async function searchUsage({ usage }: Area, query: URLSearchParams, most: number) {
  const since = new Date(Date.now() - shownDays * 86_400_000).toISOString().slice(0, 10)
  const [found, users] = await Promise.all([usage.sums(since, most + 1), usage.users()])
  const sums = found.slice(0, most)
  const textOf = (name: string) => query.get(name) ?? ''
  const filter = {
    version: textOf('version'),
    operation: textOf('operation'),
    protocol: textOf('protocol'),
    consumer: textOf('consumer'),
  }
  const order = orderOf<Sort | ''>(query, columns, unsorted)
  const rows = sorted(sums, usage.endings)
    .filter((sum) =>
      (['version', 'operation', 'protocol'] as const).every(
        (name) => filter[name] === '' || sum[name] === filter[name],
      ),
    )
    .map((sum) => ({
      sum,
      ...sum,
      isDeprecated: isEnding(sum, usage.endings),
      protocol: protocolNames.get(sum.protocol) ?? sum.protocol,
      calls: sum.calls.toLocaleString('en-US'),
      broken: sum.broken.toLocaleString('en-US'),
      day: sum.last.slice(0, 10),
      consumer: shownConsumer(sum.consumer, users),
    }))
    .filter(({ consumer }) => consumer.text.toLowerCase().includes(filter.consumer.trim().toLowerCase()))
  if (order.column !== '') {
    const { column } = order
    const cellOf = ({ sum, consumer }: (typeof rows)[number]) =>
      column === 'consumer' ? consumer.text : sum[column as Exclude<Sort, 'consumer'>]
    rows.sort((one, other) => {
      const [a, b] = [cellOf(one), cellOf(other)]
      return (a < b ? -1 : a > b ? 1 : 0) * (order.isDescending ? -1 : 1)
    })
  }
  return {
    filter,
    order: order.column === '' ? undefined : order,
    sums,
    rows,
    isCut: found.length > most,
  }
}

function valuesOf(sums: readonly UsageSum[], name: 'version' | 'operation') {
  return [...new Set(sums.map((sum) => sum[name]))].sort().map((value) => [value, value] as const)
}

/** Days of which the pages show usage. */
export const shownDays = 30

/** More is too long to read; `npm run usage:export` has all. */
const mostRows = 1000

function shownEnding({ version, operation, sunset, text, verdict }: EndingUsage) {
  const sentence = text.charAt(0).toUpperCase() + text.slice(1)
  return { version, operation, sunset, text: sentence, isCalled: verdict === 'called' }
}

export function shownConsumer(consumer: string, users: ReadonlyMap<string, KnownUser>) {
  const user = users.get(consumer)
  if (user !== undefined) return { text: user.login, href: `/admin/users/${user.id}` }
  if (consumer === ANONYMOUS) return { text: 'Without credentials' }
  return { text: consumer === OTHERS ? 'Others together' : consumer }
}

export function isEnding(sum: UsageSum, endings: readonly Ending[]): boolean {
  return endings.some(
    ({ version, operation }) =>
      version === sum.version && (operation === undefined || operation === sum.operation),
  )
}

function sorted(sums: readonly UsageSum[], endings: readonly Ending[]): readonly UsageSum[] {
  const keyOf = (sum: UsageSum) =>
    [isEnding(sum, endings) ? 0 : 1, sum.version, sum.operation, sum.protocol, sum.consumer].join('\n')
  return sums
    .map((sum) => ({ sum, key: keyOf(sum) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ sum }) => sum)
}
