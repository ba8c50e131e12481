import type { Answer } from './answer.js'
import type { Budget } from './budget.js'
import type { Formula } from './formula.js'
import type { Formulas } from './formulas.js'
import type { WordSearch } from './word-search.js'

/** What the search within arrays and objects asks of the search for their members. */
export interface Goals {
  readonly formulas: Formulas
  readonly budget: Budget
  readonly words: WordSearch
  /** Up to `want` values that satisfy all parts. */
  models(parts: Iterable<Formula>, want: number): Answer
}
