import { slowPattern } from '../load/slow-pattern.js'
import { automatonOf } from './automaton-store.js'
import { Undecidable } from './budget.js'
import type { Assertion, PatternAutomaton } from './pattern-automaton.js'

/**
 * The flags a pattern is run with: u, as AJV has it, or none where only that compiles, as for `^[\w-.]+$`. What
 * compiles with neither is left with u, so that whoever compiles it says why it does not.
 */
export function patternFlags(source: string): 'u' | '' {
  return compiles(source, 'u') || !compiles(source, '') ? 'u' : ''
}

/**
 * Whether a word holds a match. Throws Undecidable where the source is no expression, and where the answer may take
 * time that grows with every character.
 */
export function patternTest(source: string, flags: string): (word: string) => boolean {
  const expression = compiled(source, flags)
  if ((source.match(/[*+{|]/g) ?? []).length < 2) return (word) => expression.test(word)
  return (word) => {
    if (word.length <= shortWord) return expression.test(word)
    const { automaton } = automatonOf({ source, flags })
    if (automaton !== undefined) return simulated(automaton, word)
    if (slowPattern(source, { left: 100 })?.exponential === true)
      throw new Undecidable(`a pattern takes exponential time: ${source}`)
    return expression.test(word)
  }
}

/** How AJV is to compile patterns, given as its option `code.regExp`. It tells expressions apart by their text. */
export const regExp = Object.assign(
  (source: string): { test(word: string): boolean; toString(): string } => {
    const flags = patternFlags(source)
    new RegExp(source, flags)
    const test = patternTest(source, flags)
    return { test, toString: () => `/${source}/${flags}` }
  },
  { code: 'patternTest' },
)

/** What any expression decides at once; backtracking doubles the time with a character at worst. */
const shortWord = 16

function compiles(source: string, flags: string): boolean {
  try {
    new RegExp(source, flags)
    return true
  } catch {
    return false
  }
}

function compiled(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags)
  } catch {
    throw new Undecidable(`not a regular expression: ${source}`)
  }
}

/** What the expression says, in time that grows with the length alone: all ways at once, without backtracking. */
function simulated({ states, start, final }: PatternAutomaton, word: string): boolean {
  let positions = new Set([start])
  let before: 'start' | 'word' | 'other' = 'start'
  const free = (ahead: string | undefined): void => {
    const boundary = (before === 'word') !== (ahead !== undefined && isOfWord(ahead))
    const holds = (when: Assertion | undefined): boolean => {
      if (when === undefined) return true
      if (when === 'start') return before === 'start'
      if (when === 'end') return ahead === undefined
      return (when === 'boundary') === boundary
    }
    for (const position of positions)
      for (const { to, when } of states[position]?.free ?? []) if (holds(when)) positions.add(to)
  }
  for (const character of word) {
    free(character)
    if (positions.has(final)) return true
    const code = character.codePointAt(0) ?? 0
    const next = new Set<number>()
    for (const position of positions)
      for (const { to, characters } of states[position]?.reading ?? [])
        if (!next.has(to) && characters.some(({ min, max }) => min <= code && code <= max)) next.add(to)
    positions = next
    before = isOfWord(character) ? 'word' : 'other'
  }
  free(undefined)
  return positions.has(final)
}

function isOfWord(character: string): boolean {
  return /^\w$/.test(character)
}
