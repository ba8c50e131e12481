import type { Change } from '../diff/change/change.js'

/** What the reference of a version says of the versions beside it. */
export interface Neighbours {
  /** All versions that are generated together, this one among them, the newest first. */
  readonly versions: readonly NeighbourVersion[]
  /** What the typed client is imported from: `@billing/api/1.1.0/client`. */
  readonly module: string
  /** What changed since the version before this one; undefined where there is none. */
  readonly changes?: () => Promise<VersionChanges>
}

export interface NeighbourVersion {
  readonly version: string
  /** Its reference's pages: `clients.html`. */
  readonly pages: readonly string[]
}

export interface VersionChanges {
  /** The version before. */
  readonly since: string
  readonly changes: readonly VersionChange[]
}

/** A change as the reference tells of it. */
export interface VersionChange extends Pick<Change, 'level' | 'protocols' | 'operations' | 'message'> {
  /** The component schema that is told of, where the change is not of one operation alone. */
  readonly schema: string | null
}
