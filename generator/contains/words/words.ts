/** Distinct words of a language. `complete`: there are no others. */
export interface Words {
  readonly words: readonly string[]
  readonly complete: boolean
  readonly reason?: string
}
