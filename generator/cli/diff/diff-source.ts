import { commandSpecs } from '../../project/project-specs.js'
import { UsageError } from '../../project/usage-error.js'
import { unpack } from './git-source.js'

/** A version that the command line names, and the folder to read it from. */
export interface VersionSource {
  /** The name in reports. */
  readonly name: string
  readonly file: string
  readonly cwd: string
  /** Removes the files that were unpacked for it. */
  readonly dispose: () => void
}

/** A file, a version under spec/, or `git:REV:PATH`. Throws UsageError if it does not exist. */
export function versionSource(named: string, cwd: string): VersionSource {
  const git = /^git:([^:]+):(.+)$/.exec(named)
  if (git !== null) return { name: named, ...unpack(git[1] ?? '', git[2] ?? '', cwd) }
  if (named.startsWith('git:')) throw new UsageError(`${named} is incomplete. Write git:REV:PATH.`)
  const [file = named] = commandSpecs([named], cwd)
  return { name: file, file, cwd, dispose: () => {} }
}
