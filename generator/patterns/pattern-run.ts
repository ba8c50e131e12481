import { addToGroup } from '../document/grouping.js'
import type { Letter } from './alphabet.js'
import type { Assertion, PatternAutomaton } from './pattern-automaton.js'

/**
 * Makes a pattern automaton deterministic, as far as a search walks it.
 *
 * A state is a set of positions together with the kind of the last character. States are numbered in order of
 * discovery.
 */
export class PatternRun {
  readonly initial: number
  readonly #automaton: PatternAutomaton
  readonly #letters: readonly Letter[]
  readonly #moves: readonly ReadonlyMap<number, readonly number[]>[]
  readonly #alive: ReadonlySet<number>
  readonly #numbers = new Map<string, number>()
  readonly #states: RunState[] = []
  readonly #steps: number[][] = []

  /** @param members letters of each distinct set of characters, as `alphabet` returns them, by its index in `sets` */
  constructor(
    automaton: PatternAutomaton,
    letters: readonly Letter[],
    sets: ReadonlyMap<unknown, readonly number[]>,
  ) {
    this.#automaton = automaton
    this.#letters = letters
    this.#moves = automaton.states.map((state) => {
      const moves = new Map<number, number[]>()
      for (const { to, characters } of state.reading)
        for (const letter of sets.get(characters) ?? []) addToGroup(moves, letter, to)
      return moves
    })
    this.#alive = withWayOut(automaton)
    this.initial = this.#number({ positions: [automaton.start], before: 'start', found: false })
  }

  /** The state after one more letter. */
  step(state: number, letter: number): number {
    const row = this.#steps[state] ?? []
    this.#steps[state] = row
    const known = row[letter]
    if (known !== undefined) return known
    const from = this.#state(state)
    if (from.found) return state
    const word = this.#letters[letter]?.word ?? false
    const reached = this.#free(from, word, false)
    let next: RunState
    if (reached.has(this.#automaton.final)) next = { positions: [], before: 'other', found: true }
    else {
      const positions = new Set<number>()
      for (const position of reached)
        for (const to of this.#moves[position]?.get(letter) ?? []) if (this.#alive.has(to)) positions.add(to)
      const before = this.#automaton.boundaries && word ? 'word' : 'other'
      next = { positions: [...positions].sort((a, b) => a - b), before, found: false }
    }
    const number = this.#number(next)
    row[letter] = number
    return number
  }

  /** Whether a word that ends here contains a match. */
  accepts(state: number): boolean {
    const at = this.#state(state)
    at.accepts ??= at.found || this.#free(at, false, true).has(this.#automaton.final)
    return at.accepts
  }

  /** The result of `accepts` for every continuation. Undefined if it depends on the continuation. */
  settled(state: number): boolean | undefined {
    const at = this.#state(state)
    if (at.found) return true
    return at.positions.length === 0 ? false : undefined
  }

  /** Positions that are reachable without reading. */
  #free(state: RunState, wordAhead: boolean, end: boolean): Set<number> {
    const reached = new Set(state.positions)
    const holds = (when: Assertion | undefined): boolean => {
      if (when === undefined) return true
      if (when === 'start') return state.before === 'start'
      if (when === 'end') return end
      return (when === 'boundary') === ((state.before === 'word') !== wordAhead)
    }
    for (const position of reached)
      for (const { to, when } of this.#automaton.states[position]?.free ?? [])
        if (holds(when)) reached.add(to)
    return reached
  }

  #state(state: number): RunState {
    const known = this.#states[state]
    if (known === undefined) throw new RangeError('no such state')
    return known
  }

  #number(state: RunState): number {
    const key = `${state.found}${state.before}${state.positions.join(',')}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const number = this.#states.push(state) - 1
    this.#numbers.set(key, number)
    return number
  }
}

interface RunState {
  readonly positions: readonly number[]
  readonly before: 'start' | 'word' | 'other'
  readonly found: boolean
  accepts?: boolean
}

/** Positions that can still lead to the end of a match after the start of the word. */
function withWayOut(automaton: PatternAutomaton): ReadonlySet<number> {
  const backwards: number[][] = automaton.states.map(() => [])
  automaton.states.forEach((state, from) => {
    for (const { to, when } of state.free) if (when !== 'start') backwards[to]?.push(from)
    for (const { to, characters } of state.reading) if (characters.length > 0) backwards[to]?.push(from)
  })
  const alive = new Set([automaton.final])
  for (const position of alive) for (const from of backwards[position] ?? []) alive.add(from)
  return alive
}
