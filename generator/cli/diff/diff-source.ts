import { namedSpecs } from '../../project/specs.js'
import { UsageError } from '../../project/usage-error.js'
import { unpack } from './git-source.js'

/** A version as the command line names it, found in a folder to read it from. */
export interface VersionSource {
  /** As reports name it. */
  readonly name: string
  readonly file: string
  readonly cwd: string
  /** Removes what was unpacked for it. */
  readonly dispose: () => void
}

/** A file, a version under spec/, or `git:REV:PATH`. Throws UsageError where there is no such thing. */
export function versionSource(named: string, cwd: string): VersionSource {
  const git = /^git:([^:]+):(.+)$/.exec(named)
  if (git !== null) return { name: named, ...unpack(git[1] ?? '', git[2] ?? '', cwd) }
  if (named.startsWith('git:')) throw new UsageError(`${named} is not complete. Write git:REV:PATH.`)
  const [file = named] = namedSpecs([named], cwd)
  return { name: file, file, cwd, dispose: () => {} }
}
