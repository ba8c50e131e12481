import type { PatternTable } from 'duet-runtime/validation'
import { addToGroup } from '../document/grouping.js'
import { alphabet, type Letter } from './alphabet.js'
import { automatonOf } from './automaton-store.js'
import type { Assertion, CharacterRange, PatternAutomaton } from './pattern-automaton.js'

/** How a regular expression runs as an automaton, and how it would by backtracking. */
export interface LinearForm {
  readonly table: PatternTable
  /** The maximum number of moves for one character, from all positions together. */
  readonly width: number
  /** Whether backtracking takes linear time too: no two paths through a text reach the same position. */
  readonly backtracksLittle: boolean
}

/** Undefined if no automaton expresses the pattern, or none that is small enough. */
export function linearForm(source: string, flags: string): LinearForm | undefined {
  const key = `${flags}/${source}`
  if (known.has(key)) return known.get(key)
  if (known.size > 2000) known.clear()
  const { automaton } = automatonOf({ source, flags })
  const form = automaton && formOf(automaton)
  known.set(key, form)
  return form
}

const known = new Map<string, LinearForm | undefined>()

/** Moves from one position. `found`: a match has ended. */
interface Move {
  readonly letter: number
  readonly to: number
}

interface Position {
  readonly state: number
  readonly before: 'start' | 'word' | 'other'
}

const maxMoves = 100_000
const maxPairs = 20_000

function formOf(automaton: PatternAutomaton): LinearForm | undefined {
  const sets = [...new Set(automaton.states.flatMap(({ reading }) => reading.map((edge) => edge.characters)))]
  const { letters, members } = alphabet(sets)
  const graph = new Graph(automaton, letters, new Map(sets.map((set, i) => [set, members[i] ?? []])))
  if (!graph.expand()) return undefined
  const alive = graph.alive()
  const numbers = new Map([...alive].map((position, i) => [position, i]))
  const found = alive.size
  const moves = [...alive].map((position) =>
    graph
      .movesOf(position)
      .flatMap(({ letter, to }) =>
        to === foundPosition ? [letter, found] : alive.has(to) ? [letter, numbers.get(to) ?? 0] : [],
      ),
  )
  const ends = [...alive].flatMap((position, i) => (graph.endsAt(position) ? [i] : []))
  const counts = letters.map(() => 0)
  for (const list of moves)
    for (let i = 0; i < list.length; i += 2) counts[list[i] ?? 0] = (counts[list[i] ?? 0] ?? 0) + 1
  return {
    table: { runs: runsOf(letters), moves, ends },
    width: Math.max(1, ...counts),
    backtracksLittle: graph.backtracksLittle(),
  }
}

const foundPosition = -1

/** The automaton with resolved assertions: a position includes the previous character, and reads the next one. */
class Graph {
  readonly #positions: Position[] = []
  readonly #numbers = new Map<string, number>()
  readonly #moves: (readonly Move[])[] = []
  readonly #ends: boolean[] = []
  #repeats = false

  constructor(
    readonly automaton: PatternAutomaton,
    readonly letters: readonly Letter[],
    readonly members: ReadonlyMap<readonly CharacterRange[], readonly number[]>,
  ) {}

  /** False if it becomes too large. */
  expand(): boolean {
    this.#number({ state: this.automaton.start, before: 'start' })
    let left = maxMoves
    for (let i = 0; i < this.#positions.length; i++) {
      const position = this.#positions[i]
      if (position === undefined) break
      const moves = this.#expanded(position)
      left -= moves.length
      if (left < 0) return false
      this.#moves.push(moves)
      this.#ends.push(this.#free(position, 'end').includes(this.automaton.final))
    }
    return true
  }

  movesOf(position: number): readonly Move[] {
    return this.#moves[position] ?? []
  }

  endsAt(position: number): boolean {
    return this.#ends[position] === true
  }

