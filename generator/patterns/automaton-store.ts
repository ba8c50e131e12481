import { readPairs } from './code-unit-pairs.js'
import { NotRegular, type PatternAutomaton, patternAutomaton } from './pattern-automaton.js'

interface Expression {
  readonly source: string
  readonly flags: string
}

/** The automaton of a pattern, built once per process, or the reason for having none. */
export function automatonOf(language: Expression): {
  readonly automaton?: PatternAutomaton
  readonly reason?: string
} {
  const key = `${language.flags}/${language.source}`
  const known = automata.get(key)
  if (known !== undefined) return known
  if (automata.size > 2000) automata.clear()
  const made = make(language)
  automata.set(key, made)
  return made
}

function make(language: Expression): { automaton?: PatternAutomaton; reason?: string } {
  try {
    const automaton = patternAutomaton(language.source, language.flags)
    if (!language.flags.includes('u')) readPairs(automaton.states, automaton.final)
    return { automaton }
  } catch (error) {
    if (error instanceof NotRegular) return { reason: `${error.message}: ${language.source}` }
    if (error instanceof SyntaxError) return { reason: `not a regular expression: ${language.source}` }
    throw error
  }
}

const automata = new Map<string, { readonly automaton?: PatternAutomaton; readonly reason?: string }>()
