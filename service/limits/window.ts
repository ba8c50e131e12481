/** How much of something there may be in any stretch of time. */
export interface Policy {
  /** Name of the policy in headers and keys. */
  readonly name: string
  /** 0: no limit. */
  readonly limit: number
  /** Length of the stretch. */
  readonly seconds: number
}

/** Whether there may be more, and what is left. */
export interface Verdict {
  readonly allowed: boolean
  readonly remaining: number
  /** Whole seconds until there may be more, where nothing is left; else until the window ends. */
  readonly seconds: number
}

/** What is counted in one window: by all nodes as far as they have told, and here since then. */
export interface Window {
  /** Seconds since the epoch. */
  readonly starts: number
  /** Of all nodes. */
  shared: number
  /** On the way to the others. */
  sent: number
  /** Not told to the others yet. */
  pending: number
  /** It is over, and all that was counted in it is known. */
  settled: boolean
}

export function windowFrom(starts: number): Window {
  return { starts, shared: 0, sent: 0, pending: 0, settled: false }
}

export function countOf({ shared, sent, pending }: Window): number {
  return shared + sent + pending
}

/**
 * The verdict at a moment: the window before counts as far as it still reaches into the stretch that ends now, as
 * if its counts lay evenly in it.
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

  /** Until one more fits: in this window as the one before goes by, else in the next as this one does. */
  function waitOf(): number {
    const room = limit - 1 - counted
    if (before > 0 && room >= 0) return seconds * (1 - room / before) - elapsed
    return seconds - elapsed + seconds * (1 - (limit - 1) / Math.max(counted, 1))
  }
}
