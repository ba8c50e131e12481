/** The cost of a search so far. */
interface Work {
  readonly tries: number
  readonly steps: number
}

/** The tries of a run without a time limit. */
const mostTries = 1200

/** The steps of its searches for values. Most searches need only a few. */
const mostSteps = 40_000

/** More than tries and steps take, except on a very slow machine. */
const longestMs = 10_000

/**
 * Whether a share of the search is used up. It counts the work of the process, not wall-clock time, so that a busy
 * machine finds as much.
 */
export function limitOf(prover: Work, timeMs: number | undefined): (share: number) => boolean {
  const start = process.cpuUsage()
  return (share) => {
    const spent = Math.max(prover.tries / mostTries, prover.steps / mostSteps)
    if (timeMs === undefined && spent > share) return true
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000 > share * (timeMs ?? longestMs)
  }
}
