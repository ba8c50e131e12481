/** Documents that are valid each by itself and wrong together: exit 3, with the message as it is. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput'
}
