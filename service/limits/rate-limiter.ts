import type { RateCounts } from '../storage/tables/rate-counts.js'
import { countOf, type Policy, type Verdict, verdictOf, type Window, windowFrom } from './window.js'

/**
 * Counts by policy and subject. Each node decides alone and at once. Every second the nodes exchange their counts
 * through the database. So several nodes exceed the limit by at most what each accepts in a second. While the database
 * is away, each node uses its own counts.
 */
export interface RateLimiter {
  /** Counts a whole amount, by default 1, unless the limit is reached. The last amount may exceed it. */
  take(policy: Policy, subject: string, amount?: number): Verdict
  /** Whether more is allowed, without counting. */
  look(policy: Policy, subject: string): Verdict
  /** Removes one from the count. */
  giveBack(policy: Policy, subject: string): void
  /** Exchanges counts with the other nodes. Never rejects. */
  share(): Promise<void>
  /** Shares for the last time. */
  stop(): Promise<void>
}

export interface RateLimiterOptions {
  /** Where nodes exchange counts. Undefined: there is one node. */
  readonly counts?: RateCounts | undefined
  /** Milliseconds since the epoch; for tests. */
  readonly now?: () => number
  readonly onError?: (error: unknown) => void
}

/** How often nodes share. */
const shareMs = 1_000
const forgetMs = 60_000
/** Seconds after the end of a window by which every node has shared its counts. */
const settledSeconds = (2 * shareMs) / 1_000
/** Most subjects in memory. Beyond it, the least recently counted one is dropped. */
const mostSubjects = 100_000

export function createRateLimiter({ counts, now = Date.now, onError }: RateLimiterOptions = {}): RateLimiter {
  const subjects = new Map<string, Counted>()
  let sharing: Promise<void> | undefined
  let forgotten = now()

  const entryOf = (policy: Policy, subject: string): Counted => {
    const key = `${policy.name}:${subject}`
    const starts = Math.floor(now() / 1000 / policy.seconds) * policy.seconds
    let counted = subjects.get(key)
    if (counted === undefined) {
      if (subjects.size >= mostSubjects) subjects.delete(subjects.keys().next().value ?? '')
      counted = {
        key,
        seconds: policy.seconds,
        current: windowFrom(starts),
        previous: windowFrom(starts - policy.seconds),
      }
      subjects.set(key, counted)
    } else if (counted.current.starts !== starts) {
      const before = starts - policy.seconds
      counted.previous = counted.current.starts === before ? counted.current : windowFrom(before)
      counted.current = windowFrom(starts)
      subjects.delete(key)
      subjects.set(key, counted)
    }
    return counted
  }
  const look = (policy: Policy, subject: string): Verdict => {
    if (policy.limit === 0) return unlimited
    // A look at a new subject must not add an entry.
    if (!subjects.has(`${policy.name}:${subject}`)) {
      return { allowed: true, remaining: policy.limit, seconds: policy.seconds }
    }
    const { current, previous } = entryOf(policy, subject)
    return verdictOf(policy, current, previous, now() / 1000)
  }
  const shareOnce = async () => {
    removeOver(subjects, now() / 1000)
    if (counts === undefined) return
    const pending = [...subjects.values()].flatMap(takePending)
    try {
      const answers = await counts.add(
        pending.map(({ counted: { key, seconds }, window: { starts, sent } }) => ({
          key,
          starts,
          ends: starts + seconds,
          amount: sent,
        })),
      )
      const shared = new Map(answers.map(({ key, starts, amount }) => [`${key}@${starts}`, amount]))
      for (const { counted, window } of pending) {
        window.shared = shared.get(`${counted.key}@${window.starts}`) ?? window.shared + window.sent
        window.sent = 0
        window.settled = now() / 1000 > window.starts + counted.seconds + settledSeconds
      }
      if (now() - forgotten > forgetMs) {
        forgotten = now()
        await counts.forget(now() / 1000 - longestSeconds)
      }
    } catch (error) {
      for (const { window } of pending) {
        window.pending += window.sent
        window.sent = 0
      }
      onError?.(error)
    }
  }
  const share = () => {
    sharing ??= shareOnce().finally(() => {
      sharing = undefined
    })
    return sharing
  }
  const timer = setInterval(share, shareMs).unref()
  return {
    take(policy, subject, amount = 1) {
      const verdict = look(policy, subject)
      if (!verdict.allowed || policy.limit === 0) return verdict
      entryOf(policy, subject).current.pending += amount
      return { ...verdict, remaining: Math.max(0, verdict.remaining - amount) }
    },
    look,
    giveBack(policy, subject) {
      if (policy.limit === 0) return
      const { current } = entryOf(policy, subject)
      if (countOf(current) > 0) current.pending -= 1
    },
    share,
    async stop() {
      clearInterval(timer)
      await share()
    },
  }
}

const unlimited: Verdict = { allowed: true, remaining: Number.POSITIVE_INFINITY, seconds: 0 }

/** No policy has a longer window. */
const longestSeconds = 3_600

interface Counted {
  readonly key: string
  readonly seconds: number
  current: Window
  previous: Window
}

function removeOver(subjects: Map<string, Counted>, now: number): void {
  for (const [key, { current, seconds }] of subjects) {
    if (current.starts + 2 * seconds < now) subjects.delete(key)
  }
}

/**
 * The counts that this node has not shared. Includes the previous window until it is settled, since other nodes may
 * have counts in it that this one needs.
 */
function takePending(counted: Counted): { counted: Counted; window: Window }[] {
  const { current, previous } = counted
  const windows: Window[] = []
  if (current.pending !== 0) windows.push(current)
  if (previous.pending !== 0 || (current.pending !== 0 && !previous.settled)) windows.push(previous)
  return windows.map((window) => {
    window.sent = window.pending
    window.pending = 0
    return { counted, window }
  })
}
