/** The command line or the configuration is wrong: exit 2, with the message as it is. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
