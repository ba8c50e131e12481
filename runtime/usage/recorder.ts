import type { Protocol } from '../contract/operation.js'
import { consumerHash } from './consumer.js'
import { ANONYMOUS, type Hit, type Ledger, OTHERS, type UsageEntry } from './entry.js'

export interface UsageOptions<Principal> {
  /** Receives the counts, at an interval and at `flushUsage`. */
  readonly ledger: Ledger
  /** The share of calls, 0 to 1, that are tried on the next version. Default: 1. */
  readonly sample?: number
  /** The consumer of a principal, such as its account. The ledger has a hash of it. Default: all are one consumer. */
  readonly consumer?: (principal: Principal) => string
  /** The key of that hash. Only a reader with the salt can tell who calls. All nodes need the same salt. */
  readonly salt?: string
  /**
   * The most counts between two records: one for each consumer of each operation over each protocol. Consumers beyond
   * it count as one, `others`, and the log says so. Default: 10,000.
   */
  readonly entries?: number
  /** Milliseconds between two records. Default: 60,000. */
  readonly intervalMs?: number
}

/** The operation and protocol that a count is for. */
export interface Counted {
  readonly operation: string
  readonly protocol: Protocol
  readonly watched: string | undefined
}

/** The outcome of a call that was tried on the next version. */
export interface Tried {
  /** The changes that break it. */
  readonly hits: ReadonlySet<string>
  /** Whether the next version refuses it for a reason that no change explains. */
  readonly isUnattributed: boolean
}

/** The counts of one entry while it grows. */
interface Count {
  readonly of: Counted
  readonly consumer: string
  calls: number
  sampled: number
  unattributed: number
  /** Seconds since the epoch. */
  last: number
  readonly hits: Map<string, { calls: number; last: number }>
}

/** Counts the calls of one version, and hands them to the ledger from time to time. */
export class UsageRecorder<Principal> {
  readonly #options: UsageOptions<Principal>
  readonly #about: { readonly api: string; readonly version: string; readonly next?: string }
  readonly #tell: (message: string, error?: unknown) => void
  readonly #bound: number
  /** Hashes of consumers that called before. */
  #hashes = new Map<string, string>()
  #counts = new Map<Counted, Map<string, Count>>()
  #size = 0
  #isFull = false
  #day = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /**
   * @param tell logs errors of the ledger and of `consumer`, and a reached bound
   * @throws Error for options that contradict each other
   */
  constructor(
    options: UsageOptions<Principal>,
    about: { readonly api: string; readonly version: string; readonly next?: string },
    tell: (message: string, error?: unknown) => void,
  ) {
    const { sample = 1, consumer, salt = '', entries = 10_000 } = options
    if (!(sample >= 0 && sample <= 1)) throw new Error(`shadow.sample is ${sample}, which is not from 0 to 1`)
    if (consumer !== undefined && salt === '')
      throw new Error('shadow.consumer needs shadow.salt: without it a hash could be guessed')
    this.#options = options
    this.#about = about
    this.#tell = tell
    this.#bound = entries
  }

  /**
   * Counts a call at a time in seconds since the epoch, and returns its consumer.
   *
   * @param isPassed whether the call counts as tried, because the next version accepts all calls of the operation
   */
  called(of: Counted, principal: Principal | undefined, now = secondsNow(), isPassed = false): string {
    const consumer = this.#consumerOf(principal)
    const count = this.#countOf(of, consumer, now)
    count.calls += 1
    if (isPassed) count.sampled += 1
    count.last = now
    return consumer
  }

  /** Adds the outcome of a tried call. */
  tried(of: Counted, consumer: string, { hits, isUnattributed }: Tried): void {
    const known = this.#counts.get(of)?.get(consumer)
    const count = known ?? this.#countOf(of, consumer, secondsNow())
    count.sampled += 1
    if (isUnattributed) count.unattributed += 1
    if (hits.size === 0) return
    const last = secondsNow()
    for (const fingerprint of hits) {
      const hit = count.hits.get(fingerprint)
      if (hit === undefined) count.hits.set(fingerprint, { calls: 1, last })
      else {
        hit.calls += 1
        hit.last = last
      }
    }
  }

  /** Hands everything counted so far to the ledger. Never rejects. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const day = new Date(this.#day * DAY * 1000).toISOString().slice(0, 10)
    const entries: UsageEntry[] = []
    for (const counts of this.#counts.values())
      for (const count of counts.values()) entries.push(this.#entryOf(count, day))
    this.#counts = new Map()
    this.#size = 0
    if (this.#isFull)
      this.#tell(`More than ${this.#bound} counts of usage: consumers beyond them count as one`)
    this.#isFull = false
    if (entries.length === 0) return
    try {
      await this.#options.ledger.record(entries)
    } catch (error) {
      this.#tell('The ledger failed, so its usage is lost', error)
    }
  }

  #consumerOf(principal: Principal | undefined): string {
    if (principal === undefined) return ANONYMOUS
    const { consumer, salt = '' } = this.#options
    if (consumer === undefined) return 'authenticated'
    let name: string
    try {
      name = consumer(principal)
    } catch (error) {
      this.#tell('shadow.consumer failed', error)
      return OTHERS
    }
    const known = this.#hashes.get(name)
    if (known !== undefined) return known
    const hash = consumerHash(salt, name)
    if (this.#hashes.size >= MOST_HASHES) this.#hashes = new Map()
    this.#hashes.set(name, hash)
    return hash
  }

  #countOf(of: Counted, caller: string, now: number): Count {
    const day = Math.floor(now / DAY)
    if (day !== this.#day) {
      if (this.#size > 0) void this.flush()
      this.#day = day
    }
    if (this.#timer === undefined) {
      this.#timer = setTimeout(() => void this.flush(), this.#options.intervalMs ?? 60_000)
      // The timer does not keep the process alive. A stopping service calls `flushUsage`.
      this.#timer.unref?.()
    }
    let counts = this.#counts.get(of)
    if (counts === undefined) {
      counts = new Map()
      this.#counts.set(of, counts)
    }
    const known = counts.get(caller)
    if (known !== undefined) return known
    const isFull = this.#size >= this.#bound
    this.#isFull ||= isFull
    const consumer = isFull ? OTHERS : caller
    const other = counts.get(consumer)
    if (other !== undefined) return other
    const count: Count = { of, consumer, calls: 0, sampled: 0, unattributed: 0, last: now, hits: new Map() }
    counts.set(consumer, count)
    this.#size += 1
    return count
  }

  #entryOf({ of, consumer, calls, sampled, unattributed, last, hits }: Count, day: string): UsageEntry {
    const { operation, protocol, watched } = of
    const told: Record<string, Hit> = {}
    for (const [fingerprint, hit] of hits) told[fingerprint] = { calls: hit.calls, last: momentOf(hit.last) }
    return {
      day,
      ...this.#about,
      ...(watched !== undefined && { watched }),
      ...{ protocol, operation, consumer, calls, sampled, unattributed },
      last: momentOf(last),
      hits: told,
    }
  }
}

/** Seconds. */
const DAY = 86_400

/** Far more than a node's concurrent callers. Another hash takes only microseconds. */
const MOST_HASHES = 10_000

export function secondsNow(): number {
  return Math.floor(Date.now() / 1000)
}

/** `2026-11-20T10:00:00Z`. */
function momentOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
}
