import { ANONYMOUS, type Ending, type EndingUsage, endingUsage, OTHERS } from 'duet-runtime/usage'
import type { UsageSum } from '../storage/tables/usage.js'
import type { KnownUser } from '../usage/area.js'
import type { Area, PageResult, SignedIn } from './visit.js'

/** Who calls what, in the last days: what is deprecated first. */
export async function showUsage({ usage }: Area, _visit: SignedIn): Promise<PageResult> {
  const today = new Date().toISOString().slice(0, 10)
  const since = new Date(Date.now() - shownDays * 86_400_000).toISOString().slice(0, 10)
  const [found, first, users] = await Promise.all([
    usage.sums(since, mostRows + 1),
    usage.first(),
    usage.users(),
  ])
  const sums = found.slice(0, mostRows)
  const endings = usage.endings.map((ending) => endingUsage(ending, { today, days: shownDays, sums, first }))
  return {
    page: 'usage',
    title: 'Usage',
    data: {
      days: shownDays,
      isOn: usage.isOn,
      isCut: found.length > mostRows,
      mostRows,
      endings: endings.map(shownEnding),
      rows: sorted(sums, usage.endings).map((sum) => ({
        ...sum,
        isDeprecated: isEnding(sum, usage.endings),
        protocol: protocolNames[sum.protocol],
        calls: sum.calls.toLocaleString('en-US'),
        broken: sum.broken.toLocaleString('en-US'),
        day: sum.last.slice(0, 10),
        consumer: shownConsumer(sum.consumer, users),
      })),
    },
  }
}

/** Days of which the pages show usage. */
export const shownDays = 30

/** More is too long to read; `npm run usage:export` has all. */
const mostRows = 1000

const protocolNames = { rest: 'REST', jsonrpc: 'JSON-RPC', mcp: 'MCP' }

function shownEnding({ version, operation, sunset, text, verdict }: EndingUsage) {
  return { version, operation, sunset, text, isCalled: verdict === 'called' }
}

export function shownConsumer(consumer: string, users: ReadonlyMap<string, KnownUser>) {
  const user = users.get(consumer)
  if (user !== undefined) return { text: user.login, href: `/admin/users/${user.id}` }
  if (consumer === ANONYMOUS) return { text: 'without credentials' }
  return { text: consumer === OTHERS ? 'others together' : consumer }
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
