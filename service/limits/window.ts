/** How much is allowed in any stretch of time. */
export interface Policy {
  /** Name of the policy in headers and keys. */
  readonly name: string
  /** 0: no limit. */
  readonly limit: number
  /** Length of the stretch. */
  readonly seconds: number
}

/** Whether more is allowed, and how much is left. */
export interface Verdict {
  readonly allowed: boolean
  readonly remaining: number
  /** Whole seconds until more is allowed if nothing is left; else until the window ends. */
  readonly seconds: number
}

/** The counts of one window: those that nodes have shared, and this node's since then. */
export interface Window {
  /** Seconds since the epoch. */
  readonly starts: number
  /** Counts of all nodes, as last shared. */
  shared: number
  /** Counts of this node that are on their way to the database. */
  sent: number
  /** Counts of this node that are not shared yet. */
  pending: number
  /** The window is over, and all its counts are known. */
  settled: boolean
}

export function windowFrom(starts: number): Window {
  return { starts, shared: 0, sent: 0, pending: 0, settled: false }
}

export function countOf({ shared, sent, pending }: Window): number {
  return shared + sent + pending
}

/**
 * The verdict at a moment. The previous window counts for the part that lies in the stretch ending now, as if its
 * counts were spread evenly (a sliding window counter).
 * @param now seconds since the epoch, within the current window
 */
export function verdictOf(
  { limit, seconds }: Policy,
  current: Window,
  previous: Window,
  now: number,
): Verdict {
  const before = countOf(previous)
  const counted = countOf(current)
  const elapsed = now - current.starts
  const used = counted + before * (1 - elapsed / seconds)
  const remaining = Math.max(0, Math.floor(limit - used))
  if (remaining > 0) return { allowed: true, remaining, seconds: Math.ceil(seconds - elapsed) }
  return { allowed: false, remaining: 0, seconds: Math.max(1, Math.ceil(waitOf())) }

  /** Seconds until one more fits: in this window as the previous one fades, else in the next as this one does. */
  function waitOf(): number {
    const room = limit - 1 - counted
    if (before > 0 && room >= 0) return seconds * (1 - room / before) - elapsed
    return seconds - elapsed + seconds * (1 - (limit - 1) / Math.max(counted, 1))
  }
}
