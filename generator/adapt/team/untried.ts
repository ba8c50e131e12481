import type { Trial } from './trial.js'

/** What was not tried, one line each, and what to do about it. */
export function untriedLines(trials: readonly Trial[], step: string): readonly string[] {
  const lines = trials.flatMap(({ operation, part, untried }) =>
    untried === undefined ? [] : [`untried  ${operation} ${part}: ${untried}`],
  )
  if (lines.length === 0) return lines
  return [
    ...lines,
    `         What is not tried does not count. Say in ${step}.check.ts how to try it: export the adapter with test`,
    '         doubles, a context, or checks of your own (docs/adapt.md, What is tried).',
  ]
}
