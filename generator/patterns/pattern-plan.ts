import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import { type PatternData, SURE_WIDTH } from 'duet-runtime/validation'
import { linearForm } from './linear-pattern.js'
import { withoutLookaround } from './lookaround.js'
import { patternSteps } from './pattern-steps.js'
import { patternFlags } from './pattern-test.js'

/** How generated code runs a pattern. */
export interface PatternPlan {
  /** Undefined where JavaScript's own engine takes linear time over it. */
  readonly data?: PatternData
  /** Whether it gives up texts that take too many steps. */
  readonly givesUp?: true
}

/**
 * Decides by the pattern alone, and by counting, not by the clock: generated code is the same on every machine.
 * A pattern is run by the engine, which backtracks, only where that is known to take linear time.
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

/** What an automaton may take for each character where nothing else is tried. */
const widest = 900

/** Where one repetition is the only choice, and it is tried once, or where nothing can be chosen. */
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

/** Whether backtracking is linear by the pattern's build: one repetition that is not within another, and few other choices. */
function triesFew(source: string, flags: string): boolean {
  let pattern: AST.Pattern
  try {
    pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode: flags === 'u' })
  } catch {
    // What is no expression is not checked.
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

/** The pattern as an expression of a generated module, where it is not run by `RegExp`. */
export function patternSource(source: string): string | undefined {
  const { data } = patternPlan(source)
  return data && `textCheck(${JSON.stringify(data)})`
}
