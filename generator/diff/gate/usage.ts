import type { Protocol, ShadowChanges } from 'duet-runtime'
import { coveredDays, spanOf, type UsageEntry, windowStart } from 'duet-runtime/usage'
import { entryOf, hasTrait } from '../change/catalogue.js'
import type { Change, ChangeUsage, Comparison } from '../change/change.js'
import { protocolNames, protocols } from '../change/protocol.js'

/** How much must have been watched before something counts as unused. */
export interface UsageFloor {
  readonly days: number
  readonly calls: number
}

export const usualFloor: UsageFloor = { days: 30, calls: 1000 }

/** A comparison with what ledgers say of each breaking and dangerous change. */
export function withUsage(comparison: Comparison, usage: Usage, floor: UsageFloor): Comparison {
  const changes = comparison.changes.map((change) =>
    change.level === 'breaking' || change.level === 'dangerous'
      ? { ...change, usage: usage.of(change, floor) }
      : change,
  )
  return { ...comparison, changes }
}

/** What ledgers say of the callers of the old version. */
export class Usage {
  readonly #signed: ReadonlySet<string>

  /**
   * @param entries of the old version
   * @param today `2026-11-21`
   */
  constructor(
    readonly comparison: Comparison,
    readonly signs: ShadowChanges | undefined,
    readonly entries: readonly UsageEntry[],
    readonly today: string,
  ) {
    const operations = Object.values(signs?.operations ?? {})
    this.#signed = new Set(operations.flatMap(({ changes }) => changes.map(({ fingerprint }) => fingerprint)))
  }

  of(change: Change, floor: UsageFloor): ChangeUsage {
    const window = { today: this.today, days: floor.days }
    const start = windowStart(window)
    const recent = this.entries.filter(({ day }) => day >= start && day <= this.today)
    const names = this.#operations(change)
    const own = recent.filter(
      ({ operation, protocol }) =>
        (names === undefined || names.has(operation)) && change.protocols.includes(protocol),
    )
    const calls = sumOf(own, 'calls')
    const tried = own.filter((entry) => this.#isTried(entry))
    const sampled = Math.min(calls, sumOf(tried, 'sampled'))
    const counts = { calls, sampled }
    const hit = own.filter(({ hits }) => Object.hasOwn(hits, change.fingerprint))
    if (hit.length > 0) return { ...used(hit, change), ...counts }
    const span = spanOf(
      this.entries.map(({ day }) => day),
      this.today,
    )
    const short = shortOf(coveredDays(span, window), sumOf(recent, 'calls'), floor)
    const nobody = { consumers: 0, hits: 0, last: null, ...counts }
    if (calls === 0)
      return short === undefined
        ? { verdict: 'unused', text: `nobody calls it: no call in ${daysText(floor.days)}`, ...nobody }
        : { verdict: 'unknown', text: `no call was recorded, but ${short}`, ...nobody }
    if (!this.#isSeen(change)) return { ...unseen(own, change), ...counts }
    const seen = counted(sampled, calls, floor.days)
    if (sampled === 0)
      return {
        verdict: 'unknown',
        text: `none of ${number(calls)} calls was tried on this version`,
        ...nobody,
      }
    const unexplained = sumOf(tried, 'unattributed')
    if (unexplained > 0) {
      const text = `not hit in ${seen}, but ${number(unexplained)} of them fail for reasons that no change explains`
      return { verdict: 'unknown', text, ...nobody }
    }
    const few = sampled < calls && sampled < floor.calls ? `only ${number(sampled)} calls were tried` : short
    if (few !== undefined) return { verdict: 'unknown', text: `not hit in ${seen}, but ${few}`, ...nobody }
    return { verdict: 'unused', text: `not hit in ${seen}`, ...nobody }
  }

  /** Names of the old version's operations that a change is about. Undefined: all. */
  #operations({ id, operations }: Change): ReadonlySet<string> | undefined {
    if (operations.length === 0) return undefined
    if (hasTrait(id, 'removal')) return new Set(operations)
    const { pairs } = this.comparison
    return new Set(
      operations.flatMap((name) => pairs.flatMap((pair) => (pair.new === name ? [pair.old] : []))),
    )
  }

  /** Whether calls were tried on this new version, and watched for the changes that there are now. */
  #isTried({ operation, next, watched }: UsageEntry): boolean {
    const known = this.signs?.operations
    if (known === undefined || next !== this.comparison.new.version) return false
    return Object.hasOwn(known, operation) && known[operation]?.watched === watched
  }

