import { digestOf } from '../../cache/store.js'
import { compareVersions } from '../../model/version-order.js'
import type { NeighbourVersion } from '../../reference/neighbours.js'

/** What other versions need to know about a document. */
export interface Known extends NeighbourVersion {
  readonly file: string
  /** Digest of all files that were read for it. */
  readonly identity: string
}

/** What a version's files depend on, besides its own document. */
export interface Surroundings {
  /** The newest first. */
  readonly versions: readonly NeighbourVersion[]
  /** The previous version. */
  readonly before: Known | undefined
  /** Represents all of it in the record of a run. */
  readonly digest: string
}

/** @param rest what else the files depend on */
export function surroundingsOf(file: string, known: readonly Known[], rest: string): Surroundings {
  const ordered = [...known].sort((a, b) => compareVersions(b.version, a.version))
  const before = ordered[ordered.findIndex((one) => one.file === file) + 1]
  const versions = ordered.map(({ version, pages }) => ({ version, pages }))
  const digest = digestOf(JSON.stringify(versions), before?.identity ?? '', rest)
  return { versions, before, digest }
}
