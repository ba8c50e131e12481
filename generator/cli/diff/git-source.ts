import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { decodePercent } from '../../document/pointer.js'
import { UsageError } from '../../project/usage-error.js'

/** A committed document and the files that it refers to, unpacked into a temporary folder. */
export interface Unpacked {
  /** The document's path within the folder. */
  readonly file: string
  readonly cwd: string
  readonly dispose: () => void
}

/**
 * Unpacks a document of a revision. Throws UsageError if git, the revision or the file is missing.
 *
 * @param path relative to `cwd`
 */
export function unpack(revision: string, path: string, cwd: string): Unpacked {
  const git = new Git(cwd)
  const commit = git.commit(revision)
  const file = git.path(path)
  const blobs = git.blobs(commit)
  const entry = blobs.get(file)
  if (entry === undefined) throw new UsageError(`git has no file ${path} in ${revision}.`)
  const folder = mkdtempSync(join(tmpdir(), 'duet-diff-'))
  const dispose = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    for (const [name, text] of git.closure(file, blobs)) {
      const target = join(folder, name)
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, text)
    }
  } catch (error) {
    dispose()
    throw error
  }
  return { file, cwd: folder, dispose }
}

/**
 * Finds the day on which git has a file first: `2026-05-01`. Undefined outside of a repository, for a file that is not
 * committed, and if the history is cut off (a shallow clone).
 */
export function firstDays(cwd: string): (path: string) => string | undefined {
  const git = new Git(cwd)
  if (!git.isWhole()) return () => undefined
  return (path) => git.firstDay(path)
}

class Git {
  constructor(readonly cwd: string) {}

  /**
   * The hash of a commit. The name of a revision could look like an option of git, so later calls only use
   * the hash.
   */
  commit(revision: string): string {
    if (revision.startsWith('-'))
      throw new UsageError(`${revision} is not a revision: it begins with a hyphen.`)
    this.#run('rev-parse', '--git-dir')
    try {
      return this.#run('rev-parse', '--verify', '--quiet', `${revision}^{commit}`).toString().trim()
    } catch {
      throw new UsageError(
        `git has no revision ${revision}. Fetch it first. In CI, check out the whole history (fetch-depth: 0).`,
      )
    }
  }

  /** Whether there is a repository with all of its history. */
  isWhole(): boolean {
    try {
      return this.#run('rev-parse', '--is-shallow-repository').toString().trim() === 'false'
    } catch {
      return false
    }
  }

  /** The day of the first commit with a file, by its author. */
  firstDay(path: string): string | undefined {
    try {
      const days = this.#run('log', '--diff-filter=A', '--format=%as', '--', path).toString().trim()
      return days.split('\n').at(-1) || undefined
    } catch {
      return undefined
    }
  }

  /** A path from the root of the repository. */
  path(path: string): string {
    const prefix = this.#run('rev-parse', '--show-prefix').toString().trim()
    const full = posix.normalize(posix.join(prefix, path))
    if (path.startsWith('/') || full.startsWith('../'))
      throw new UsageError(
        `${path} leads out of the repository. Write git:REV:PATH with a path below this folder.`,
      )
    return full
  }

  /** Hashes of all files of a commit by path. Omits symbolic links and submodules. */
  blobs(commit: string): Map<string, string> {
    const listed = this.#run('ls-tree', '-r', '-z', '--full-tree', commit).toString().split('\0')
    return new Map(
      listed.flatMap((line) => {
        const [, hash, path] = /^100\d{3} blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? []
        return hash === undefined || path === undefined ? [] : [[path, hash] as const]
      }),
    )
  }

  /** A file and all files that it mentions, directly or indirectly. */
  closure(file: string, blobs: ReadonlyMap<string, string>): Map<string, Buffer> {
    const found = new Map<string, Buffer>()
    const waiting = [file]
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const hash = blobs.get(path)
      if (hash === undefined || found.has(path)) continue
      const text = this.#run('cat-file', 'blob', hash)
      found.set(path, text)
      waiting.push(...mentioned(text.toString(), path))
    }
    return found
  }

  #run(...args: string[]): Buffer {
    try {
      return execFileSync('git', args, {
        cwd: this.cwd,
        stdio: ['ignore', 'pipe', 'pipe'],
        maxBuffer: 1 << 30,
      })
    } catch (error) {
      throw new UsageError(reasonOf(error), { cause: error })
    }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'ENOENT') return 'git:REV:PATH needs git, which is not installed.'
  const message = 'stderr' in error ? String(error.stderr).trim().split('\n', 1)[0] : error.message
  return /not a git repository/.test(message ?? '')
    ? 'git:REV:PATH needs a git repository. This folder is in none.'
    : `git says: ${message}`
}

/** Paths that a document may refer to: the text after $ref, and everything that looks like a YAML or JSON file. */
function mentioned(text: string, from: string): string[] {
  const references = [...text.matchAll(reference)].map(([, ...forms]) => forms.find(Boolean) ?? '')
  const names = [...text.matchAll(/[^\s"'#,{}[\]()]+\.(?:ya?ml|json)\b/gi)].map(([path]) => path)
  return [...references, ...names].flatMap((path) =>
    [path, decodePercent(path)].map((one) => posix.normalize(posix.join(posix.dirname(from), one.trim()))),
  )
}

/** The file of a $ref: in double quotes, in single quotes, or bare. */
const reference = /\$ref["']?\s*:\s*(?:"([^"#]+)|'([^'#]+)|([^\s"'#,{}[\]][^#,{}[\]\n\r]*))/g
