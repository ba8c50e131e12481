/** A server that cannot be tested. The message is one line that says what answered, and what to do. */
export class InvalidTarget extends Error {
  override readonly name = 'InvalidTarget'
}
