import type { Trial } from './trial.js'

/** Whether a converter refuses calls. A handler may: it answers problems as the operation's own does. */
export function refusesCalls({ part, refused }: Trial): boolean {
  return part === 'params' && refused !== undefined
}

/** What fails, and which calls a converter refuses, one line each. */
export function faultLines(trials: readonly Trial[], older: string): readonly string[] {
  return trials.flatMap((trial) => {
    const { operation, part, fault, refused, cases } = trial
    if (fault !== undefined) return [`fails    ${operation} ${part}: ${fault.what}`]
    return refusesCalls(trial)
      ? [
          `refuses  ${operation} ${part}: ${refused} of ${cases} calls that ${older} accepts. They still break`,
        ]
      : []
  })
}

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
