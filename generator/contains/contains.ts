import { Undecidable } from './budget.js'
import { Containment, type ContainmentOptions, type Verdict } from './containment.js'
import type { Dialect } from './dialect.js'
import { Judge } from './judge.js'
import type { Json } from './value.js'

/**
 * Whether every instance of schema `a` is an instance of schema `b`.
 *
 * contained: proved. not-contained: the witness was accepted by AJV under `a` and rejected under `b`. unknown: the
 * reason says why neither was found. Throws nothing.
 */
export function contains(a: Json, b: Json, options: ContainmentOptions): Verdict {
  const containment = new Containment({ judge: judgeOf(options.dialect), ...options })
  try {
    return containment.decide(containment.subject(a, ''), containment.subject(b, ''))
  } catch (error) {
    if (error instanceof Undecidable) return { verdict: 'unknown', reason: error.message }
    if (error instanceof RangeError) return { verdict: 'unknown', reason: 'schemas are nested too deeply' }
    throw error
  }
}

const judges = new Map<Dialect, Judge>()

function judgeOf(dialect: Dialect): Judge {
  const known = judges.get(dialect)
  if (known !== undefined) return known
  const judge = new Judge(dialect)
  judges.set(dialect, judge)
  return judge
}
