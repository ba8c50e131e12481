import type { AdaptedOperation } from './adaptation.js'
import { keep, omitsOf, restOf, stepsOf } from './plan/plan.js'

/**
 * What derived converters of an operation lose: values that fallbacks replace, and members that only the receiver
 * describes, if code cannot test whether it accepts them. An open schema shows such a member to callers, and they may
 * write it back.
 */
export function derivedLoss({ parts }: Pick<AdaptedOperation, 'parts'>): string | undefined {
  const lost = parts.flatMap(({ name, kind, plan }) => {
    const replaced = plan.kind === 'replacing' ? stepsOf({ ...plan, rest: keep }) : []
    const omitted = kind === 'derived' ? omitsOf(restOf(plan)) : []
    return [...replaced, ...omitted].map((step) => `${name} ${step}`)
  })
  return lost.length === 0 ? undefined : lost.join('; ')
}
