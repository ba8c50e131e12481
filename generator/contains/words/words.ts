/** Words of a language, without repetition. `complete`: there are no others. */
export interface Words {
  readonly words: readonly string[]
  readonly complete: boolean
  readonly reason?: string
}
