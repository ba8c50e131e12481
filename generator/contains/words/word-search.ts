import { automatonOf } from '../../patterns/automaton-store.js'
import type { Budget } from '../../patterns/budget.js'
import { formatDefinition } from './format.js'
import { codePoints, type Language } from './language.js'
import type { Languages } from './languages.js'
import { LongWords } from './long-words.js'
import { Walk } from './word-walk.js'
import type { Words } from './words.js'

/** Finds words of a language, shortest first, or proves that there are none. */
export class WordSearch {
  readonly #known = new Map<number, { readonly count: number; readonly found: Words }>()

  constructor(
    readonly languages: Languages,
    readonly budget: () => Budget,
  ) {}

  /** Up to `count` words. No words and not complete means undecided, and `reason` explains why. */
  words(language: Language, count: number): Words {
    if (language.kind === 'words')
      return { words: language.words.slice(0, count), complete: language.words.length <= count }
    const known = this.#known.get(language.id)
    if (known !== undefined && (known.count >= count || known.found.complete))
      return {
        words: known.found.words.slice(0, count),
        complete: known.found.complete && known.found.words.length <= count,
        ...(known.found.reason === undefined ? {} : { reason: known.found.reason }),
      }
    const found =
      language.kind === 'or' ? this.#union(language.parts, count) : this.#search(language, Math.max(count, 2))
    this.#known.set(language.id, { count: Math.max(count, 2), found })
    return this.words(language, count)
  }

  #union(parts: readonly Language[], count: number): Words {
    const each = parts.map((part) => this.words(part, Math.max(count, 2)))
    const words = [...new Set(each.flatMap((one) => one.words))]
    const reason = each.find((one) => one.reason !== undefined)?.reason
    return { words, complete: each.every((one) => one.complete), ...(reason === undefined ? {} : { reason }) }
  }

  #search(language: Language, count: number): Words {
    const opaque = this.#opaque(language)
    if (opaque === undefined) return this.#regular(language, count)
    const over = this.#regular(this.#approximate(language, true), count)
    if (over.words.length === 0) return over
    const under = this.#regular(this.#approximate(language, false), count)
    const pool = new Set([...under.words, ...over.words, ...samplesOf(language), ...common])
    const words = [...pool].filter((word) => this.languages.test(language, word)).slice(0, count)
    return { words, complete: false, reason: opaque }
  }

  /** Why no automaton expresses a language exactly. Undefined if one does. */
  #opaque(language: Language): string | undefined {
    switch (language.kind) {
      case 'format': {
        const definition = formatDefinition(language.name)
        if (definition === undefined || definition.under(this.languages) === definition.over(this.languages))
          return undefined
        return `no automaton expresses the format ${language.name}`
      }
      case 'pattern':
        return automatonOf(language).reason
      case 'complement':
        return this.#opaque(language.part)
      case 'and':
      case 'or':
        return language.parts.map((part) => this.#opaque(part)).find((reason) => reason !== undefined)
      default:
        return undefined
    }
  }

  /** A regular language that includes it (`over`) or is included in it. Exact if possible. */
  #approximate(language: Language, over: boolean): Language {
    const { languages } = this
    switch (language.kind) {
      case 'format': {
        const definition = formatDefinition(language.name)
        return definition === undefined ? languages.any : definition[over ? 'over' : 'under'](languages)
      }
      case 'pattern':
        if (automatonOf(language).reason === undefined) return language
        return over ? languages.any : languages.none
      case 'complement':
        return languages.not(this.#approximate(language.part, !over))
      case 'and':
      case 'or':
        return languages[language.kind](language.parts.map((part) => this.#approximate(part, over)))
      default:
        return language
    }
  }

  #regular(given: Language, count: number): Words {
    const language = this.#approximate(given, true)
    if (language.kind === 'words')
      return { words: language.words.slice(0, count), complete: language.words.length <= count }
    const [min, max, rest] = lengthsApart(language, this.languages)
    if (Math.max(min, Number.isFinite(max) ? max : 0) > counted && rest.kind !== 'words') {
      const long = new LongWords(new Walk(this.languages, rest, this.budget()), this.budget()).between(
        min,
        max,
      )
      const fitting = long?.words.filter((word) => this.languages.test(language, word))
      if (long !== undefined && fitting?.length === long.words.length) return long
    }
    if (rest !== language && rest !== this.languages.any && rest.kind !== 'words') {
      // Lengths rarely matter, and without them the search space is smaller.
      const walk = new Walk(this.languages, rest, this.budget())
      const free = walk.find(count)
      if (free.complete && free.words.length === 0) return free
      const { shortest, longest } = walk.lengths()
      if (longest < min || shortest > max) return { words: [], complete: true }
      const fitting = free.words.filter((word) => codePoints(word) >= min && codePoints(word) <= max)
      if (fitting.length >= count) return { words: fitting, complete: false }
    }
    return new Walk(this.languages, language, this.budget()).find(count)
  }
}

const common = [
  '',
  'a',
  'A',
  '0',
  '1',
  'aa',
  'ab',
  'abc',
  'test',
  ' ',
  '-',
  '_',
  'a1',
  'A1',
  'Aa1!Aa1!',
  'Passw0rd!',
]

function samplesOf(language: Language): readonly string[] {
  switch (language.kind) {
    case 'format':
      return formatDefinition(language.name)?.samples ?? []
    case 'words':
      return language.words
    case 'complement':
      return samplesOf(language.part)
    case 'and':
    case 'or':
      return language.parts.flatMap(samplesOf)
    default:
      return []
  }
}

/** Lengths up to here are states of the search. Greater lengths are examined separately. */
const counted = 100

/** The bounds on a language's lengths, and the language without them. */
function lengthsApart(language: Language, languages: Languages): [number, number, Language] {
  if (language.kind === 'length') return [language.min, language.max, languages.any]
  const parts = language.kind === 'and' ? language.parts : []
  const length = parts.find((part) => part.kind === 'length')
  if (length?.kind !== 'length') return [0, Number.POSITIVE_INFINITY, language]
  return [length.min, length.max, languages.and(parts.filter((part) => part !== length))]
}
