import { fingerprint } from '../../schema/canonical.js'
import type { Formula } from '../formula/formula.js'
import { heaviest, type Json, objectOf, weight } from '../values/value.js'
import { type KeyAtom, keyAtoms, namesIn, withoutNames } from '../words/key-atoms.js'
import type { Language } from '../words/language.js'
import { combinationCount, combinations, nothing, type SearchResult, undecided } from './answer.js'
import type { Goals } from './goals.js'

const infinity = Number.POSITIVE_INFINITY

/**
 * Objects that satisfy all literals.
 *
 * Keys are either named by some literal, or belong to an atom of equivalent keys. A required key is a named
 * one, a key of an atom, or one that was chosen already.
 */
export function solveObjects(literals: Iterable<Formula>, want: number, goals: Goals): SearchResult {
  return new ObjectSearch(literals, want, goals).answer()
}

interface Need {
  readonly keys: Language
  readonly part: Formula
}

/** Chosen keys with the conditions on their values, in addition to those for every such key. */
type Chosen = ReadonlyMap<string, readonly Formula[]>

class ObjectSearch {
  readonly #universals: Need[] = []
  readonly #forced = new Map<string, Formula[]>()
  readonly #open: Need[] = []
  readonly #names: readonly string[]
  readonly #dividers: readonly Language[]
  readonly #found = new Map<string, Json>()
  readonly #conditions = new Map<string, Formula>()
  readonly #atoms = new Map<Language, readonly KeyAtom[]>()
  #min = 0
  #max = infinity
  #doubt: string | undefined
  #single = true

