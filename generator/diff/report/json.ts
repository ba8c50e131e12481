import type { Change, Comparison } from '../change.js'

/** The object of `diff --format json`, with its members in the order of their documentation. */
export function comparisonJson({ old, new: fresh, verdict, bump, changes }: Comparison): object {
  return { old, new: fresh, verdict, bump, changes: changes.map(changeJson) }
}

function changeJson({ evidence: _, ...change }: Change): object {
  return change
}
