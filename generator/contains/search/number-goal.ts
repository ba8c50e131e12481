import type { Budget } from '../../patterns/budget.js'
import type { Formula } from '../formula/formula.js'
import type { Arithmetic } from '../schema/dialect.js'
import {
  add,
  ceiling,
  compare,
  divide,
  floor,
  fraction,
  fromNumber,
  isMultiple,
  key,
  leastCommonMultiple,
  multiply,
  type Rational,
  toNumber,
  zero,
} from '../values/rational.js'
import type { Json } from '../values/value.js'
import { nothing, type SearchResult, undecided } from './answer.js'

/** Numbers within bounds that are multiples of some numbers, not of others, and not excluded. */
export function solveNumbers(
  literals: Iterable<Formula>,
  want: number,
  { budget, arithmetic }: { readonly budget: Budget; readonly arithmetic: Arithmetic },
): SearchResult {
  const goal = gather(literals, arithmetic)
  if (isEmpty(goal)) return nothing
  return goal.step === undefined ? onLine(goal, want) : onGrid(goal, goal.step, want, budget)
}

interface Goal {
  readonly arithmetic: Arithmetic
  min: Rational | undefined
  minOpen: boolean
  max: Rational | undefined
  maxOpen: boolean
  /** The number is a multiple of this. */
  step: Rational | undefined
  steps: Rational[]
  avoided: Rational[]
  excluded: Set<string>
}

function gather(literals: Iterable<Formula>, arithmetic: Arithmetic): Goal {
  const goal: Goal = {
    arithmetic,
    min: undefined,
    minOpen: false,
    max: undefined,
    maxOpen: false,
    step: undefined,
    steps: [],
    avoided: [],
    excluded: new Set(),
  }
  for (const literal of literals) {
    if (literal.kind === 'bound') tighten(goal, literal)
    else if (literal.kind === 'multiple') {
      if (!literal.positive) goal.avoided.push(literal.of)
      else {
        goal.step = goal.step === undefined ? literal.of : leastCommonMultiple(goal.step, literal.of)
        goal.steps.push(literal.of)
      }
    } else if (literal.kind === 'value' && !literal.positive) {
      for (const value of literal.values.values())
        if (typeof value === 'number') goal.excluded.add(key(fromNumber(value)))
    }
  }
  return goal
}

function tighten(goal: Goal, { side, value, open }: Formula & { kind: 'bound' }): void {
  const known = goal[side]
  const order = known === undefined ? undefined : compare(value, known)
  if (order === undefined || (side === 'min' ? order > 0 : order < 0)) {
    goal[side] = value
    goal[`${side}Open`] = open
  } else if (order === 0 && open) goal[`${side}Open`] = true
}

function isEmpty({ min, max, minOpen, maxOpen }: Goal): boolean {
  if (min === undefined || max === undefined) return false
  const order = compare(min, max)
  return order > 0 || (order === 0 && (minOpen || maxOpen))
}

function within(goal: Goal, value: Rational): boolean {
  if (goal.min !== undefined) {
    const order = compare(value, goal.min)
    if (order < 0 || (order === 0 && goal.minOpen)) return false
  }
  if (goal.max !== undefined) {
    const order = compare(value, goal.max)
    if (order > 0 || (order === 0 && goal.maxOpen)) return false
  }
  return true
}

function admits(goal: Goal, value: Rational): boolean {
  return (
    within(goal, value) &&
    !goal.excluded.has(key(value)) &&
    goal.steps.every((step) => isMultiple(value, step)) &&
    !goal.avoided.some((step) => isMultiple(value, step))
  )
}

/** If AJV divides doubles, a witness must be a value for which that gives the exact result. */
function admitsInDoubles(goal: Goal, value: number): boolean {
  if (goal.arithmetic === 'decimals') return true
  return (
    goal.steps.every((step) => ajvMultiple(value, step)) &&
    !goal.avoided.some((step) => ajvMultiple(value, step))
  )
}

function ajvMultiple(value: number, step: Rational): boolean {
  const divisor = toNumber(step) ?? Number.NaN
  const quotient = value / divisor
  return quotient === Number.parseInt(String(quotient), 10)
}

/**
 * Any real number: an interval of more than one point always contains more than finitely many and periodic
 * exceptions.
 */
function onLine(goal: Goal, want: number): SearchResult {
  const { min, max } = goal
  if (min !== undefined && max !== undefined && compare(min, max) === 0) return finite(goal, [min], want)
  const found = new Map<number, Json>()
  for (const candidate of lineCandidates(min, max)) {
    if (found.size >= want) break
    const number = admits(goal, candidate) ? toNumber(candidate) : undefined
    if (number !== undefined && admitsInDoubles(goal, number)) found.set(number, number)
  }
  if (found.size === 0) return undecided('the interval has no double that AJV accepts')
  return { values: [...found.values()], complete: false }
}

/** Between integers: decimals with few places, which no validator rounds to others. */
const parts: readonly Rational[] = [
  fraction(1n, 2n),
  fraction(1n, 4n),
  ...[1n, 3n, 7n, 9n, 37n].map((n) => fraction(n, 100n)),
  ...[1000n, 10_000n, 1_000_000n].map((d) => fraction(1n, d)),
]

