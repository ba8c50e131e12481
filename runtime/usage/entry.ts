import type { Protocol } from '../contract/operation.js'

/** Calls of one consumer to one operation, over one protocol, on one day. It holds no value of any call. */
export interface UsageEntry {
  /** By UTC: `2026-11-20`. */
  readonly day: string
  /** The title of the document. */
  readonly api: string
  readonly version: string
  /** The version that calls were tried on. Absent: none. */
  readonly next?: string
  /** Stands for the changes that were looked for in this operation: entries with another one looked for others. */
  readonly watched?: string
  readonly protocol: Protocol
  readonly operation: string
  /** A hash of who calls, `anonymous`, or `others` for all that are too many to tell apart. */
  readonly consumer: string
  /** Calls whose params the version accepted. */
  readonly calls: number
  /** Calls that were tried on the next version. */
  readonly sampled: number
  /** Calls that it refused for a reason that no change explains. */
  readonly unattributed: number
  /** When the last call came, by UTC: `2026-11-20T10:00:00Z`. */
  readonly last: string
  /** By fingerprint of the change, the calls that it breaks. */
  readonly hits: Readonly<Record<string, Hit>>
}

export interface Hit {
  readonly calls: number
  readonly last: string
}

/** Keeps entries: in a file, a database, or wherever the team looks for them. */
export interface Ledger {
  /** Receives what was counted since the last time. Entries of the same calls add up (`mergeUsage`). */
  record(entries: readonly UsageEntry[]): void | Promise<void>
}

/** The consumer of entries that stand for all consumers beyond the bound. */
export const OTHERS = 'others'

/** The consumer of calls without credentials. */
export const ANONYMOUS = 'anonymous'

/** What distinguishes entries: those with the same key are about the same calls. */
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
