import type { Budget } from '../../patterns/budget.js'
import { fingerprint } from '../../schema/canonical.js'
import { type Formula, typeOf, types } from '../formula/formula.js'
import type { Formulas } from '../formula/formulas.js'
import { satisfies } from '../formula/satisfaction.js'
import type { Arithmetic } from '../schema/dialect.js'
import type { Json } from '../values/value.js'
import { WordSearch } from '../words/word-search.js'
import { nothing, type SearchResult, undecided } from './answer.js'
import { solveArrays } from './array-goal.js'
import { Branch } from './branch.js'
import type { Goals } from './goals.js'
import { solveNumbers } from './number-goal.js'
import { solveObjects } from './object-goal.js'
import { solveStrings } from './string-goal.js'

/**
 * Finds values that satisfy formulas, or proves that there are none.
 *
 * Recursion is a least fixpoint: a goal within itself counts as empty, because a value of minimum height
 * contains no other value of the same goal. Results that depend on such an assumption are kept only until the
 * assumption is settled.
 */
export class Solver implements Goals {
  readonly words: WordSearch
  readonly #settled = new Map<Formula, { readonly want: number; readonly answer: SearchResult }>()
  readonly #assumed = new Map<Formula, number>()
  readonly #assumedOrder: Formula[] = []
  readonly #open = new Map<Formula, number>()
  /** The outermost open goal that the current computation depends on. */
  #rests = Number.POSITIVE_INFINITY

  #budget: Budget

  constructor(
    readonly formulas: Formulas,
    budget: Budget,
    readonly arithmetic: Arithmetic = 'doubles',
  ) {
    this.#budget = budget
    this.words = new WordSearch(formulas.languages, () => this.#budget)
  }

  get budget(): Budget {
    return this.#budget
  }

  /** Starts another question and keeps the results. */
  renew(budget: Budget): void {
    this.#budget = budget
  }

  models(parts: Iterable<Formula>, want: number): SearchResult {
    const goal = this.formulas.all(parts)
    if (goal === this.formulas.never) return nothing
    if (this.#open.size === 0) this.#start()
    const known = this.#settled.get(goal)
    if (known !== undefined && (known.want >= want || known.answer.complete)) return cut(known.answer, want)
    const depth = this.#open.get(goal) ?? this.#assumed.get(goal)
    if (depth !== undefined) {
      this.#rests = Math.min(this.#rests, depth)
      return nothing
    }
    return this.#enter(goal, want)
  }

  /** Discards the state of a question that ran out of budget. */
  #start(): void {
    this.#release(0)
    this.#rests = Number.POSITIVE_INFINITY
  }

  #enter(goal: Formula, want: number): SearchResult {
    const depth = this.#open.size
    if (depth > 150) return undecided('schemas are nested too deeply')
    const outer = this.#rests
    const mark = this.#assumedOrder.length
    this.#rests = Number.POSITIVE_INFINITY
    this.#open.set(goal, depth)
    let answer: SearchResult
    try {
      answer = this.#solve(goal, want)
    } finally {
      this.#open.delete(goal)
    }
    const rests = this.#rests
    this.#rests = Math.min(outer, rests >= depth ? Number.POSITIVE_INFINITY : rests)
    if (answer.values.length > 0 || !answer.complete) {
      this.#release(mark)
      // An open goal may have hidden a value.
      if (rests !== Number.POSITIVE_INFINITY) answer = { ...answer, complete: false }
      if (answer.values.length > 0 || rests === Number.POSITIVE_INFINITY)
        this.#settled.set(goal, { want, answer })
    } else if (rests >= depth) {
      for (const empty of this.#release(mark)) this.#settled.set(empty, { want: 1, answer: nothing })
      this.#settled.set(goal, { want, answer })
    } else {
      this.#assumed.set(goal, rests)
      this.#assumedOrder.push(goal)
    }
    return answer
  }

  #release(mark: number): Formula[] {
    const released = this.#assumedOrder.splice(mark)
    for (const goal of released) this.#assumed.delete(goal)
    return released
  }

  #solve(goal: Formula, want: number): SearchResult {
    const found = new Map<string, Json>()
    let complete = true
    let reason: string | undefined
    for (const type of order) {
      if ((goal.mask & type) === 0) continue
      if (found.size >= want) {
        complete = false
        break
      }
      const branch = new Branch(this.formulas, type)
      if (!branch.assume([goal])) continue
      const answer = this.#search(branch, goal, want - found.size, 0)
      for (const value of answer.values) found.set(fingerprint(value), value)
      if (!answer.complete) {
        complete = false
        reason ??= answer.reason
      }
    }
    return { values: [...found.values()], complete, reason }
  }

  #search(branch: Branch, goal: Formula, want: number, depth: number): SearchResult {
    this.budget.spend()
    if (!branch.propagate()) return nothing
    if (branch.listed !== undefined) return this.#among(branch.listed, goal, branch, want)
    if (branch.undecided === 0) return this.#checked(this.#theory(branch, want), goal)
    if (depth > 0 || branch.undecided > 1) {
      const partial = this.#theory(branch, 1)
      if (partial.values.length === 0 && partial.complete) return nothing
      const [lucky] = partial.values
      if (want === 1 && lucky !== undefined && satisfies(this.formulas.languages, goal, lucky))
        return { values: [lucky], complete: false }
    }
    const ways = branch.choose() ?? []
    const found = new Map<string, Json>()
    let complete = true
    let reason: string | undefined
    for (const [i, way] of ways.entries()) {
      if (found.size >= want) {
        complete = false
        break
      }
      const next = i === ways.length - 1 ? branch : branch.copy()
      if (!next.assume(way)) continue
      const answer = this.#search(next, goal, want - found.size, depth + 1)
      for (const value of answer.values) found.set(fingerprint(value), value)
      if (!answer.complete) {
        complete = false
        reason ??= answer.reason
      }
    }
    return { values: [...found.values()], complete, reason }
  }

  #among(listed: Formula & { kind: 'value' }, goal: Formula, branch: Branch, want: number): SearchResult {
    const values = [...listed.values.values()].filter(
      (value) =>
        typeOf(value) === branch.type &&
        satisfies(this.formulas.languages, goal, value) &&
        [...branch.present].every((part) => satisfies(this.formulas.languages, part, value)),
    )
    return { values: values.slice(0, want), complete: values.length <= want }
  }

  #theory(branch: Branch, want: number): SearchResult {
    switch (branch.type) {
      case types.number:
        return solveNumbers(branch.literals, want, this)
      case types.string:
        return solveStrings(branch.literals, want, this.words)
      case types.array:
        return solveArrays(branch.literals, want, this)
      case types.object:
        return solveObjects(branch.literals, want, this)
      default: {
        const value = branch.type === types.null ? null : branch.type === types.true
        return { values: [value], complete: true }
      }
    }
  }

  /**
   * Drops values that the goal does not accept, since they would be our mistake. Without them the answer
   * proves nothing.
   */
  #checked(answer: SearchResult, goal: Formula): SearchResult {
    const right = answer.values.filter((value) => satisfies(this.formulas.languages, goal, value))
    if (right.length === answer.values.length) return answer
    return { values: right, complete: false, reason: 'a value that was found is wrong' }
  }
}

const order = [
  types.null,
  types.true,
  types.false,
  types.number,
  types.string,
  types.array,
  types.object,
] as const

function cut(answer: SearchResult, want: number): SearchResult {
  if (answer.values.length <= want) return answer
  return { ...answer, values: answer.values.slice(0, want), complete: false }
}
