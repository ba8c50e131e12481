/** How far the calls of one operation came. */
export interface Exercised {
  readonly operation: string
  readonly method: string
  readonly path: string
  /** Calls over all protocols. */
  calls: number
  /** Whether a valid call succeeded. */
  isReached: boolean
  /** Why there were no calls, or no success. */
  why?: string
}
