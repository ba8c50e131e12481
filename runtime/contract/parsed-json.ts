export interface Json {
  readonly value: unknown
  /**
   * JSON pointers (RFC 6901) of the numbers that a double does not hold exactly, found while they are asked for: there may
   * be as many as a body has bytes for.
   */
  readonly inexact: Iterable<string>
  /** The text that it was read from, where numbers stand in it that a double may not hold. */
  readonly text?: string
  /** True: a body parser has read it, and the inexact numbers are those whose digits may be gone. */
  readonly isRounded?: boolean
}
