/** The command line or the configuration is wrong: exit code 2, with the message unchanged. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
