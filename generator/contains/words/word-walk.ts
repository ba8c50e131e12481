import { alphabet, characters, type Letter } from '../../patterns/alphabet.js'
import { automatonOf } from '../../patterns/automaton-store.js'
import { type Budget, Undecidable } from '../../patterns/budget.js'
import type { CharacterRange, PatternAutomaton } from '../../patterns/pattern-automaton.js'
import { PatternRun } from '../../patterns/pattern-run.js'
import type { Language } from './language.js'
import type { Languages } from './languages.js'
import { StateGraph } from './state-graph.js'
import type { Words } from './words.js'

/** Maximum number of states in a search. */
const mostStates = 20_000

/** The state graph of one language: runs its patterns in parallel, and counts characters as far as bounds require. */
export class Walk {
  readonly #letters: readonly Letter[]
  readonly #runs: readonly PatternRun[]
  readonly #places = new Map<number, number>()
  readonly #countTo: number
  readonly #words: ReadonlyMap<number, ReadonlySet<string>>
  #graph: StateGraph | undefined

  constructor(
    readonly languages: Languages,
    readonly language: Language,
    readonly budget: Budget,
  ) {
    const automata: PatternAutomaton[] = []
    const bounds: number[] = [0]
    const finite = new Map<number, ReadonlySet<string>>()
    const visit = (part: Language): void => {
      if (part.kind === 'pattern' && !this.#places.has(part.id)) {
        const { automaton } = automatonOf(part)
        if (automaton === undefined) throw new RangeError('a walk needs automata')
        this.#places.set(part.id, automata.length)
        automata.push(automaton)
      } else if (part.kind === 'length') {
        bounds.push(part.min, Number.isFinite(part.max) ? part.max + 1 : 0)
      } else if (part.kind === 'words') finite.set(part.id, new Set(part.words))
      else if (part.kind === 'complement') visit(part.part)
      else if (part.kind === 'and' || part.kind === 'or') part.parts.forEach(visit)
    }
    visit(language)
    this.#words = finite
    this.#countTo = Math.max(...bounds)
    const sets = new Map<string, { ranges: readonly CharacterRange[]; owners: Set<unknown> }>()
    for (const automaton of automata)
      for (const state of automaton.states)
        for (const { characters: ranges } of state.reading) {
          const key = ranges.map(({ min, max }) => `${min}-${max}`).join()
          const known = sets.get(key)
          if (known === undefined) sets.set(key, { ranges, owners: new Set([ranges]) })
          else known.owners.add(ranges)
        }
    const distinct = [...sets.values()]
    const { letters, members } = alphabet(distinct.map(({ ranges }) => ranges))
    const byOwner = new Map<unknown, readonly number[]>()
    distinct.forEach(({ owners }, i) => {
      for (const owner of owners) byOwner.set(owner, members[i] ?? [])
    })
    this.#letters = letters
    this.#runs = automata.map((automaton) => new PatternRun(automaton, letters, byOwner))
  }

