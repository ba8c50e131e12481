import { concern, type Formula, types } from '../formula/formula.js'
import type { Formulas } from '../formula/formulas.js'

/** Assumptions about a value of one type: settled ones, and open choices. */
export class Branch {
  readonly present: Set<Formula>
  readonly literals: Set<Formula>
  readonly #pending: Set<Formula>
  /** The only remaining values, if some assumption lists them. */
  listed: (Formula & { kind: 'value' }) | undefined

  constructor(
    readonly formulas: Formulas,
    readonly type: number,
    from?: Branch,
  ) {
    this.present = new Set(from?.present)
    this.literals = new Set(from?.literals)
    this.#pending = new Set(from === undefined ? [] : from.#pending)
    this.listed = from?.listed
  }

  copy(): Branch {
    return new Branch(this.formulas, this.type, this)
  }

  get undecided(): number {
    return this.#pending.size
  }

  /** Adds assumptions. False if they contradict the existing ones. */
  assume(parts: Iterable<Formula>): boolean {
    const stack = [...parts].reverse()
    for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
      if (this.present.has(part) || this.#vacuous(part)) continue
      if ((part.mask & this.type) === 0) return false
      const opposite = this.formulas.knownNegation(part)
      if (opposite !== undefined && this.present.has(opposite)) return false
      this.present.add(part)
      switch (part.kind) {
        case 'all':
          stack.push(...part.parts)
          break
        case 'reference': {
          const body = part.target.formula()
          stack.push(part.positive ? body : this.formulas.not(body))
          break
        }
        case 'any':
        case 'one':
          this.#pending.add(part)
          break
        case 'value':
          if (part.positive) this.listed = part
          else this.#exclude(part)
          break
        default:
          this.literals.add(part)
      }
    }
    return true
  }

  /** Draws conclusions from open choices until nothing more follows. False on a contradiction. */
  propagate(): boolean {
    for (let changed = true; changed; ) {
      changed = false
      for (const choice of this.#pending) {
        const ways = this.#ways(choice)
        if (ways === undefined) this.#pending.delete(choice)
        else if (ways.length === 0) return false
        else if (ways.length === 1) {
          this.#pending.delete(choice)
          if (!this.assume(ways[0] ?? [])) return false
          changed = true
        }
      }
    }
    return true
  }

  /** Removes and returns the open choice with the fewest alternatives. Undefined if there is none. */
  choose(): readonly (readonly Formula[])[] | undefined {
    let best: { choice: Formula; ways: readonly (readonly Formula[])[] } | undefined
    for (const choice of this.#pending) {
      const ways = this.#ways(choice)
      if (ways !== undefined && (best === undefined || ways.length < best.ways.length))
        best = { choice, ways }
    }
    if (best === undefined) return undefined
    this.#pending.delete(best.choice)
    return best.ways
  }

  #exclude(part: Formula & { kind: 'value' }): void {
    if (this.type === types.number || this.type === types.string) {
      this.literals.add(part)
      return
    }
    for (const value of part.values.values()) {
      const structure = this.formulas.structure(value)
      if ((structure.mask & this.type) === 0) continue
      const opposite = this.formulas.not(structure)
      if (this.present.has(opposite)) continue
      this.present.add(opposite)
      if (opposite.kind === 'any') this.#pending.add(opposite)
      else if (opposite.kind === 'all') for (const one of opposite.parts) this.literals.add(one)
      else this.literals.add(opposite)
    }
  }

  /** The remaining ways to satisfy a choice. Undefined if it is satisfied already. */
  #ways(choice: Formula): readonly (readonly Formula[])[] | undefined {
    if (choice.kind === 'any') {
      if (choice.parts.some((part) => this.#holds(part))) return undefined
      return choice.parts.filter((part) => !this.#fails(part)).map((part) => [part])
    }
    if (choice.kind !== 'one') return undefined
    const { formulas } = this
    const sure = choice.parts.filter((part) => this.#holds(part))
    const open = choice.parts.filter((part) => !sure.includes(part) && !this.#fails(part))
    if (choice.positive) {
      if (sure.length > 1) return []
      if (sure.length === 1) return [open.map((part) => formulas.not(part))]
      return open.map((part, i) => [
        part,
        ...open.filter((_, j) => j !== i).map((other) => formulas.not(other)),
      ])
    }
    if (sure.length > 1) return undefined
    if (sure.length === 1) return open.length === 0 ? [] : [[formulas.any(open)]]
    const [first, ...rest] = open
    if (first === undefined) return undefined
    if (rest.length === 0) return [[formulas.not(first)]]
    return [
      [first, formulas.any(rest)],
      [formulas.not(first), formulas.one(rest, false)],
    ]
  }

  /** Whether a formula does not constrain values of this type. */
  #vacuous(part: Formula): boolean {
    const about = concern(part)
    return (
      (about !== undefined && about !== this.type) || (part.kind === 'type' && (part.mask & this.type) !== 0)
    )
  }

  #holds(part: Formula, depth = 0): boolean {
    if (this.present.has(part) || this.#vacuous(part)) return true
    if (depth > 4) return false
    if (part.kind === 'all') return part.parts.every((one) => this.#holds(one, depth + 1))
    return part.kind === 'any' && part.parts.some((one) => this.#holds(one, depth + 1))
  }

  #fails(part: Formula, depth = 0): boolean {
    if ((part.mask & this.type) === 0) return true
    const opposite = this.formulas.knownNegation(part)
    if (opposite !== undefined && this.present.has(opposite)) return true
    if (depth > 4) return false
    if (part.kind === 'all') return part.parts.some((one) => this.#fails(one, depth + 1))
    if (part.kind === 'any') return part.parts.every((one) => this.#fails(one, depth + 1))
    return false
  }
}
