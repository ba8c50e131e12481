/** What a command's exit code says (DESIGN, Command line). */
export const exitCode = {
  fine: 0,
  /** A check or gate failed, or something that is no fault of the input. */
  failed: 1,
  usage: 2,
  invalidInput: 3,
} as const
