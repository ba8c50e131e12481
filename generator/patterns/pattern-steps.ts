import { type AST, RegExpParser } from '@eslint-community/regexpp'
import type { PatternStep, PatternSteps } from 'duet-runtime/validation'

/**
 * The steps of a regular expression for a backtracking machine. Undefined for an invalid expression, and for
 * one that switches flags inside.
 */
export function patternSteps(source: string, flags: string): PatternSteps | undefined {
  try {
    const pattern = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, undefined, undefined, {
      unicode: flags.includes('u'),
    })
    return new Program(pattern).written(flags)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof SwitchedFlags) return undefined
    throw error
  }
}

class SwitchedFlags extends Error {}

class Program {
  readonly #steps: PatternStep[] = []
  readonly #groups = new Map<AST.CapturingGroup, number>()
  #registers = 0
  #isBack = false

  constructor(readonly pattern: AST.Pattern) {}

  written(flags: string): PatternSteps {
    this.#number(this.pattern)
    this.#alternatives(this.pattern.alternatives)
    this.#steps.push(['found'])
    return { steps: this.#steps, flags, registers: this.#registers }
  }

  /** Assigns two registers to each group. Those of nested groups are consecutive. */
  #number(node: AST.Node): void {
    if (node.type === 'CapturingGroup') {
      this.#groups.set(node, this.#registers)
      this.#registers += 2
    }
    if ('alternatives' in node) for (const each of node.alternatives) this.#number(each)
    if (node.type === 'Alternative') for (const each of node.elements) this.#number(each)
    if (node.type === 'Quantifier') this.#number(node.element)
  }

  /** Adds a step whose target is still unknown. Returns a function that sets it. */
  #open(step: (target: number) => PatternStep): () => void {
    const number = this.#steps.push(step(0)) - 1
    return () => {
      this.#steps[number] = step(this.#steps.length)
    }
  }

  #alternatives(alternatives: readonly AST.Alternative[]): void {
    const ends: (() => void)[] = []
    for (const [i, { elements }] of alternatives.entries()) {
      const isLast = i === alternatives.length - 1
      const other = isLast ? undefined : this.#open((target) => ['try', target])
      for (const element of this.#isBack ? elements.toReversed() : elements) this.#element(element)
      if (!isLast) ends.push(this.#open((target) => ['go', target]))
      other?.()
    }
    for (const end of ends) end()
  }

  #element(element: AST.Element): void {
    const back = this.#isBack ? 1 : 0
    switch (element.type) {
      case 'Group':
        if (element.modifiers !== null) throw new SwitchedFlags()
        this.#alternatives(element.alternatives)
        return
      case 'CapturingGroup': {
        const register = this.#groups.get(element) ?? 0
        this.#steps.push(['mark', register + back])
        this.#alternatives(element.alternatives)
        this.#steps.push(['mark', register + 1 - back])
        return
      }
      case 'Quantifier':
        this.#quantifier(element)
        return
      case 'Assertion':
        this.#assertion(element)
        return
      case 'Backreference': {
        const groups = Array.isArray(element.resolved) ? element.resolved : [element.resolved]
        this.#steps.push(['same', groups.map((group) => this.#groups.get(group) ?? 0), back])
        return
      }
      case 'Character':
        this.#steps.push(['char', element.value, back])
        return
      default:
        this.#steps.push(['set', element.raw, back])
    }
  }

  #quantifier({ element, min, max, greedy }: AST.Quantifier): void {
    const from = this.#groupsBefore(element)
    const to = this.#groupsBefore(element, true)
    const register = this.#registers
    this.#registers += 2
    this.#steps.push(['count', register])
    const again = this.#steps.length
    const least = min > 0 ? this.#open((target) => ['least', register, min, target]) : undefined
    const most =
      max < Number.POSITIVE_INFINITY ? this.#open((target) => ['most', register, max, target]) : undefined
    const other = this.#open((target) => ['try', target])
    const end = greedy ? other : this.#open((target) => ['go', target])
    if (!greedy) other()
    least?.()
    this.#steps.push(['round', register, from, to])
    this.#element(element)
    this.#steps.push(['again', register, min, again])
    end()
    most?.()
  }

  /** The number of registers of all groups that begin before a node, or before its end. */
  #groupsBefore(node: AST.Node, isEnd = false): number {
    const place = isEnd ? node.end : node.start
    let count = 0
    for (const group of this.#groups.keys()) if (group.start < place) count += 2
    return count
  }

  #assertion(assertion: AST.Assertion): void {
    if (!('alternatives' in assertion)) {
      const kind = assertion.kind === 'word' ? (assertion.negate ? 'inside' : 'boundary') : assertion.kind
      this.#steps.push([kind])
      return
    }
    const outer = this.#isBack
    this.#isBack = assertion.kind === 'lookbehind'
    const end = this.#open((target) => ['look', assertion.negate ? 1 : 0, target])
    this.#alternatives(assertion.alternatives)
    this.#steps.push(['found'])
    end()
    this.#isBack = outer
  }
}
