import { Undecidable } from '../../patterns/budget.js'
import { fingerprint } from '../../schema/canonical.js'
import type { Formula } from '../formula/formula.js'
import { heaviest, type Json, weight } from '../values/value.js'
import { combinationCount, combinations, nothing, type SearchResult, undecided } from './answer.js'
import type { Goals } from './goals.js'
import { distinctRepresentatives } from './representatives.js'

const infinity = Number.POSITIVE_INFINITY
/** If all arrays are wanted, those up to this length and up to this number of combinations are listed. */
const listedLength = 6
const listedChoices = 400
/** Longer arrays repeat one item instead of being searched. */
const long = 50

/**
 * Arrays that satisfy all literals.
 *
 * Positions beyond every bound in the literals are equivalent. An array that is longer than these bounds, the
 * required items and its minimum length together can lose an item, so greater lengths need not be tried.
 */
export function solveArrays(literals: Iterable<Formula>, want: number, goals: Goals): SearchResult {
  const search = new ArraySearch(literals, want, goals)
  return search.answer()
}

/** Positions from (inclusive) to (exclusive), with a condition for one or all items there. */
interface Span {
  readonly from: number
  readonly to: number
  readonly part: Formula
}

/** Items that some literal requires. Those of one `group` must have different positions. */
interface Need extends Span {
  readonly group: number
}

class ArraySearch {
  readonly #every: Span[] = []
  readonly #most: (Formula & { kind: 'count' })[] = []
  readonly #needs: Need[] = []
  readonly #found = new Map<string, Json>()
  #min = 0
  #max = infinity
  #unique = false
  #repeated = false
  #exhaustive = true
  #doubt: string | undefined

  constructor(
    literals: Iterable<Formula>,
    readonly want: number,
    readonly goals: Goals,
  ) {
    let group = 0
    for (const literal of literals) {
      group += 1
      if (literal.kind === 'every') this.#every.push(literal)
      else if (literal.kind === 'some') this.#needs.push({ ...literal, group })
      else if (literal.kind === 'count' && literal.bound === 'most') this.#most.push(literal)
      else if (literal.kind === 'count') {
        if (literal.count > 1000) throw new Undecidable('an array needs too many items')
        for (let i = 0; i < literal.count; i++)
          this.#needs.push({ from: 0, to: infinity, part: literal.part, group })
      } else if (literal.kind === 'items-size') {
        this.#min = Math.max(this.#min, literal.min)
        this.#max = Math.min(this.#max, literal.max)
      } else if (literal.kind === 'unique') {
        if (literal.positive) this.#unique = true
        else this.#repeated = true
      }
    }
    // Needs that few items can serve come first, to fail early.
    this.#needs.sort((a, b) => a.to - a.from - (b.to - b.from) || a.group - b.group)
  }

