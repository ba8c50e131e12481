import type { DatabaseHealth, Overview } from '../../usage/overview.js'
import { choiceOf } from '../columns.js'
import { shownTime } from '../shown.js'
import { isEnding, shownConsumer, shownDays } from '../usage.js'
import type { Area, PageResult, SignedIn } from '../visit.js'
import { protocols, ranges, shownCalls, stepsOf } from './calls.js'

/** The first page: for administrators how the service does, for others their own settings. */
export async function showHome(area: Area, visit: SignedIn): Promise<PageResult> {
  const { isAdmin, user, query, timezone } = visit
  if (!isAdmin) return { to: `/admin/users/${user.id}` }
  const { overview } = area
  const now = Date.now() / 1000
  const range = ranges.find(({ name }) => name === query.get('range')) ?? ranges[1]
  const protocol = protocols.has(query.get('protocol') ?? '') ? query.get('protocol') : ''
  const operation = overview.operations.find((name) => name === query.get('operation')) ?? ''
  const [counts, nodes, database, deprecated] = await Promise.all([
    overview.calls(stepsOf(range, now)[0] ?? 0, range.step),
    overview.nodes(),
    overview.database(),
    deprecatedCalls(area),
  ])
  const chosen = counts.filter(
    (count) =>
      (protocol === '' || count.protocol === protocol) && (operation === '' || count.operation === operation),
  )
  return {
    page: 'home',
    title: 'Home',
    data: {
      timezone,
      range,
      isFiltered: protocol !== '' || operation !== '',
      fields: {
        range: choiceOf(
          'range',
          'Last',
          range.name,
          ranges.map(({ name, label }) => [name, label]),
        ),
        protocol: choiceOf('protocol', 'Protocol', protocol ?? '', [
          ['', 'All protocols'],
          ...[...protocols].map(([value, { name }]) => [value, name] as const),
        ]),
        operation: choiceOf('operation', 'Operation', operation, [
          ['', 'All operations'],
          ...overview.operations.map((name) => [name, name] as const),
        ]),
      },
      ...shownCalls(chosen, range, { now, timezone }),
      deprecated,
      nodes: nodes.map((node) => shownNode(node, timezone)),
      database: shownDatabase(database),
    },
  }
}

/** Calls of deprecated operations and versions by consumer, the most first. */
async function deprecatedCalls({ usage }: Area) {
  const since = new Date(Date.now() - shownDays * 86_400_000).toISOString().slice(0, 10)
  const [found, users] = await Promise.all([usage.sums(since, mostSums), usage.users()])
  const sums = found.filter((sum) => isEnding(sum, usage.endings))
  return {
    days: shownDays,
    isOn: usage.isOn,
    rows: [...sums]
      .sort((one, other) => other.calls - one.calls)
      .slice(0, mostConsumers)
      .map(({ version, operation, protocol, consumer, calls, last }) => ({
        version,
        operation,
        protocol: protocols.get(protocol)?.name ?? protocol,
        consumer: shownConsumer(consumer, users),
        calls: calls.toLocaleString('en-US'),
        day: last.slice(0, 10),
      })),
    more: Math.max(0, sums.length - mostConsumers),
  }
}

const mostSums = 1000
const mostConsumers = 10

function shownNode(node: Awaited<ReturnType<Overview['nodes']>>[number], timezone: string) {
  const { name, startedAt, seenSeconds, inFlight, lagMs, memoryMb } = node
  return {
    name,
    isHere: seenSeconds === 0,
    isLate: seenSeconds > lateSeconds,
    seen: seenSeconds === 0 ? 'Now' : `${seenSeconds} s ago`,
    startedAt: shownTime(startedAt, timezone),
    inFlight,
    lag: `${Math.round(lagMs)} ms`,
    memory: `${Math.round(memoryMb)} MB`,
  }
}

/** A node reports each minute. */
const lateSeconds = 150

function shownDatabase({ ms, version, bytes, pool }: DatabaseHealth) {
  return {
    kind: pool === undefined ? 'embedded' : 'server',
    version,
    ms: ms < 10 ? ms.toFixed(1) : String(Math.round(ms)),
    isSlow: ms > 250,
    size: `${(bytes / 2 ** 20).toFixed(bytes < 2 ** 30 ? 1 : 0)} MB`,
    ...(pool && { pool: { ...pool, busy: pool.total - pool.idle } }),
  }
}
