/** Documents that are valid each by itself and wrong together, or schemas that can't be read: exit 3, with the message as it is. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput'

  /** @param isWriter whether the command would have written files; it has not */
  constructor(
    message: string,
    readonly isWriter = true,
  ) {
    super(message)
  }
}
