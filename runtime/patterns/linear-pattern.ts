import { CountedPattern, type PatternSteps } from './counted-pattern.js'
import { STEPS_PER_CHARACTER, spend, stepsFor } from './pattern-account.js'

/**
 * A regular expression as an automaton without conditions: a search for a match is one walk over the text. Positions
 * are numbered, the first is 0; the number after the last stands for a match that has been found.
 */
export interface PatternTable {
  /** Where each run of code points begins that the expression does not tell apart, and the letter that the run is. */
  readonly runs: readonly number[]
  /** Of each position the ways on: a letter, and the position that it leads to, one after the other. */
  readonly moves: readonly (readonly number[])[]
  /** Positions at which the text may end. */
  readonly ends: readonly number[]
}

/** How a pattern of a document is run where backtracking may take longer than linear time. */
export type PatternData =
  /** What each of several automata must find, or must not; where they are large, another way for what they give up. */
  | {
      readonly every: readonly { readonly table: PatternTable; readonly negated?: true }[]
      readonly otherwise?: PatternSteps
    }
  /** No automaton stands for it. */
  | PatternSteps

/** What a pattern of a document is asked. */
export interface TextCheck {
  /** Whether a text holds a match. One on which to find out takes too many steps counts as none that does. */
  test(text: string): boolean
}

/** A check that counts its steps. */
export interface CountedCheck extends TextCheck {
  /** Whether a text takes no more steps than a number for each character. */
  decides(text: string): boolean
}

/** The check that is run for a pattern. */
export function textCheck(data: PatternData): CountedCheck {
  const decide = decisionOf(data)
  return { test: (text) => decide(text) === true, decides: (text) => decide(text) !== undefined }
}

type Decide = (text: string) => boolean | undefined

function decisionOf(data: PatternData): Decide {
  if ('steps' in data) {
    const pattern = new CountedPattern(data)
    return (text) => pattern.decide(text)
  }
  const parts = data.every.map(({ table, negated }) => ({
    pattern: new LinearPattern(table),
    expected: negated !== true,
  }))
  const otherwise = data.otherwise && decisionOf(data.otherwise)
  return (text) => {
    for (const { pattern, expected } of parts) {
      const found = pattern.decide(text)
      if (found !== expected) return found === undefined ? otherwise?.(text) : false
    }
    return true
  }
}

/** Ways on that are looked at for each character of a text, on average; a short text counts as so much longer. */
const MOST_MOVES = 1000
const MORE_CHARACTERS = 20

/** Of automata with so many ways on from all positions together a character takes no more steps than it adds. */
export const SURE_WIDTH = STEPS_PER_CHARACTER / 2

/**
 * Says what a regular expression says, without backtracking: all positions that a match may be at are moved on together,
 * so that a character takes no more than there are ways on; undefined where that is too many.
 */
class LinearPattern {
  readonly #letters: (code: number) => number
  readonly #moves: readonly (readonly (readonly number[])[])[]
  readonly #ends: ReadonlySet<number>
  readonly #found: number
  readonly #isSure: boolean
  /** When each position was last reached, by the number of the character over all texts. */
  readonly #reached: Float64Array
  #now = 0

  constructor({ runs, moves, ends }: PatternTable) {
    this.#letters = letterFinder(runs)
    this.#moves = moves.map(byLetter)
    this.#ends = new Set(ends)
    this.#found = moves.length
    this.#isSure = widthOf(moves) <= SURE_WIDTH
    this.#reached = new Float64Array(moves.length)
  }

  decide(text: string): boolean | undefined {
    const most = (text.length + MORE_CHARACTERS) * MOST_MOVES
    if (this.#isSure) return this.#walk(text, most).found
    const allowed = stepsFor(text, most)
    const { found, left } = this.#walk(text, allowed)
    // What is too large by itself is tried in another way.
    spend(allowed - left, found === undefined && allowed < most)
    return found
  }

  #walk(text: string, allowed: number): { readonly found: boolean | undefined; readonly left: number } {
    const [moves, reached, found] = [this.#moves, this.#reached, this.#found]
    let left = allowed
    let positions: number[] = [0]
    let next: number[] = []
    for (let at = 0; at < text.length; at++) {
      const code = text.codePointAt(at) ?? 0
      if (code > 0xffff) at++
      const letter = this.#letters(code)
      const now = ++this.#now
      for (const position of positions) {
        const targets = moves[position]?.[letter] ?? none
        left -= targets.length + 1
        for (const to of targets) {
          if (to === found) return { found: true, left }
          if (reached[to] === now) continue
          reached[to] = now
          next.push(to)
        }
      }
      if (next.length === 0) return { found: false, left }
      if (left < 0) return { found: undefined, left }
      const free = positions
      positions = next
      next = free
      next.length = 0
    }
    return { found: positions.some((position) => this.#ends.has(position)), left }
  }
}

const none: readonly number[] = []

function byLetter(pairs: readonly number[]): readonly (readonly number[])[] {
  const targets: number[][] = []
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const [letter = 0, to = 0] = [pairs[i], pairs[i + 1]]
    const known = targets[letter]
    if (known === undefined) targets[letter] = [to]
    else known.push(to)
  }
  return Array.from(targets, (list) => list ?? none)
}

/** The most ways on that one letter has, from all positions together. */
function widthOf(moves: readonly (readonly number[])[]): number {
  const counts: number[] = []
  for (const pairs of moves)
    for (let i = 0; i < pairs.length; i += 2) counts[pairs[i] ?? 0] = (counts[pairs[i] ?? 0] ?? 0) + 1
  return counts.reduce((most, count) => Math.max(most, count), 1)
}

function letterFinder(runs: readonly number[]): (code: number) => number {
  const starts = runs.filter((_, i) => i % 2 === 0)
  const letters = runs.filter((_, i) => i % 2 === 1)
  const search = (code: number): number => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= code) low = middle
      else high = middle - 1
    }
    return letters[low] ?? 0
  }
  const ascii = Array.from({ length: 128 }, (_, code) => search(code))
  return (code) => ascii[code] ?? search(code)
}
