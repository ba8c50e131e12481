import type { Budget } from '../../patterns/budget.js'
import type { Formula } from '../formula/formula.js'
import type { Formulas } from '../formula/formulas.js'
import type { WordSearch } from '../words/word-search.js'
import type { SearchResult } from './answer.js'

/** The methods that searches within arrays and objects use to find members. */
export interface Goals {
  readonly formulas: Formulas
  readonly budget: Budget
  readonly words: WordSearch
  /** Up to `want` values that satisfy all parts. */
  models(parts: Iterable<Formula>, want: number): SearchResult
}
