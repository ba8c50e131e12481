import type { Formula, Target } from '../formula/formula.js'

/**
 * Whether a formula, or one that it leads to, refers to itself on the same value. Such a formula has no
 * meaning, and a validator may never return.
 */
export function isEndless(formula: Formula): boolean {
  const starts = new Set([formula])
  const passed = new Set<Formula>()
  for (const start of starts) if (circles(start, starts, passed)) return true
  for (const one of passed) ending.add(one)
  return false
}

/** Formulas without such a cycle, including all that they lead to on the same value and on its members. */
const ending = new WeakSet<Formula>()

/** Whether a path leads back to a reference on the same value. Adds conditions on members to `starts`. */
function circles(start: Formula, starts: Set<Formula>, passed: Set<Formula>): boolean {
  const open = new Set<Target>()
  const visit = (formula: Formula): boolean => {
    if (passed.has(formula) || ending.has(formula)) return false
    switch (formula.kind) {
      case 'all':
      case 'any':
      case 'one':
        if (formula.parts.some(visit)) return true
        break
      case 'reference':
        if (open.has(formula.target)) return true
        open.add(formula.target)
        if (visit(formula.target.formula())) return true
        open.delete(formula.target)
        break
      case 'every':
      case 'some':
      case 'count':
      case 'every-key':
      case 'some-key':
        starts.add(formula.part)
    }
    passed.add(formula)
    return false
  }
  return visit(start)
}
