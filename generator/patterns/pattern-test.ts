import { type TextCheck, textCheck } from 'duet-runtime/validation'
import { Undecidable } from './budget.js'
import { linearForm } from './linear-pattern.js'
import { matchesQuickly, patternMatches } from './pattern-match.js'
import { slowPattern } from './slow-pattern.js'

/**
 * The flags of a pattern: u, as in AJV, or none if only that compiles, as for `^[\w-.]+$`. A pattern that
 * compiles with neither gets u, so that compiling it reports the error.
 */
export function patternFlags(source: string): 'u' | '' {
  return compiles(source, 'u') || !compiles(source, '') ? 'u' : ''
}

/**
 * Whether a word contains a match. Throws Undecidable if the source is invalid, or if it may need more than
 * linear time.
 */
export function patternTest(source: string, flags: string): (word: string) => boolean {
  const expression = compiled(source, flags)
  let linear: TextCheck | undefined
  return (word) => {
    if (matchesQuickly(source, word.length)) return expression.test(word)
    const form = linearForm(source, flags)
    if (form !== undefined) {
      linear ??= textCheck({ every: [form] })
      return linear.test(word)
    }
    const endless = () => new Undecidable(`a pattern takes exponential time: ${source}`)
    if (slowPattern(source, { left: 100 })?.exponential === true) throw endless()
    const found = patternMatches(source, word)
    if (found === undefined) throw endless()
    return found
  }
}

/** How AJV compiles patterns: its option `code.regExp`. AJV distinguishes expressions by their text. */
export const regExp = Object.assign(
  (source: string): { test(word: string): boolean; toString(): string } => {
    const flags = patternFlags(source)
    new RegExp(source, flags)
    const test = patternTest(source, flags)
    return { test, toString: () => `/${source}/${flags}` }
  },
  { code: 'patternTest' },
)

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
