import type { Formula } from '../formula/formula.js'
import type { Language } from '../words/language.js'
import type { WordSearch } from '../words/word-search.js'
import { type SearchResult, undecided } from './answer.js'

/** Strings in all of the languages that are not excluded. */
export function solveStrings(literals: Iterable<Formula>, want: number, search: WordSearch): SearchResult {
  const { languages } = search
  const parts: Language[] = []
  for (const literal of literals) {
    if (literal.kind === 'text') parts.push(literal.language)
    else if (literal.kind === 'value' && !literal.positive)
      parts.push(
        languages.not(
          languages.words([...literal.values.values()].filter((value) => typeof value === 'string')),
        ),
      )
  }
  const { words, complete, reason } = search.words(languages.and(parts), want)
  return words.length === 0 && !complete ? undecided(reason) : { values: words, complete }
}
