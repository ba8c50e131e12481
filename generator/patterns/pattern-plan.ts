import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import { type PatternData, SURE_WIDTH } from 'duet-runtime/validation'
import { linearForm } from './linear-pattern.js'
import { withoutLookaround } from './lookaround.js'
import { patternSteps } from './pattern-steps.js'
import { patternFlags } from './pattern-test.js'

/** How generated code runs a pattern. */
export interface PatternPlan {
  /** Undefined if JavaScript's own engine takes linear time. */
  readonly data?: PatternData
  /** Whether it gives up on texts that take too many steps. */
  readonly givesUp?: true
}

/**
 * Depends only on the pattern, and counts steps instead of time: generated code is the same on every machine.
 * A pattern runs in the engine, which backtracks, only if that is known to take linear time.
 */
export function patternPlan(source: string): PatternPlan {
  const known = plans.get(source)
  if (known !== undefined) return known
  if (plans.size > 2000) plans.clear()
  const plan = isPlain(source) ? {} : planned(source)
  plans.set(source, plan)
  return plan
}

const plans = new Map<string, PatternPlan>()

/** Maximum width of an automaton that replaces every other method. */
const widest = 900

/** Whether nothing can be chosen, or the only choice is one repetition that is tried once. */
function isPlain(source: string): boolean {
  if (/[|]|\\[1-9k]/.test(source)) return false
  const choices = source.match(/[*+?{]/g) ?? []
  if (choices.length === 0) return true
  return choices.length === 1 && (source.startsWith('^') || /\{\d{1,2}\}/.test(source))
}

function planned(source: string): PatternPlan {
  const flags = patternFlags(source)
  const whole = linearForm(source, flags)
  if (whole?.backtracksLittle === true) return {}
  const parts = whole === undefined && flags === 'u' ? withoutLookaround(source) : undefined
  const forms = (parts ?? [{ source, negated: false }]).map((part) => ({
    form: parts === undefined ? whole : linearForm(part.source, flags),
    negated: part.negated,
  }))
  let width = 0
  const every = forms.flatMap(({ form, negated }) => {
    if (form === undefined) return []
    width += form.width
    return [{ table: form.table, ...(negated && { negated }) }]
  })
  const steps = () => patternSteps(source, flags)
  if (every.length === forms.length) {
    if (width <= SURE_WIDTH) return { data: { every } }
    if (width <= widest) return { data: { every }, givesUp: true }
    const otherwise = steps()
    return { data: { every, ...(otherwise && { otherwise }) }, givesUp: true }
  }
  const data = triesFew(source, flags) ? undefined : steps()
  return data === undefined ? {} : { data, givesUp: true }
}

/** Whether the form of a pattern makes backtracking linear: one repetition outside of others, and few other choices. */
function triesFew(source: string, flags: string): boolean {
  let pattern: AST.Pattern
  try {
    pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode: flags === 'u' })
  } catch {
    // An invalid expression is not checked.
    return true
  }
  let repetitions = pattern.alternatives.every(({ elements: [first] }) => isStart(first)) ? 0 : 1
  let ways = pattern.alternatives.length
  let isNested = false
  const choose = (node: AST.Node, more: number): void => {
    ways *= more
    if (more > 1 && isRepeated(node)) isNested = true
  }
  visitRegExpAST(pattern, {
    onQuantifierEnter: (node) => {
      if (node.min === node.max && node.max < longestCounted) return
      if (isRepeated(node)) isNested = true
      if (node.max === 1) ways *= 2
      else repetitions++
    },
    onGroupEnter: (node) => choose(node, node.alternatives.length),
    onCapturingGroupEnter: (node) => choose(node, node.alternatives.length),
    onAssertionEnter: (node) => {
      if ('alternatives' in node) choose(node, node.alternatives.length)
    },
    onBackreferenceEnter: () => {
      repetitions++
    },
  })
  return !isNested && repetitions <= 1 && ways <= mostWays
}

const longestCounted = 64
const mostWays = 64

function isStart(element: AST.Element | undefined): boolean {
  return element?.type === 'Assertion' && element.kind === 'start'
}

function isRepeated({ parent }: AST.Node): boolean {
  if (parent === null) return false
  return (parent.type === 'Quantifier' && parent.max > 1) || isRepeated(parent)
}

/** The pattern as an expression of a generated module, if `RegExp` does not run it. */
export function patternSource(source: string): string | undefined {
  const { data } = patternPlan(source)
  return data && `textCheck(${JSON.stringify(data)})`
}
