import { type Hit, type UsageEntry, usageKey } from './entry.js'

/**
 * The sum of entries, such as those of several nodes: one entry for each key, in the order of the keys. The order of the
 * input does not matter.
 */
export function mergeUsage(entries: Iterable<UsageEntry>): UsageEntry[] {
  const sums = new Map<string, UsageEntry>()
  for (const entry of entries) {
    const key = usageKey(entry)
    const known = sums.get(key)
    sums.set(key, known === undefined ? { ...entry, hits: sorted(entry.hits) } : sumOf(known, entry))
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, entry]) => entry)
}

function sumOf(one: UsageEntry, other: UsageEntry): UsageEntry {
  const hits = new Map(Object.entries(one.hits))
  for (const [fingerprint, hit] of Object.entries(other.hits)) {
    const known = hits.get(fingerprint)
    const sum = known && { calls: known.calls + hit.calls, last: later(known.last, hit.last) }
    hits.set(fingerprint, sum ?? hit)
  }
  return {
    ...one,
    calls: one.calls + other.calls,
    sampled: one.sampled + other.sampled,
    unattributed: one.unattributed + other.unattributed,
    last: later(one.last, other.last),
    hits: sorted(Object.fromEntries(hits)),
  }
}

/** The later moment. Both have the same form of ISO 8601, so they compare as texts. */
function later(one: string, other: string): string {
  return one > other ? one : other
}

function sorted(hits: UsageEntry['hits']): Record<string, Hit> {
  return Object.fromEntries(Object.entries(hits).sort(([one], [other]) => (one < other ? -1 : 1)))
}