  /** Bounds on the lengths of words, as far as the graph is known. Valid after `find`. */
  lengths(): { readonly shortest: number; readonly longest: number } {
    const whole = this.#graph?.whole === true
    return {
      shortest: whole ? (this.#graph?.distances[0] ?? 0) : 0,
      longest: whole ? (this.#graph?.longest() ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY,
    }
  }

  /** The states and their transitions, computed on demand. */
  graph(): StateGraph {
    this.#graph ??= this.#explore()
    return this.#graph
  }

  /** A character that a letter represents. */
  character(letter: number): string | undefined {
    const known = this.#letters[letter]
    return known === undefined ? undefined : characters(known, 1)[0]
  }

  find(count: number): Words {
    const excluded = [...this.#words.values()].reduce((sum, words) => sum + words.size, 0)
    const graph = this.graph()
    const found: string[] = []
    const wanted = count + excluded
    let exhausted = true
    const longest = graph.whole ? graph.longest() : Number.POSITIVE_INFINITY
    const shortest = graph.distances[0] ?? Number.POSITIVE_INFINITY
    if (shortest === Number.POSITIVE_INFINITY) {
      if (graph.whole) return { words: [], complete: true }
      throw new Undecidable('patterns together have too many states')
    }
    const limit = Math.min(longest, shortest + wanted + 8)
    for (let length = shortest; length <= limit && found.length < count; length++)
      exhausted = this.#spell(graph, length, wanted, found, count) && exhausted
    const complete = graph.whole && limit === longest && exhausted && found.length < count
    if (found.length === 0 && !complete)
      return { words: [], complete: false, reason: 'no word was found in time' }
    return { words: found, complete }
  }

  /** Finds words of exactly one length. False if some were omitted. */
  #spell(graph: StateGraph, length: number, perLetter: number, found: string[], count: number): boolean {
    let exhausted = true
    const go = (state: number, prefix: string, left: number): boolean => {
      this.budget.spend()
      if (left === 0) {
        if (graph.accepting[state] === true && this.languages.test(this.language, prefix)) found.push(prefix)
        return found.length < count
      }
      const row = graph.edges[state] ?? []
      for (let letter = 0; letter < row.length; letter++) {
        const to = row[letter]
        if (to === undefined || (graph.distances[to] ?? Number.POSITIVE_INFINITY) > left - 1) continue
        const chosen = this.#letters[letter]
        if (chosen === undefined) continue
        const use = length > 40 ? 1 : perLetter
        if (chosen.size > use) exhausted = false
        for (const character of characters(chosen, use))
          if (!go(to, prefix + character, left - 1)) return false
      }
      return true
    }
    if (length <= 1000) return go(0, '', length) && exhausted
    const word = length > 20_000 ? undefined : this.#walkStraight(graph, length)
    if (word === undefined) throw new Undecidable('a word would be too long')
    if (this.languages.test(this.language, word)) found.push(word)
    return false
  }

  /** One long word, without backtracking. */
  #walkStraight(graph: StateGraph, length: number): string | undefined {
    let [word, state] = ['', 0]
    for (let left = length; left > 0; left--) {
      this.budget.spend(0.1)
      const row = graph.edges[state] ?? []
      const letter = row.findIndex((to) => (graph.distances[to] ?? Number.POSITIVE_INFINITY) <= left - 1)
      const [character] = characters(this.#letters[letter] ?? { size: 0, ranges: [], word: false }, 1)
      if (character === undefined) return undefined
      word += character
      state = row[letter] ?? 0
    }
    return graph.accepting[state] === true ? word : undefined
  }

  #explore(): StateGraph {
    const graph = new StateGraph()
    if (this.language.kind === 'length' && this.language.min > mostStates) {
      // Each state would be one letter more, and no state the end. Creates none, and charges the budget as
      // for all.
      this.budget.spend((mostStates + 1) * (1 + this.#letters.length / 8))
      graph.add(false)
      graph.whole = false
      graph.measure()
      return graph
    }
    const numbers = new Map<string, number>()
    const states: { readonly runs: readonly number[]; readonly count: number }[] = []
    const number = (runs: readonly number[], count: number): number => {
      const key = `${runs.join(',')}/${count}`
      const known = numbers.get(key)
      if (known !== undefined) return known
      const made = states.push({ runs, count }) - 1
      numbers.set(key, made)
      graph.add(this.#evaluate(this.language, runs, count) === true)
      return made
    }
    number(
      this.#runs.map((run) => run.initial),
      0,
    )
    let accepted = 0
    for (let at = 0; at < states.length; at++) {
      const state = states[at]
      if (state === undefined) break
      if (graph.accepting[at] === true) accepted += 1
      if ((accepted > 2 && at > 400) || at > mostStates) {
        graph.whole = false
        break
      }
      if (this.#evaluate(this.language, state.runs, state.count, true) === false) continue
      const count = Math.min(state.count + 1, this.#countTo)
      this.budget.spend(1 + this.#letters.length / 8)
      for (let letter = 0; letter < this.#letters.length; letter++) {
        const runs = this.#runs.map((run, i) => run.step(state.runs[i] ?? 0, letter))
        graph.link(at, letter, number(runs, count))
      }
    }
    graph.measure()
    return graph
  }

  /**
   * Whether a word that ends in a state belongs. Finite sets count as excluded words: `complement` of words
   * accepts, and spelling tests them.
   *
   * With `future`: false only if no continuation belongs, true only if all do.
   */
  #evaluate(part: Language, runs: readonly number[], count: number, future = false): boolean | undefined {
    switch (part.kind) {
      case 'words':
        // Alone or in a union: a finite set cannot be left, so nothing is pruned, and spelling tests the
        // words.
        return future ? undefined : true
      case 'pattern': {
        const place = this.#places.get(part.id) ?? 0
        const run = this.#runs[place]
        const state = runs[place] ?? 0
        return future ? run?.settled(state) : run?.accepts(state)
      }
      case 'format':
        return true
      case 'length':
        if (!future) return count >= part.min && count <= part.max
        if (count > part.max) return false
        return count >= part.min && part.max === Number.POSITIVE_INFINITY ? true : undefined
      case 'complement': {
        if (part.part.kind === 'words') return future ? undefined : true
        const value = this.#evaluate(part.part, runs, count, future)
        return value === undefined ? undefined : !value
      }
      case 'and':
      case 'or': {
        const settling = part.kind === 'or'
        let open = false
        for (const one of part.parts) {
          const value = this.#evaluate(one, runs, count, future)
          if (value === settling) return settling
          if (value === undefined) open = true
        }
        return open ? undefined : !settling
      }
    }
  }
}
