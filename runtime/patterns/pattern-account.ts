/** Steps that the patterns of one call's params may take, beside so many for each character that they are tried on. */
const FREE_STEPS = 1_000_000
export const STEPS_PER_CHARACTER = 100

let left = Number.POSITIVE_INFINITY
let isCounting = false

/**
 * Does work in which all patterns that may take long share an account of steps, so that many texts cost no more than one. Outside of
 * it each text counts by itself.
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

/** How many steps a text may take that could take `most` by itself. */
export function stepsFor(text: string, most: number): number {
  if (!isCounting) return most
  left += text.length * STEPS_PER_CHARACTER
  return Math.min(most, left)
}

/**
 * Takes what a text has cost, or all that there is where it was given up: what was not decided once is not decided later,
 * when others have added to the account.
 */
export function spend(steps: number, isGivenUp: boolean): void {
  left = isGivenUp ? Number.NEGATIVE_INFINITY : left - steps
}
