/** What a search has cost so far. */
interface Work {
  readonly tries: number
  readonly steps: number
}

/** Tries of one run that has no time set. */
const mostTries = 1200

/** Steps of its searches for values, of which most need a few. */
const mostSteps = 40_000

/** More than tries and steps come to, but on a machine that is very slow. */
const longestMs = 10_000

/** Whether a share of the search is over, by what the process has computed, not by the clock: a busy machine finds as much. */
export function limitOf(prover: Work, timeMs: number | undefined): (share: number) => boolean {
  const start = process.cpuUsage()
  return (share) => {
    const spent = Math.max(prover.tries / mostTries, prover.steps / mostSteps)
    if (timeMs === undefined && spent > share) return true
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000 > share * (timeMs ?? longestMs)
  }
}
