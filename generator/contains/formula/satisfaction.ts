import { Undecidable } from '../../patterns/budget.js'
import { fingerprint } from '../../schema/canonical.js'
import { compare, fromNumber, isMultiple } from '../values/rational.js'
import type { Json } from '../values/value.js'
import type { Languages } from '../words/languages.js'
import { concern, type Formula, typeOf } from './formula.js'

/** Whether a value satisfies a formula. Throws Undecidable if a reference leads back to itself on the same value. */
export function satisfies(languages: Languages, formula: Formula, value: Json, depth = 0): boolean {
  if (depth > 2000) throw new Undecidable('a reference leads back to itself')
  const holds = (part: Formula, on: Json): boolean => satisfies(languages, part, on, depth + 1)
  const about = concern(formula)
  if (about !== undefined && about !== typeOf(value)) return true
  switch (formula.kind) {
    case 'type':
      return (formula.mask & typeOf(value)) !== 0
    case 'all':
      return formula.parts.every((part) => holds(part, value))
    case 'any':
      return formula.parts.some((part) => holds(part, value))
    case 'one':
      return (formula.parts.filter((part) => holds(part, value)).length === 1) === formula.positive
    case 'reference':
      return holds(formula.target.formula(), value) === formula.positive
    case 'value':
      return formula.values.has(fingerprint(value)) === formula.positive
  }
  if (typeof value === 'number') return numberSatisfies(formula, value)
  if (typeof value === 'string') return formula.kind !== 'text' || languages.test(formula.language, value)
  if (Array.isArray(value)) return arraySatisfies(formula, value, holds)
  return objectSatisfies(languages, formula, value, holds)
}

function numberSatisfies(formula: Formula, value: number): boolean {
  const exact = fromNumber(value)
  if (formula.kind === 'multiple') return isMultiple(exact, formula.of) === formula.positive
  if (formula.kind !== 'bound') return true
  const order = compare(exact, formula.value)
  if (order === 0) return !formula.open
  return formula.side === 'min' ? order > 0 : order < 0
}

type Holds = (part: Formula, on: Json) => boolean

function arraySatisfies(formula: Formula, value: readonly Json[], holds: Holds): boolean {
  switch (formula.kind) {
    case 'items-size':
      return value.length >= formula.min && value.length <= formula.max
    case 'unique':
      return (new Set(value.map(fingerprint)).size === value.length) === formula.positive
    case 'every':
      return value.slice(formula.from, formula.to).every((item) => holds(formula.part, item))
    case 'some':
      return value.slice(formula.from, formula.to).some((item) => holds(formula.part, item))
    case 'count': {
      const count = value.filter((item) => holds(formula.part, item)).length
      return formula.bound === 'least' ? count >= formula.count : count <= formula.count
    }
    default:
      return true
  }
}

function objectSatisfies(languages: Languages, formula: Formula, value: Json, holds: Holds): boolean {
  const entries: [string, Json][] = Object.entries(value ?? {})
  switch (formula.kind) {
    case 'size':
      return entries.length >= formula.min && entries.length <= formula.max
    case 'every-key':
      return entries.every(
        ([key, member]) => !languages.test(formula.keys, key) || holds(formula.part, member),
      )
    case 'some-key':
      return entries.some(([key, member]) => languages.test(formula.keys, key) && holds(formula.part, member))
    default:
      return true
  }
}
