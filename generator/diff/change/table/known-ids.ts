/** Ids by level, separated by white space. */
export interface KnownIds {
  readonly breaking: string
  readonly dangerous: string
  readonly compatible: string
}
