import { CountedPattern, type PatternSteps } from './counted-pattern.js'
import { spend, stepsFor } from './pattern-account.js'

/**
 * A regular expression as an automaton without conditions: a search for a match is one walk over the text.
 * Positions are numbered from 0, the start; the number after the last represents a match.
 */
export interface PatternTable {
  /**
   * The runs of code points that the expression does not distinguish: the first code point of each, and its
   * letter.
   */
  readonly runs: readonly number[]
  /** For each position its moves: pairs of a letter and the next position. */
  readonly moves: readonly (readonly number[])[]
  /** Positions at which the text may end. */
  readonly ends: readonly number[]
}

/** How to run a document's pattern for which backtracking may take more than linear time. */
export type PatternData =
  /**
   * Automata that must all match, or not match if `negated`. For large automata, also another method for
   * texts on which they give up.
   */
  | {
      readonly every: readonly { readonly table: PatternTable; readonly negated?: true }[]
      readonly otherwise?: PatternSteps
    }
  /** The pattern has no automaton. */
  | PatternSteps

/** Tests texts against a document's pattern. */
export interface TextCheck {
  /** Whether a text contains a match. False if the test takes too many steps. */
  test(text: string): boolean
}

/** A check that counts its steps. */
export interface CountedCheck extends TextCheck {
  /** Whether a text takes at most this many steps per character. */
  decides(text: string): boolean
}

/** Creates the check for a pattern. */
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

/** Moves per character of a text, on average. */
const MOST_MOVES = 1000
/** A text gets the moves of one with this many more characters, so that short texts get enough. */
const MORE_CHARACTERS = 20

/** Moves that each character adds to the budget of a call. */
const MOVES_PER_CHARACTER = 100

/**
 * An automaton with at most this many moves, from all positions
 * together, never uses more.
 */
export const SURE_WIDTH = MOVES_PER_CHARACTER / 2

/**
 * Decides what the regular expression decides, without backtracking: advances all possible positions of a
 * match together, so that a character costs at most the automaton's moves. Undefined if that is too many.
 */
class LinearPattern {
  readonly #letters: (code: number) => number
  readonly #moves: readonly (readonly (readonly number[])[])[]
  readonly #ends: ReadonlySet<number>
  readonly #found: number
  readonly #isSure: boolean
  /** When each position was last reached, as a character count over all texts. */
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
    const allowed = stepsFor(text, most, MOVES_PER_CHARACTER)
    const { found, left } = this.#walk(text, allowed)
    // A text that exceeds the whole budget goes to another method, so it is not given up here.
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

/** The most moves that one letter has, from all positions together. */
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
