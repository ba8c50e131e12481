import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { namedSpecs } from './specs.js'
import { UsageError } from './usage-error.js'

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
  if (git !== null) return fromGit(named, git[1] ?? '', git[2] ?? '', cwd)
  if (named.startsWith('git:')) throw new UsageError(`${named} is not complete. Write git:REV:PATH.`)
  const [file = named] = namedSpecs([named], cwd)
  return { name: file, file, cwd, dispose: () => {} }
}

/** Unpacks the folder of a committed document, so that references to its neighbours lead there as well. */
function fromGit(name: string, revision: string, path: string, cwd: string): VersionSource {
  if (revision.startsWith('-')) throw new UsageError(`${revision} is no revision.`)
  const git = (...args: string[]): Buffer =>
    execFileSync('git', args, { cwd, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 30 })
  const folder = dirname(path)
  let files: string[]
  try {
    git('cat-file', '-e', `${revision}:./${path}`)
    files = git('ls-tree', '-r', '-z', '--name-only', revision, '--', `./${folder}/`).toString().split('\0')
  } catch {
    throw new UsageError(`git has no file ${path} in ${revision}.`)
  }
  const temporary = mkdtempSync(join(tmpdir(), 'duet-diff-'))
  const wanted = new Set([path, ...files.filter((file) => /\.(ya?ml|json)$/.test(file))])
  for (const file of wanted) {
    const target = join(temporary, file)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, git('show', `${revision}:./${file}`))
  }
  return {
    name,
    file: path,
    cwd: temporary,
    dispose: () => rmSync(temporary, { recursive: true, force: true }),
  }
}
