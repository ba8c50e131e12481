import { Undecidable } from '../../patterns/budget.js'
import { type Formula, types } from '../formula/formula.js'
import type { Formulas } from '../formula/formulas.js'
import type { Language } from '../words/language.js'

/** The strings that satisfy a formula. Throws Undecidable if it refers to itself. */
export function keyLanguage(formulas: Formulas, formula: Formula, depth = 0): Language {
  const { languages } = formulas
  if (depth > 100) throw new Undecidable('propertyNames refers to itself')
  const of = (part: Formula): Language => keyLanguage(formulas, part, depth + 1)
  switch (formula.kind) {
    case 'type':
      return (formula.mask & types.string) === 0 ? languages.none : languages.any
    case 'all':
      return languages.and(formula.parts.map(of))
    case 'any':
      return languages.or(formula.parts.map(of))
    case 'one': {
      const parts = formula.parts.map(of)
      const exactly = parts.map((part, i) =>
        languages.and([part, ...parts.filter((_, j) => j !== i).map((other) => languages.not(other))]),
      )
      const one = languages.or(exactly)
      return formula.positive ? one : languages.not(one)
    }
    case 'value': {
      const words = languages.words([...formula.values.values()].filter((value) => typeof value === 'string'))
      return formula.positive ? words : languages.not(words)
    }
    case 'reference': {
      const language = of(formula.target.formula())
      return formula.positive ? language : languages.not(language)
    }
    case 'text':
      return formula.language
    default:
      return languages.any
  }
}
