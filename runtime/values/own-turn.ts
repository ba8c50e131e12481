/**
 * Runs work that takes milliseconds, one piece in each turn of the event loop and in the order in which it came: what a
 * short call waits for is one of them, however many callers ask for the like at once.
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
