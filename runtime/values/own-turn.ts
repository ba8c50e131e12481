/**
 * Runs work that takes milliseconds, one piece per turn of the event loop and in order. A short call then
 * waits for at most one piece, however many are queued.
 */
export function inOwnTurn(work: () => void): void {
  waiting.push(work)
  if (waiting.length === 1) setImmediate(next)
}

const waiting: (() => void)[] = []

function next(): void {
  try {
    waiting[0]?.()
  } finally {
    waiting.shift()
    if (waiting.length > 0) setImmediate(next)
  }
}
