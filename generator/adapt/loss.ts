import type { AdaptedOperation } from './adaptation.js'
import { dropsOf, keep, restOf, stepsOf } from './plan/plan.js'

/**
 * What derived converters of an operation lose: values that fallbacks replace, and members of calls. An open result shows
 * such a member to callers, and they may write it back.
 */
export function derivedLoss({ parts }: Pick<AdaptedOperation, 'parts'>): string | undefined {
  const lost = parts.flatMap(({ name, kind, plan }) => {
    const replaced = plan.kind === 'replacing' ? stepsOf({ ...plan, rest: keep }) : []
    const dropped = name === 'params' && kind === 'derived' ? dropsOf(restOf(plan)) : []
    return [...replaced, ...dropped].map((step) => `${name} ${step}`)
  })
  return lost.length === 0 ? undefined : lost.join('; ')
}
