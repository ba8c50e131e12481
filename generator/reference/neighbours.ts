import type { Change } from '../diff/change/change.js'

/** Data about other versions for the reference of one. */
export interface Neighbours {
  /** All versions that are generated together, including this one, the newest first. */
  readonly versions: readonly NeighbourVersion[]
  /** The module of the typed client: `@billing/api/1.1.0/client`. */
  readonly module: string
  /** The changes since the previous version. Undefined if there is none. */
  readonly changes?: () => Promise<VersionChanges>
}

export interface NeighbourVersion {
  readonly version: string
  /** Its reference's pages: `clients.html`. */
  readonly pages: readonly string[]
}

export interface VersionChanges {
  /** The previous version. */
  readonly since: string
  readonly changes: readonly VersionChange[]
}

/** A change in the form that the reference shows. */
export interface VersionChange extends Pick<Change, 'level' | 'protocols' | 'operations' | 'message'> {
  /** The component schema of the change, if it does not belong to a single operation. */
  readonly schema: string | null
}
