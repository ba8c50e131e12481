import { createRequire } from 'node:module'
import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** Code points from min to max, both inclusive. */
export interface CharacterRange {
  readonly min: number
  readonly max: number
}

/** A position of a match, with its transitions. */
export interface PatternState {
  readonly free: { readonly to: number; readonly when: Assertion | undefined }[]
  readonly reading: { readonly to: number; readonly characters: readonly CharacterRange[] }[]
}

/** A condition on the position in the word, which reads nothing. */
export type Assertion = 'start' | 'end' | 'boundary' | 'inside'

/** A nondeterministic automaton that finds a match anywhere: it loops at `start` and may stop at `final`. */
export interface PatternAutomaton {
  readonly states: readonly PatternState[]
  readonly start: number
  readonly final: number
  readonly boundaries: boolean
}

/** Thrown for expressions without an automaton: lookaround, backreferences, or too large. */
export class NotRegular extends Error {}

const everyCharacter: readonly CharacterRange[] = [{ min: 0, max: 0x10ffff }]

/**
 * The automaton of a regular expression in a search, like RegExp.prototype.test.
 *
 * Throws NotRegular, and SyntaxError for the same sources as RegExp.
 */
export function patternAutomaton(source: string, flags: string): PatternAutomaton {
  const unicode = flags.includes('u')
  const pattern = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, undefined, undefined, {
    unicode,
  })
  return new Construction({ unicode, ignoreCase: flags.includes('i') }).build(pattern)
}

const maxStates = 4000

class Construction {
  readonly #states: PatternState[] = []
  readonly #sets = new Map<string, readonly CharacterRange[]>()
  #boundaries = false

  constructor(readonly flags: { readonly unicode: boolean; readonly ignoreCase: boolean }) {}

  build(pattern: AST.Pattern): PatternAutomaton {
    const start = this.#state()
    const final = this.#state()
    this.#read(start, start, everyCharacter)
    this.#alternatives(pattern.alternatives, start, final)
    return { states: this.#states, start, final, boundaries: this.#boundaries }
  }

  #state(): number {
    if (this.#states.length >= maxStates) throw new NotRegular('a pattern is too large')
    return this.#states.push({ free: [], reading: [] }) - 1
  }

  #link(from: number, to: number, when?: Assertion): void {
    this.#states[from]?.free.push({ to, when })
  }

  #read(from: number, to: number, characters: readonly CharacterRange[]): void {
    this.#states[from]?.reading.push({ to, characters })
  }

  #alternatives(alternatives: readonly AST.Alternative[], from: number, to: number): void {
    for (const alternative of alternatives) {
      let at = from
      for (const element of alternative.elements) {
        const next = this.#state()
        this.#element(element, at, next)
        at = next
      }
      this.#link(at, to)
    }
  }

  #element(element: AST.Element, from: number, to: number): void {
    switch (element.type) {
      case 'Group':
        if (element.modifiers !== null) throw new NotRegular('a pattern has modifiers')
        this.#alternatives(element.alternatives, from, to)
        return
      case 'CapturingGroup':
        this.#alternatives(element.alternatives, from, to)
        return
      case 'Quantifier':
        this.#quantifier(element, from, to)
        return
      case 'Assertion':
        this.#assertion(element, from, to)
        return
      case 'Character':
      case 'CharacterClass':
      case 'CharacterSet':
        this.#read(from, to, this.#characters(element))
        return
      default:
        throw new NotRegular('a pattern has a backreference')
    }
  }

  #quantifier(quantifier: AST.Quantifier, from: number, to: number): void {
    const { min, max, element } = quantifier
    if (element.type === 'Assertion') throw new NotRegular('a pattern repeats an assertion')
    let at = from
    for (let i = 0; i < min; i++) {
      const next = this.#state()
      this.#element(element, at, next)
      at = next
    }
    if (max === Number.POSITIVE_INFINITY) {
      const loop = this.#state()
      const back = this.#state()
      this.#link(at, loop)
      this.#element(element, loop, back)
      this.#link(back, loop)
      this.#link(loop, to)
      return
    }
    for (let i = min; i < max; i++) {
      this.#link(at, to)
      const next = this.#state()
      this.#element(element, at, next)
      at = next
    }
    this.#link(at, to)
  }

  #assertion(assertion: AST.Assertion, from: number, to: number): void {
    if (assertion.kind === 'start' || assertion.kind === 'end') {
      this.#link(from, to, assertion.kind)
      return
    }
    if (assertion.kind !== 'word') throw new NotRegular('a pattern has lookaround')
    this.#boundaries = true
    this.#link(from, to, assertion.negate ? 'inside' : 'boundary')
  }

  #characters(element: AST.Character | AST.CharacterClass | AST.CharacterSet): readonly CharacterRange[] {
    const known = this.#sets.get(element.raw)
    if (known !== undefined) return known
    if (element.type === 'CharacterSet' && element.kind === 'property' && element.strings)
      throw new NotRegular('a pattern has a property of strings')
    if (element.type === 'CharacterClass' && element.unicodeSets)
      throw new NotRegular('a pattern has a class of strings')
    const { ranges } = load().JS.parseCharSet(element, this.flags)
    this.#sets.set(element.raw, ranges)
    return ranges
  }
}

/** Few documents have a pattern that must be parsed, and the parser is slow to load. */
function load(): typeof import('refa') {
  return createRequire(import.meta.url)('refa')
}
