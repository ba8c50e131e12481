/** Steps for the patterns of one call's params, in addition to a number per tested character. */
const FREE_STEPS = 1_000_000

let left = Number.POSITIVE_INFINITY
let isCounting = false

/**
 * Runs work in which all slow patterns share one budget of steps, so that many texts cost no more than one.
 * Outside of it each text has its own budget.
 */
export function countingSteps<Result>(work: () => Result): Result {
  left = FREE_STEPS
  isCounting = true
  try {
    return work()
  } finally {
    isCounting = false
  }
}

/** How many of `most` steps a text may still use. Each of its characters adds steps to the budget. */
export function stepsFor(text: string, most: number, perCharacter: number): number {
  if (!isCounting) return most
  left += text.length * perCharacter
  return Math.min(most, left)
}

/**
 * Subtracts the cost of a text; if it was given up, empties the budget. A text that was undecided once then
 * stays undecided, even when other texts have added to the budget.
 */
export function spend(steps: number, isGivenUp: boolean): void {
  left = isGivenUp ? Number.NEGATIVE_INFINITY : left - steps
}