  /** Whether every call that a change breaks shows it. */
  #isSeen(change: Change): boolean {
    const { id, fingerprint, proof } = change
    if (!this.#signed.has(fingerprint)) return false
    if (change.direction !== 'request') return true
    if (hasTrait(id, 'other value') || readOtherwise.has(id)) return false
    if (entryOf(id).action?.startsWith('default-value-') === true) return true
    if (proof.status === 'verified') return proof.new.startsWith('rejects')
    return entryOf(id).refusedBy.length > 0 && !hasTrait(id, 'loss')
  }
}

/** Both versions accept the same call, and read different values from it. */
const readOtherwise: ReadonlySet<string> = new Set([
  'request-parameter-reading-changed',
  'request-body-reading-changed',
])

type Found = Omit<ChangeUsage, 'calls' | 'sampled'>

function used(hit: readonly UsageEntry[], { fingerprint }: Change): Found {
  const moments = hit.map(({ hits }) => hits[fingerprint]?.last ?? '').sort()
  const last = moments.at(-1)?.slice(0, 10) ?? ''
  const hits = hit.reduce((sum, entry) => sum + (entry.hits[fingerprint]?.calls ?? 0), 0)
  const { text, count } = consumersOf(hit)
  return {
    verdict: 'used',
    text: `hit by ${text}${over(hit)}, last on ${last}`,
    consumers: count,
    hits,
    last,
  }
}

/** Nobody can tell who depends on an answer: whoever calls the operation may. */
function unseen(own: readonly UsageEntry[], { operations }: Change): Found {
  const { text, count } = consumersOf(own)
  const [first, ...others] = operations
  const many = others.length === 0 ? first : 'its operations'
  const what = first === undefined ? 'this version' : many
  const last =
    own
      .map((entry) => entry.last)
      .sort()
      .at(-1)
      ?.slice(0, 10) ?? null
  return {
    verdict: 'used',
    text: `can't be seen in requests: ${text} ${count === 1 ? 'calls' : 'call'} ${what}${over(own)}`,
    consumers: count,
    hits: 0,
    last,
  }
}

/** `3 consumers`. Those that were counted as one are at least one more. */
function consumersOf(entries: readonly UsageEntry[]): {
  readonly text: string
  readonly count: number
} {
  const names = new Set(entries.map(({ consumer }) => consumer))
  const count = names.size
  const noun = count === 1 ? 'consumer' : 'consumers'
  return { text: `${names.has('others') ? 'at least ' : ''}${number(count)} ${noun}`, count }
}

/** ` over REST and JSON-RPC`. */
function over(entries: readonly UsageEntry[]): string {
  const found = protocols.filter((protocol: Protocol) => entries.some((entry) => entry.protocol === protocol))
  return ` over ${found.map((protocol) => protocolNames[protocol]).join(' and ')}`
}

/** Why so many days and calls are too few to say that something is unused. */
function shortOf(covered: number, all: number, { days, calls }: UsageFloor): string | undefined {
  if (covered < days) return `the record covers only ${covered} of the ${daysText(days)} needed`
  return all < calls ? `the record has only ${number(all)} of the ${number(calls)} calls needed` : undefined
}

/** `412,000 calls of 30 days, all of them sampled`, or `4,000 of 412,000 calls of 30 days`. */
function counted(sampled: number, calls: number, days: number): string {
  if (sampled === calls) return `${number(calls)} calls of ${daysText(days)}, all of them sampled`
  return `${number(sampled)} of ${number(calls)} calls of ${daysText(days)}`
}

function sumOf(entries: readonly UsageEntry[], name: 'calls' | 'sampled' | 'unattributed'): number {
  return entries.reduce((sum, entry) => sum + entry[name], 0)
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${number(days)} days`
}
