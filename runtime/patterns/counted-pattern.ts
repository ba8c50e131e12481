import { spend, stepsFor } from './pattern-account.js'

/**
 * A regular expression as the steps of a backtracking machine, by ECMA-262. A step with `back` reads the
 * character before the position. Targets are step numbers.
 */
export type PatternStep =
  | readonly ['char', code: number, back: 0 | 1]
  /** Matches a character of this class, escape or dot. */
  | readonly ['set', source: string, back: 0 | 1]
  /**
   * Matches the text of one of these groups (a backreference). Registers are those of the groups' starts;
   * each next register has the end.
   */
  | readonly ['same', registers: readonly number[], back: 0 | 1]
  | readonly ['start' | 'end' | 'boundary' | 'inside' | 'found']
  | readonly ['go', target: number]
  /** Tries the next step, then the target if that fails. */
  | readonly ['try', target: number]
  /** Writes the position into the register. */
  | readonly ['mark', register: number]
  /** Sets the repetition's count in the register to zero. */
  | readonly ['count', register: number]
  /** Jumps to the target after fewer than `rounds` rounds. */
  | readonly ['least', register: number, rounds: number, target: number]
  /** Jumps to the target after `rounds` rounds. */
  | readonly ['most', register: number, rounds: number, target: number]
  /**
   * Begins a round and saves its position in the next register. Clears the registers of the groups inside.
   */
  | readonly ['round', register: number, from: number, to: number]
  /** Ends a round and jumps to the target. The round may be empty only among the first `least`. */
  | readonly ['again', register: number, least: number, target: number]
  /** A lookaround: tests whether the following steps match here, or do not; then jumps to the target. */
  | readonly ['look', negated: 0 | 1, target: number]

export interface PatternSteps {
  readonly steps: readonly PatternStep[]
  readonly flags: string
  readonly registers: number
}

/** Steps per character of a text: this, or twice the pattern's steps up to the maximum. */
const STEPS = 50
const MOST_STEPS = 1000

/** A text gets the steps of one with this many more characters, so that short texts get enough. */
const MORE_CHARACTERS = 30

/**
 * Steps that each character adds to the budget of a call. A step takes some 50 ns, and nothing else runs meanwhile: so
 * 1 MB of text takes a quarter of a second.
 */
const CALL_STEPS_PER_CHARACTER = 5

/** Maximum of open choices, to bound the memory. */
const MOST_CHOICES = 2 ** 20

/**
 * Runs a regular expression that has no automaton by backtracking, and counts the steps. Gives up on a text
 * that takes more than its allowance per character.
 */
export class CountedPattern {
  /** Four numbers a step: its opcode, then its operands. */
  readonly #code: Int32Array
  readonly #sets: readonly ((code: number) => boolean)[]
  readonly #groups: readonly (readonly number[])[]
  readonly #isUnicode: boolean
  readonly #registers: Int32Array
  readonly #perCharacter: number
  /** Three numbers each: the step to continue at, the position, and the trail's length. */
  readonly #choices: number[] = []
  /** Two numbers each: a register, and its previous value. */
  readonly #trail: number[] = []
  #text = ''
  #left = 0

  constructor({ steps, flags, registers }: PatternSteps) {
    const sources = [...new Set(steps.flatMap((step) => (step[0] === 'set' ? [step[1]] : [])))]
    this.#sets = sources.map((source) => setOf(source, flags))
    this.#groups = steps.flatMap((step) => (step[0] === 'same' ? [step[1]] : []))
    this.#code = Int32Array.from(
      steps.flatMap(([name, first = 0, second = 0, third = 0]) => {
        const value = typeof first === 'string' ? sources.indexOf(first) : first
        return [NAMES[name], typeof value === 'number' ? value : this.#groups.indexOf(value), second, third]
      }),
    )
    this.#isUnicode = flags.includes('u')
    this.#registers = new Int32Array(registers)
    this.#perCharacter = Math.min(MOST_STEPS, STEPS + 2 * steps.length)
  }