  constructor(
    literals: Iterable<Formula>,
    readonly want: number,
    readonly goals: Goals,
  ) {
    for (const literal of literals) {
      if (literal.kind === 'every-key') this.#universals.push(literal)
      else if (literal.kind === 'size') {
        this.#min = Math.max(this.#min, literal.min)
        this.#max = Math.min(this.#max, literal.max)
      } else if (literal.kind === 'some-key') this.#require(literal)
    }
    const { languages } = goals.formulas
    const all = [...this.#universals, ...this.#open].map(({ keys }) => keys)
    this.#names = [...new Set(all.flatMap(namesIn))]
    this.#dividers = [...new Set(all.map((keys) => withoutNames(keys, languages)))]
  }

  answer(): SearchResult {
    if (this.#min > this.#max) return nothing
    if (this.#min > 3000) return undecided('an object would need too many properties')
    for (const [key, parts] of [...this.#forced].sort(byWeight))
      if (!this.#possible([this.#condition(key), ...parts])) return this.#none()
    this.#choose(this.#forced, 0)
    const values = [...this.#found.values()].slice(0, this.want)
    if (values.length === 0) return this.#none()
    return { values, complete: this.#single && this.#doubt === undefined }
  }

  #none(): SearchResult {
    return this.#doubt === undefined ? nothing : undecided(this.#doubt)
  }

  #require(literal: Need): void {
    const [name, second] = literal.keys.kind === 'words' ? literal.keys.words : []
    if (name === undefined || second !== undefined) {
      this.#open.push(literal)
      return
    }
    const known = this.#forced.get(name) ?? []
    this.#forced.set(name, [...known, literal.part])
  }

  /** The condition on the value of a key, given by its name. */
  #condition(key: string): Formula {
    const known = this.#conditions.get(key)
    if (known !== undefined) return known
    const { formulas } = this.goals
    const holding = this.#universals.filter(({ keys }) => formulas.languages.test(keys, key))
    const condition = formulas.all(holding.map(({ part }) => part))
    this.#conditions.set(key, condition)
    return condition
  }

  /** Assigns a key to each open need from `next` on. */
  #choose(chosen: Chosen, next: number): void {
    if (this.#found.size >= this.want || chosen.size > this.#max) return
    this.goals.budget.spend()
    const need = this.#open[next]
    if (need === undefined) {
      this.#fill(chosen)
      return
    }
    const { languages } = this.goals.formulas
    this.#single = false
    for (const [key, parts] of chosen) {
      if (!languages.test(need.keys, key)) continue
      // An existing key serves a need for any value at no cost.
      if (need.part === this.goals.formulas.always) {
        this.#choose(chosen, next + 1)
        return
      }
      if (this.#possible([this.#condition(key), ...parts, need.part]))
        this.#choose(new Map([...chosen, [key, [...parts, need.part]]]), next + 1)
    }
    if (chosen.size >= this.#max) return
    for (const key of this.#freshKeys(need, chosen))
      this.#choose(new Map([...chosen, [key, [need.part]]]), next + 1)
  }

  /** One key of each kind that can serve a need and is not chosen yet. */
  *#freshKeys(need: Need, chosen: Chosen): Iterable<string> {
    const { languages } = this.goals.formulas
    const serves = (key: string): boolean => this.#possible([this.#condition(key), need.part])
    for (const key of this.#names)
      if (!chosen.has(key) && languages.test(need.keys, key) && serves(key)) yield key
    // A few random keys often suffice, and save distinguishing all kinds of keys.
    const region = languages.and([
      need.keys,
      languages.not(languages.words([...this.#names, ...chosen.keys()])),
    ])
    const few = this.goals.words.words(region, 4)
    for (const key of few.words) if (key !== '' && serves(key)) yield key
    if (few.complete && !few.words.includes('')) return
    for (const { language, sure } of this.#atomList(need.keys)) {
      const { words, complete, reason } = this.goals.words.words(language, chosen.size + 1)
      const key = words.find((word) => !chosen.has(word))
      if (key !== undefined) {
        if (serves(key)) yield key
      } else if (!complete || !sure) {
        const exemplary = this.#conditionOf(language)
        if (this.#possible([exemplary, need.part])) this.#doubt ??= reason ?? 'no key was found'
      }
    }
  }

  /** The condition on values at keys of an atom without a known key. */
  #conditionOf(atom: Language): Formula {
    const { formulas, words } = this.goals
    const parts = this.#universals.filter(({ keys }) => {
      const outside = words.words(formulas.languages.and([atom, formulas.languages.not(keys)]), 1)
      return outside.complete && outside.words.length === 0
    })
    return formulas.all(parts.map(({ part }) => part))
  }

  /** Kinds of keys in a region, without named keys. */
  #atomList(region: Language): readonly KeyAtom[] {
    const known = this.#atoms.get(region)
    if (known !== undefined) return known
    const { languages } = this.goals.formulas
    const unnamed = languages.and([region, languages.not(languages.words(this.#names))])
    const atoms = keyAtoms(unnamed, this.#dividers, this.goals.words)
    this.#atoms.set(region, atoms)
    return atoms
  }

  #fill(chosen: Chosen): void {
    const complete = new Map(chosen)
    if (complete.size < this.#min) {
      this.#single = false
      for (const key of this.#free(this.#min)) {
        if (complete.size >= this.#min) break
        if (!complete.has(key)) complete.set(key, [])
      }
      if (complete.size < this.#min) return
    }
    this.#build(complete)
    if (this.#found.size >= this.want && this.want === 1) {
      this.#single = false
      return
    }
    if (complete.size >= this.#max) return
    const before = complete.size
    for (const key of this.#free(before + this.want)) {
      if (complete.has(key)) continue
      this.#single = false
      if (this.#found.size >= this.want) return
      this.#build(new Map([...complete, [key, []]]))
    }
  }

  /** Keys that an object may have without being required, up to `count` of each kind. */
  *#free(count: number): Iterable<string> {
    const { languages } = this.goals.formulas
    for (const key of this.#names) if (this.#possible([this.#condition(key)])) yield key
    for (const key of this.goals.words.words(languages.not(languages.words(this.#names)), 4).words)
      if (key !== '' && this.#possible([this.#condition(key)])) yield key
    for (const { language, sure } of this.#atomList(languages.any)) {
      const { words, complete, reason } = this.goals.words.words(language, count)
      let possible = true
      for (const key of words) {
        possible = this.#possible([this.#condition(key)])
        if (!possible) break
        yield key
      }
      if ((!complete && words.length < count && possible) || !sure)
        this.#doubt ??= reason ?? 'too few keys were found'
    }
  }

  #build(chosen: Chosen): void {
    const keys = [...chosen.keys()]
    const lists: (readonly Json[])[] = []
    for (const [key, parts] of chosen) {
      const member = this.goals.models([this.#condition(key), ...parts], this.want)
      if (!member.complete) this.#single = false
      if (member.values.length === 0) {
        if (!member.complete) this.#doubt = member.reason
        return
      }
      lists.push(member.values)
    }
    for (const values of combinations(lists, this.want)) {
      if (this.#found.size >= this.want) break
      const object = objectOf(keys.map((key, i) => [key, values[i] ?? null] as const))
      if (weight(object) > heaviest) this.#doubt ??= 'a value would be too large'
      else this.#found.set(fingerprint(object), object)
    }
    if (combinationCount(lists) > this.want) this.#single = false
  }

  #possible(parts: readonly Formula[]): boolean {
    const member = this.goals.models(parts, 1)
    if (member.values.length > 0) return true
    if (!member.complete) this.#doubt = member.reason
    return false
  }
}

/** Keys with their own conditions first: they fail sooner. */
function byWeight([, a]: [string, readonly Formula[]], [, b]: [string, readonly Formula[]]): number {
  const weight = (parts: readonly Formula[]): number => Math.max(...parts.map((part) => part.id))
  return weight(b) - weight(a)
}
