/**
 * Documents that are valid alone but contradict each other, or unreadable schemas: exit code 3, with the
 * message unchanged.
 */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput'

  /** @param isWriter whether the command would have written files, which it has not */
  constructor(
    message: string,
    readonly isWriter = true,
  ) {
    super(message)
  }
}
