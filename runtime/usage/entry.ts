import type { Protocol } from '../contract/operation.js'

/** Calls of one consumer to one operation, over one protocol, on one day. It contains no value of any call. */
export interface UsageEntry {
  /** By UTC: `2026-11-20`. */
  readonly day: string
  /** The title of the document. */
  readonly api: string
  readonly version: string
  /** The version that calls were tried on. Absent: none. */
  readonly next?: string
  /** A hash of the changes that this operation was watched for. Entries with another hash watched for other changes. */
  readonly watched?: string
  readonly protocol: Protocol
  readonly operation: string
  /**
   * A hash of the consumer, `anonymous`, `others` for all beyond the bound, or `authenticated` if callers are not told
   * apart.
   */
  readonly consumer: string
  /** Calls whose params the version accepted. */
  readonly calls: number
  /** Calls that were tried on the next version. */
  readonly sampled: number
  /** Calls that the next version refused for a reason that no change explains. */
  readonly unattributed: number
  /** The moment of the last call, by UTC: `2026-11-20T10:00:00Z`. */
  readonly last: string
  /** The calls that each change breaks, by its fingerprint. */
  readonly hits: Readonly<Record<string, Hit>>
}

export interface Hit {
  readonly calls: number
  readonly last: string
}

/** Stores entries, for example in a file or a database. */
export interface Ledger {
  /** Receives the counts since the last time. `mergeUsage` adds up entries with the same key. */
  record(entries: readonly UsageEntry[]): void | Promise<void>
}

/** The consumer of entries that count all consumers beyond the bound. */
export const OTHERS = 'others'

/** The consumer of calls without credentials. */
export const ANONYMOUS = 'anonymous'

/** The key of an entry. Counts of entries with the same key add up. */
export function usageKey({
  day,
  api,
  version,
  next,
  watched,
  protocol,
  operation,
  consumer,
}: Omit<UsageEntry, 'calls' | 'sampled' | 'unattributed' | 'last' | 'hits'>): string {
  return JSON.stringify([day, api, version, next ?? null, watched ?? null, operation, protocol, consumer])
}
