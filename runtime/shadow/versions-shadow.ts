import type { Contract } from '../contract/contract.js'
import type { UsageOptions } from '../usage/recorder.js'
import type { ShadowChanges, ShadowOptions } from '../usage/shadow-options.js'

export interface VersionsShadow<Principal> extends UsageOptions<Principal> {
  /** The output of `duet diff OLD NEW --format shadow` for each pair of neighbours. */
  readonly changes?: readonly ShadowChanges[]
}

/** The options of one version. Its calls are tried on the next version; calls of the newest are only counted. */
export function shadowOf<Principal>(
  { changes = [], ...options }: VersionsShadow<Principal>,
  older: Contract,
  next: Contract | undefined,
): ShadowOptions<Principal> {
  if (next === undefined) return options
  const own = changes.find(({ from, to }) => from === older.version && to === next.version)
  return { ...options, next: { contract: next }, ...(own !== undefined && { changes: own }) }
}
