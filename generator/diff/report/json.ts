import type { Change, Comparison } from '../change/change.js'
import type { Gate } from '../gate/gate.js'

/** The object of `diff --format json`, with its members in the order of their documentation. */
export function comparisonJson(comparison: Comparison, gate: Gate): object {
  const { old, new: fresh, verdict, bump, pairing, changes } = comparison
  return { old, new: fresh, verdict, bump, pairing, gate: gateJson(gate), changes: changes.map(changeJson) }
}

function gateJson({ waivers, failing: _, ...gate }: Gate): object {
  return { ...gate, waivers: waivers.map(({ at, ...rest }) => ({ ...rest, ...at })) }
}

function changeJson({ evidence: _, copy: __, ...change }: Change): object {
  return change
}
