import type { Language } from './language.js'
import type { Languages } from './languages.js'
import type { WordSearch } from './word-search.js'

/** Keys that no expression of the question distinguishes. */
export interface KeyAtom {
  readonly language: Language
  /** Whether the atom is known to contain a key. Without that, nothing can be decided about it. */
  readonly sure: boolean
}

/** Every name that some language lists, or lists as an exception. */
export function namesIn(language: Language): readonly string[] {
  switch (language.kind) {
    case 'words':
      return language.words
    case 'complement':
      return namesIn(language.part)
    case 'and':
    case 'or':
      return language.parts.flatMap(namesIn)
    default:
      return []
  }
}

/** Splits a region by languages, dropping parts without keys. */
export function keyAtoms(region: Language, dividers: Iterable<Language>, search: WordSearch): KeyAtom[] {
  const { languages } = search
  let atoms = inhabited(region, search)
  for (const divider of new Set(dividers)) {
    if (divider === languages.any || divider === languages.none) continue
    atoms = atoms.flatMap(({ language }) => [
      ...inhabited(languages.and([language, divider]), search),
      ...inhabited(languages.and([language, languages.not(divider)]), search),
    ])
  }
  return atoms
}

/** The language restricted to keys that no language names: without its lists and exceptions. */
export function withoutNames(language: Language, languages: Languages): Language {
  switch (language.kind) {
    case 'words':
      return languages.none
    case 'complement':
      return languages.not(withoutNames(language.part, languages))
    case 'and':
    case 'or':
      return languages[language.kind](language.parts.map((part) => withoutNames(part, languages)))
    default:
      return language
  }
}

function inhabited(language: Language, search: WordSearch): KeyAtom[] {
  const { words, complete } = search.words(language, 1)
  if (words.length === 0 && complete) return []
  return [{ language, sure: words.length > 0 }]
}
