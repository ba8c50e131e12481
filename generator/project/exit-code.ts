/** The exit codes of commands (DESIGN, Command line). */
export const exitCode = {
  fine: 0,
  /** A check or gate failed, or there is an error that the input did not cause. */
  failed: 1,
  usage: 2,
  invalidInput: 3,
} as const