  answer(): SearchResult {
    if (this.#min > this.#max || (this.#unique && this.#repeated)) return nothing
    const edge = this.#edge()
    for (let i = 0; i <= edge && i < this.#max; i++) {
      const item = this.goals.models([this.#base(i)], 1)
      if (item.values.length > 0) continue
      if (item.complete) this.#max = i
      else this.#doubt = item.reason
      break
    }
    const isPlain = this.#needs.length === 0 && this.#most.length === 0 && !this.#repeated
    if (
      this.#min > long &&
      this.#min <= this.#max &&
      isPlain &&
      edge < this.#min &&
      (!this.#unique || edge === 0)
    )
      return this.#doubt === undefined ? this.#long(edge) : undecided(this.#doubt)
    const longest = Math.max(this.#min, edge + this.#needs.length + (this.#repeated ? 2 : 0))
    const limit = Math.min(this.#max, longest)
    if (this.#min > 2000) return undecided('an array would be too long')
    for (let length = this.#min; length <= limit && this.#found.size < this.want; length++)
      this.#assign(
        Array.from({ length }, (_, i) => [this.#base(i)]),
        0,
        edge,
      )
    // A proof needs no more values: longer arrays are equivalent.
    let reached = limit
    for (; reached < Math.min(this.#max, limit + this.want) && this.#short(); reached++)
      this.#assign(
        Array.from({ length: reached + 1 }, (_, i) => [this.#base(i)]),
        0,
        edge,
      )
    const values = [...this.#found.values()].slice(0, this.want)
    if (values.length === 0) return this.#doubt === undefined ? nothing : undecided(this.#doubt)
    const whole = this.#exhaustive && this.#max <= reached && this.#doubt === undefined
    return { values, complete: whole && this.#found.size < this.want }
  }

  /** One long array. Its items beyond the edge are equal, or all different if they must be. */
  #long(edge: number): SearchResult {
    const rest = this.goals.models([this.#base(edge)], this.#unique ? this.#min : 1)
    const [item] = rest.values
    if (this.#unique && rest.complete && rest.values.length < this.#min) return nothing
    if (item === undefined || this.#min * weight(item) > heaviest * 10 || this.#min > 10 * heaviest)
      return undecided('an array would be too long')
    if (this.#unique && rest.values.length < this.#min)
      return undecided(rest.reason ?? 'too few different items were found')
    const first = Array.from({ length: edge }, (_, i) => this.goals.models([this.#base(i)], 1).values)
    const start = first.flatMap((values) => values.slice(0, 1))
    if (start.length < edge) return undecided('no value was found')
    const end = this.#unique ? rest.values.slice(0, this.#min) : Array(this.#min - edge).fill(item)
    return { values: [[...start, ...end]], complete: false }
  }

  #short(): boolean {
    return this.#found.size > 0 && this.#found.size < this.want
  }

  /** The first position that no literal distinguishes from later ones. */
  #edge(): number {
    const ends = [...this.#every, ...this.#needs].flatMap(({ from, to }) => [from, to === infinity ? 0 : to])
    return Math.max(0, ...ends)
  }

  #base(position: number): Formula {
    const covering = this.#every.filter(({ from, to }) => from <= position && position < to)
    return this.goals.formulas.all(covering.map(({ part }) => part))
  }

  /** Assigns a position to each need from `next` on. */
  #assign(positions: Formula[][], next: number, edge: number): void {
    if (this.#found.size >= this.want) return
    this.goals.budget.spend()
    const need = this.#needs[next]
    if (need === undefined) {
      this.#limit(positions, 0, 0, this.#most[0]?.count ?? 0)
      return
    }
    const taken = new Set<number>()
    for (let i = 0; i < next; i++) {
      const place = this.#places[i]
      if (this.#needs[i]?.group === need.group && place !== undefined) taken.add(place)
    }
    const last = Math.max(-1, ...taken)
    let triedFresh = false
    for (let i = Math.max(need.from, last + 1); i < Math.min(need.to, positions.length); i++) {
      const here = positions[i] ?? []
      // Positions beyond the edge are equivalent, so one represents them all. Only a list of all arrays needs
      // the others.
      if (i >= edge && here.length === 1) {
        if (triedFresh && (this.want === 1 || positions.length > listedLength)) {
          this.#exhaustive = false
          continue
        }
        triedFresh = true
      }
      if (!this.#possible([...here, need.part])) continue
      this.#places[next] = i
      this.#assign(
        positions.map((parts, at) => (at === i ? [...parts, need.part] : parts)),
        next + 1,
        edge,
      )
    }
  }

  readonly #places: number[] = []

  /** Decides which items from position `at` on count towards an upper bound. */
  #limit(positions: Formula[][], which: number, at: number, left: number): void {
    if (this.#found.size >= this.want) return
    const most = this.#most[which]
    if (most === undefined) {
      this.#repeat(positions)
      return
    }
    if (at >= positions.length) {
      this.#limit(positions, which + 1, 0, this.#most[which + 1]?.count ?? 0)
      return
    }
    this.goals.budget.spend()
    const here = positions[at] ?? []
    const without = [...here, this.goals.formulas.not(most.part)]
    if (this.#possible(without))
      this.#limit(
        positions.map((parts, i) => (i === at ? without : parts)),
        which,
        at + 1,
        left,
      )
    if (left > 0)
      this.#limit(
        positions.map((parts, i) => (i === at ? [...parts, most.part] : parts)),
        which,
        at + 1,
        left - 1,
      )
  }

  #repeat(positions: Formula[][]): void {
    if (!this.#repeated) {
      this.#fill(positions, undefined)
      return
    }
    for (let i = 0; i < positions.length; i++)
      for (let j = i + 1; j < positions.length && this.#found.size < this.want; j++) {
        const shared = [...(positions[i] ?? []), ...(positions[j] ?? [])]
        if (this.#possible(shared))
          this.#fill(
            positions.map((parts, at) => (at === i || at === j ? shared : parts)),
            [i, j],
          )
      }
  }

  #fill(positions: Formula[][], twins: readonly [number, number] | undefined): void {
    const wanted = this.#unique ? Math.max(this.want, positions.length) : this.want
    const lists: (readonly Json[])[] = []
    for (const parts of positions) {
      const item = this.goals.models(parts, wanted)
      if (item.values.length === 0 && !item.complete) this.#doubt = item.reason
      if (!item.complete) this.#exhaustive = false
      if (item.values.length === 0) return
      if (this.#unique && !item.complete && item.values.length < positions.length)
        this.#doubt ??= item.reason ?? 'too few different items were found'
      lists.push(item.values)
    }
    if (this.#unique) {
      this.#different(lists)
      return
    }
    for (const items of combinations(lists, this.want)) {
      if (twins !== undefined) items[twins[1]] = items[twins[0]] ?? null
      this.#add(items)
    }
    if (combinationCount(lists) > this.want) this.#exhaustive = false
  }

  /** Combinations of different items: all if there are few, else with rotated lists, to get varied combinations. */
  #different(lists: readonly (readonly Json[])[]): void {
    if (this.want > 1 && combinationCount(lists) <= listedChoices) {
      for (const items of combinations(lists, listedChoices)) {
        this.goals.budget.spend()
        if (new Set(items.map(fingerprint)).size === items.length) this.#add(items)
      }
      return
    }
    for (let turn = 0; turn < this.want && this.#found.size < this.want; turn++) {
      const turned = lists.map((list) => [
        ...list.slice(turn % list.length),
        ...list.slice(0, turn % list.length),
      ])
      const items = distinctRepresentatives(turned, this.goals.budget)
      if (items === undefined) return
      this.#add(items)
    }
    this.#exhaustive = false
  }

  #add(items: Json[]): void {
    if (weight(items) > heaviest) {
      this.#doubt ??= 'a value would be too large'
      return
    }
    this.#found.set(fingerprint(items), items)
  }

  #possible(parts: readonly Formula[]): boolean {
    const item = this.goals.models(parts, 1)
    if (item.values.length > 0) return true
    if (!item.complete) this.#doubt = item.reason
    return false
  }
}
