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

/** Why a share of the search is used up. Undefined if it is not. Shares grow. */
export type Limit = (share: number) => string | undefined

/**
 * The limit of a run. It counts the work of the process, not wall-clock time, so that a busy machine finds as much. A
 * search that exceeds one share takes nothing from the next.
 */
export function limitOf(prover: Work, timeMs: number | undefined): Limit {
  const start = process.cpuUsage()
  let before = 0
  let excess = 0
  return (share) => {
    const spent = Math.max(prover.tries / mostTries, prover.steps / mostSteps)
    if (share > before) {
      excess = Math.max(0, spent - before)
      before = share
    }
    if (timeMs === undefined && spent - excess > share) return ofTries
    const { user, system } = process.cpuUsage(start)
    const isLate = (user + system) / 1000 > share * (timeMs ?? longestMs)
    return isLate ? (timeMs === undefined ? ofTries : ofTime) : undefined
  }
}

const ofTries = 'the limit of tries is reached; --proof-time SECONDS sets a time limit instead'
const ofTime = 'the time of --proof-time is used up'
