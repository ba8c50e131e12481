import { digestOf } from '../../cache/store.js'
import { compareVersions } from '../../model/version-order.js'
import type { NeighbourVersion } from '../../reference/neighbours.js'

/** A version as the pages of others show it, and what identifies its document. */
export interface VersionSummary extends NeighbourVersion {
  readonly file: string
  /** Digest of all files that were read for it. */
  readonly identity: string
}

/** What a version's files depend on, besides its own document. */
export interface Surroundings {
  /** The newest first. */
  readonly versions: readonly NeighbourVersion[]
  /** The previous version. */
  readonly before: VersionSummary | undefined
  /** Digest of everything that the files depend on, for the record of a run. */
  readonly digest: string
}

/** @param rest digest of everything else that the files depend on, such as templates */
export function surroundingsOf(
  file: string,
  summaries: readonly VersionSummary[],
  rest: string,
): Surroundings {
  const ordered = [...summaries].sort((a, b) => compareVersions(b.version, a.version))
  const before = ordered[ordered.findIndex((one) => one.file === file) + 1]
  const versions = ordered.map(({ version, pages }) => ({ version, pages }))
  const digest = digestOf(JSON.stringify(versions), before?.identity ?? '', rest)
  return { versions, before, digest }
}