  /** Whether a text contains a match; undefined if that takes too many steps. */
  decide(text: string): boolean | undefined {
    this.#text = text
    const most = (text.length + MORE_CHARACTERS) * this.#perCharacter
    const allowed = stepsFor(text, most, CALL_STEPS_PER_CHARACTER)
    this.#left = allowed
    let isFound = false
    for (
      let at = 0;
      at <= text.length && !isFound && this.#left >= 0;
      at += this.#after(at) > 0xffff ? 2 : 1
    ) {
      this.#registers.fill(-1)
      this.#trail.length = 0
      this.#choices.length = 0
      isFound = this.#run(0, at)
    }
    spend(allowed - this.#left, this.#left < 0 && allowed < most)
    return this.#left < 0 ? undefined : isFound
  }

  /**
   * Whether the machine reaches `found` from a step at a position. The registers keep their values
   * afterwards.
   */
  #run(from: number, start: number): boolean {
    const code = this.#code
    const choices = this.#choices
    const open = choices.length
    let next = from
    let at = start
    for (;;) {
      if (--this.#left < 0 || choices.length > 3 * MOST_CHOICES) {
        this.#left = -1
        return false
      }
      const step = 4 * next++
      const first = code[step + 1] ?? 0
      switch (code[step]) {
        case NAMES.char:
        case NAMES.set:
          at = this.#read(step, at)
          break
        case NAMES.go:
          next = first
          break
        case NAMES.try:
          choices.push(first, at, this.#trail.length)
          break
        case NAMES.least:
          if (this.#in(first) < (code[step + 2] ?? 0)) next = code[step + 3] ?? 0
          break
        case NAMES.most:
          if (this.#in(first) >= (code[step + 2] ?? 0)) next = code[step + 3] ?? 0
          break
        case NAMES.again:
          if (this.#in(first) >= (code[step + 2] ?? 0) && this.#in(first + 1) === at) at = -1
          else {
            this.#write(first, this.#in(first) + 1)
            next = code[step + 3] ?? 0
          }
          break
        case NAMES.look:
          at = this.#look(first === 1, next, at)
          next = code[step + 2] ?? 0
          break
        case NAMES.found:
          choices.length = open
          return true
        default:
          at = this.#other(step, at)
      }
      if (at >= 0) continue
      if (choices.length === open) return false
      this.#undo(choices.pop() ?? 0)
      at = choices.pop() ?? 0
      next = choices.pop() ?? 0
    }
  }

  /** Runs a step that needs no choice. Returns the new position, or -1 if it fails. */
  #other(step: number, at: number): number {
    const first = this.#code[step + 1] ?? 0
    const second = this.#code[step + 2] ?? 0
    switch (this.#code[step]) {
      case NAMES.mark:
        this.#write(first, at)
        return at
      case NAMES.count:
        this.#write(first, 0)
        return at
      case NAMES.round:
        this.#write(first + 1, at)
        for (let register = second; register < (this.#code[step + 3] ?? 0); register++)
          this.#write(register, -1)
        return at
      case NAMES.start:
        return at === 0 ? at : -1
      case NAMES.end:
        return at === this.#text.length ? at : -1
      case NAMES.same:
        return this.#same(this.#groups[first] ?? [], at, second === 1)
      default:
        return (this.#isWord(at - 1) !== this.#isWord(at)) === (this.#code[step] === NAMES.boundary) ? at : -1
    }
  }

  #read(step: number, at: number): number {
    const isBack = this.#code[step + 2] === 1
    const wanted = this.#code[step + 1] ?? 0
    const found = isBack ? this.#before(at) : this.#after(at)
    const isTaken =
      this.#code[step] === NAMES.char ? found === wanted : found >= 0 && this.#sets[wanted]?.(found) === true
    if (!isTaken) return -1
    return at + (isBack ? -1 : 1) * (found > 0xffff ? 2 : 1)
  }

  #look(isNegated: boolean, from: number, at: number): number {
    const length = this.#trail.length
    const isFound = this.#run(from, at)
    if (isNegated || !isFound) this.#undo(length)
    return isFound !== isNegated && this.#left >= 0 ? at : -1
  }

  #same(registers: readonly number[], at: number, isBack: boolean): number {
    const register = registers.find((each) => this.#in(each) >= 0 && this.#in(each + 1) >= 0)
    if (register === undefined) return at
    const [from, to] = [this.#in(register), this.#in(register + 1)]
    const start = isBack ? at - (to - from) : at
    if (start < 0 || start + to - from > this.#text.length) return -1
    for (let i = from; i < to; i++, this.#left--)
      if (this.#text.charCodeAt(i) !== this.#text.charCodeAt(start + i - from)) return -1
    return isBack ? start : at + to - from
  }

  #in(register: number): number {
    return this.#registers[register] ?? -1
  }

  #write(register: number, value: number): void {
    this.#trail.push(register, this.#in(register))
    this.#registers[register] = value
  }

  #undo(length: number): void {
    while (this.#trail.length > length) {
      const value = this.#trail.pop() ?? -1
      this.#registers[this.#trail.pop() ?? 0] = value
    }
  }

  /** The character after a position, or -1. */
  #after(at: number): number {
    if (at >= this.#text.length) return -1
    return (this.#isUnicode ? this.#text.codePointAt(at) : this.#text.charCodeAt(at)) ?? -1
  }

  #before(at: number): number {
    if (at <= 0) return -1
    const pair = this.#isUnicode && at > 1 ? (this.#text.codePointAt(at - 2) ?? 0) : 0
    return pair > 0xffff ? pair : this.#text.charCodeAt(at - 1)
  }

  #isWord(at: number): boolean {
    return word.test(this.#text.charAt(at))
  }
}

const word = /^\w$/

const NAMES = {
  char: 0,
  set: 1,
  go: 2,
  try: 3,
  least: 4,
  most: 5,
  again: 6,
  look: 7,
  found: 8,
  mark: 9,
  count: 10,
  round: 11,
  start: 12,
  end: 13,
  same: 14,
  boundary: 15,
  inside: 16,
} satisfies Record<PatternStep[0], number>

/** The engine itself decides which characters a class matches, one character at a time. */
function setOf(source: string, flags: string): (code: number) => boolean {
  const one = new RegExp(`^(?:${source})$`, flags)
  const takes = (code: number) => one.test(String.fromCodePoint(code))
  const ascii = Array.from({ length: 128 }, (_, code) => takes(code))
  return (code) => ascii[code] ?? takes(code)
}