  /** The first position, and those that can still lead to a match, in the order of their numbers. */
  alive(): ReadonlySet<number> {
    const backwards = this.#positions.map((): number[] => [])
    const reached = new Set<number>()
    this.#moves.forEach((moves, from) => {
      for (const { to } of moves)
        if (to === foundPosition) reached.add(from)
        else backwards[to]?.push(from)
      if (this.#ends[from] === true) reached.add(from)
    })
    for (const position of reached) for (const from of backwards[position] ?? []) reached.add(from)
    return new Set([0, ...[...reached].sort((a, b) => a - b)])
  }

  /**
   * Whether the length bounds the number of steps of a search by backtracking: it ends soon from every start
   * but the text's, and reaches each character in each position by at most one path. Positions without a
   * possible match count too: an engine does not know that they are in vain.
   */
  backtracksLittle(): boolean {
    if (this.#repeats) return false
    const starts = [...this.#positions.keys()].filter((position) => this.#isSearching(position))
    if (!this.#endsSoon(starts.filter((start) => start !== 0))) return false
    const ways = this.#positions.map((_, position) => this.#triedFrom(position))
    const pairs = new Set(starts.map((start) => `${start},${start}`))
    for (const pair of pairs) {
      if (pairs.size > maxPairs) return false
      const [one = 0, other = 0] = pair.split(',').map(Number)
      for (const [letter, targets] of ways[one] ?? []) {
        const others = ways[other]?.get(letter) ?? []
        for (const [i, to] of targets.entries())
          for (const [j, too] of others.entries()) {
            const isSameWay = one === other && i === j
            if (to === too && !isSameWay) return false
            if (to <= too || one !== other) pairs.add(`${to},${too}`)
          }
      }
    }
    return true
  }

  #isSearching(position: number): boolean {
    return this.#positions[position]?.state === this.automaton.start
  }

  /**
   * The positions that backtracking tries from one. The search itself only continues elsewhere after all of
   * them have failed.
   */
  #triedFrom(position: number): ReadonlyMap<number, readonly number[]> {
    const tried = new Map<number, number[]>()
    for (const { letter, to } of this.movesOf(position)) {
      if (to !== foundPosition && !this.#isSearching(to)) addToGroup(tried, letter, to)
    }
    return tried
  }

  /** Whether an attempt from any of these reads few characters. */
  #endsSoon(starts: readonly number[]): boolean {
    let level = new Set(starts)
    for (let length = 0; length <= longestEverywhere; length++) {
      if (level.size === 0) return true
      level = new Set([...level].flatMap((position) => [...this.#triedFrom(position).values()].flat()))
    }
    return false
  }

  #expanded(position: Position): readonly Move[] {
    const moves: Move[] = []
    const free = { word: this.#free(position, 'word'), other: this.#free(position, 'other') }
    for (const [letter, { word }] of this.letters.entries())
      if (free[word ? 'word' : 'other'].includes(this.automaton.final))
        moves.push({ letter, to: foundPosition })
    for (const ahead of ['word', 'other'] as const)
      for (const state of free[ahead])
        for (const { to, characters } of this.automaton.states[state]?.reading ?? [])
          for (const letter of this.members.get(characters) ?? []) {
            const isWord = this.letters[letter]?.word === true
            if (isWord !== (ahead === 'word')) continue
            const before = this.automaton.boundaries && isWord ? 'word' : 'other'
            moves.push({ letter, to: this.#number({ state: to, before }) })
          }
    return moves
  }

  /** States that are reachable without reading, if such a character or the end follows. */
  #free({ state, before }: Position, ahead: 'word' | 'other' | 'end'): readonly number[] {
    const reached = new Set([state])
    const holds = (when: Assertion | undefined): boolean => {
      if (when === undefined) return true
      if (when === 'start') return before === 'start'
      if (when === 'end') return ahead === 'end'
      return (when === 'boundary') === ((before === 'word') !== (ahead === 'word'))
    }
    for (const at of reached)
      for (const { to, when } of this.automaton.states[at]?.free ?? []) {
        if (!holds(when)) continue
        if (reached.has(to)) this.#repeats = true
        reached.add(to)
      }
    return [...reached]
  }

  #number(position: Position): number {
    const key = `${position.before}${position.state}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const number = this.#positions.push(position) - 1
    this.#numbers.set(key, number)
    return number
  }
}

/** Up to this many characters per attempt, attempts everywhere in a text still take linear time. */
const longestEverywhere = 64

function runsOf(letters: readonly Letter[]): number[] {
  const runs = letters.flatMap(({ ranges }, letter) => ranges.map(({ min }) => [min, letter] as const))
  return runs.sort(([a], [b]) => a - b).flat()
}
