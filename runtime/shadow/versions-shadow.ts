import type { Contract } from '../contract/contract.js'
import type { UsageOptions } from '../usage/recorder.js'
import type { ShadowChanges, ShadowOptions } from '../usage/shadow-options.js'

export interface VersionsShadow<Principal> extends UsageOptions<Principal> {
  /** For each pair of neighbours, what `duet diff OLD NEW --format shadow` wrote. */
  readonly changes?: readonly ShadowChanges[]
}

/** The shadow of one version: calls are tried on the next one, those of the newest version are only counted. */
export function shadowOf<Principal>(
  { changes = [], ...options }: VersionsShadow<Principal>,
  older: Contract,
  next: Contract | undefined,
): ShadowOptions<Principal> {
  if (next === undefined) return options
  const own = changes.find(({ from, to }) => from === older.version && to === next.version)
  return { ...options, next: { contract: next }, ...(own !== undefined && { changes: own }) }
}
