/** A parsed JSON text, with what its value has lost. */
export interface Json {
  readonly value: unknown
  /**
   * JSON pointers (RFC 6901) of the numbers that a double does not hold exactly. Found lazily: a body may
   * hold one for every few bytes.
   */
  readonly inexact: Iterable<string>
  /** The source text, if it has numbers that a double may not hold. */
  readonly text?: string
  /** True: a body parser has parsed it, and `inexact` lists the numbers that may have lost digits. */
  readonly isRounded?: boolean
}