function* lineCandidates(min: Rational | undefined, max: Rational | undefined): Iterable<Rational> {
  const from = min ?? (max === undefined ? zero : add(max, whole(-40n)))
  const to = max ?? add(from, whole(80n))
  yield zero
  const first = ceiling(from)
  for (let i = 0n; i < 60n; i++) yield whole(first + i)
  const last = floor(to)
  for (let i = 0n; i < 20n; i++) yield whole(last - i)
  for (let i = -20n; i < 20n; i++) yield whole(i)
  for (const base of [first - 1n, first, last, 0n]) for (const part of parts) yield add(whole(base), part)
  yield from
  yield to
  for (const end of [from, to]) {
    const double = Number(end.n) / Number(end.d)
    for (const factor of [1 + 2 ** -52, 1 - 2 ** -53, 1.5, 2, 0.5, 10])
      if (Number.isFinite(double * factor)) yield fromNumber(double * factor)
  }
  const width = add(to, multiply(from, whole(-1n)))
  // Powers of two between the ends are exact doubles, if the ends differ by more than a rounding error.
  for (const part of [2n, 4n, 8n, 3n, 5n, 7n, 10n, 16n, 100n, 1000n])
    for (let i = 1n; i < (part > 12n ? 12n : part); i++) {
      const exact = add(from, multiply(width, fraction(i, part)))
      yield exact
      const near = Number(exact.n) / Number(exact.d)
      if (Number.isFinite(near)) yield fromNumber(near)
    }
}

function whole(n: bigint): Rational {
  return { n, d: 1n }
}

const scanned = 20_000n

/** Multiples of a step. */
function onGrid(goal: Goal, step: Rational, want: number, budget: Budget): SearchResult {
  if (goal.avoided.some((avoided) => isMultiple(step, avoided))) return emptyGrid(goal)
  const first = goal.min === undefined ? undefined : ceiling(divide(goal.min, step))
  const last = goal.max === undefined ? undefined : floor(divide(goal.max, step))
  if (first !== undefined && last !== undefined && last - first < scanned) {
    const values: Rational[] = []
    for (let i = first; i <= last; i++) {
      budget.spend(0.1)
      const value = multiply(step, whole(i))
      if (admits(goal, value)) values.push(value)
      if (values.length > want + 40) break
    }
    return values.length === 0 ? emptyGrid(goal) : finite(goal, values, want)
  }
  const found: Json[] = []
  for (const i of around(first, last)) {
    budget.spend(0.1)
    const value = multiply(step, whole(i))
    const number = admits(goal, value) ? toNumber(value) : undefined
    if (number !== undefined && admitsInDoubles(goal, number)) found.push(number)
    if (found.length >= want) break
  }
  if (found.length > 0) return { values: found, complete: false }
  return allAvoided(goal, step, first, last)
    ? emptyGrid(goal)
    : undecided('no multiple that is a double was found')
}

/** Whether a whole period of the multiples is excluded, in an interval that is at least that long. */
function allAvoided(
  goal: Goal,
  step: Rational,
  first: bigint | undefined,
  last: bigint | undefined,
): boolean {
  const period = goal.avoided.reduce((sum, avoided) => leastCommonMultiple(sum, avoided), step)
  const length = floor(divide(period, step))
  if (length > scanned) return false
  const start = first ?? (last === undefined ? 0n : last - length)
  for (let i = start; i < start + length; i++) {
    const value = multiply(step, whole(i))
    if (!goal.avoided.some((avoided) => isMultiple(value, avoided))) return false
  }
  return true
}

function* around(first: bigint | undefined, last: bigint | undefined): Iterable<bigint> {
  const start = first ?? (last === undefined || last > 0n ? 0n : last)
  if (first === undefined || first <= 0n) if (last === undefined || last >= 0n) yield 0n
  for (let i = 0n; i < 2000n; i++) {
    const up = start + i
    if ((last === undefined || up <= last) && (first === undefined || up >= first)) yield up
    const down = start - i
    if (i > 0n && (first === undefined || down >= first) && (last === undefined || down <= last)) yield down
  }
}

function finite(goal: Goal, candidates: readonly Rational[], want: number): SearchResult {
  const admitted = candidates.filter((value) => admits(goal, value))
  if (admitted.length === 0) return emptyGrid(goal)
  const numbers = admitted.map(toNumber)
  const values = numbers.filter((value) => value !== undefined && admitsInDoubles(goal, value))
  if (values.length === 0) return undecided('AJV divides doubles, and no quotient is exact')
  return {
    values: values.slice(0, want).map((value) => value ?? null),
    complete: values.length === admitted.length && values.length <= want,
  }
}

/**
 * Exact arithmetic leaves nothing. With fractional steps AJV may still accept a number, because it divides
 * doubles; then neither answer would be right for both.
 */
function emptyGrid(goal: Goal): SearchResult {
  if (goal.arithmetic === 'decimals') return nothing
  for (const end of [goal.min, goal.max]) {
    const value = end === undefined ? undefined : toNumber(end)
    if (value !== undefined && remains(goal, value)) return rounded(value)
  }
  const fractions = [...goal.steps, ...goal.avoided].filter((step) => step.d !== 1n)
  for (const step of fractions) {
    const divisor = toNumber(step) ?? Number.NaN
    const from = goal.min === undefined ? -30 : Math.ceil(Number(goal.min.n) / Number(goal.min.d) / divisor)
    if (!Number.isSafeInteger(from)) continue
    for (let i = from; i < from + 200; i++)
      for (const value of [i * divisor, toNumber(multiply(step, whole(BigInt(Math.trunc(i) || 0))))])
        if (value !== undefined && remains(goal, value)) return rounded(value)
  }
  return nothing
}

function remains(goal: Goal, value: number): boolean {
  const exact = fromNumber(value)
  return within(goal, exact) && !goal.excluded.has(key(exact)) && admitsInDoubles(goal, value)
}

function rounded(value: number): SearchResult {
  return undecided(`AJV divides doubles, and so may accept ${value}`)
}
