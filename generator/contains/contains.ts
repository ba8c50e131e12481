import { Containment, type ContainmentOptions } from './containment.js'
import { judgeOf } from './judge.js'
import type { Json } from './values/value.js'
import { guarded, type Verdict } from './verdict.js'

/**
 * Whether every instance of schema `a` is an instance of schema `b`.
 *
 * contained: proved. not-contained: AJV accepted the witness under `a` and rejected it under `b`. unknown:
 * neither was found, and the reason explains why. Throws nothing.
 */
export function contains(a: Json, b: Json, options: ContainmentOptions): Verdict {
  const containment = new Containment({ judge: judgeOf(options.dialect, options.arithmetic), ...options })
  return guarded(() => containment.decide(containment.subject(a, ''), containment.subject(b, '')))
}
