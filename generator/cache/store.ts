import { hash, randomUUID } from 'node:crypto'
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { InputFile } from '../document/document.js'

/**
 * Texts that outlive a run, in `node_modules/.cache/duet` of the nearest folder with installed packages. The
 * cache is optional: a damaged, unreadable or unwritable entry counts as absent, and nothing is thrown.
 */
export interface Store {
  /** Paths in keys are relative to this folder, so a project can be moved. */
  readonly home: string
  /** The last text written under a name, if it is whole. */
  readonly read: (name: string) => string | undefined
  readonly write: (name: string, text: string) => void
}

/** Maximum bytes in the folder. The least recently used entries are removed first. */
const capacity = 256 * 1024 * 1024

/** The store of a folder. Undefined without installed packages: a cache there would be a surprise. */
export function openStore(cwd: string, bytes: number = capacity): Store | undefined {
  const project = projectOf(cwd)
  return project === undefined ? undefined : new FolderStore(project, bytes)
}

/** The JSON value under a name. Undefined if there is none. */
export function readJson(store: Store, name: string): unknown {
  try {
    return JSON.parse(store.read(name) ?? 'null')
  } catch {
    return undefined
  }
}

/** Hexadecimal SHA-256 of several texts, with unambiguous boundaries. */
export function digestOf(...parts: readonly string[]): string {
  return hash('sha256', parts.map((part) => `${part.length}:${part}`).join(''))
}

/** Hexadecimal SHA-256 of a file's content, as in manifests. */
export function contentDigest(content: string | Uint8Array): string {
  return hash('sha256', content)
}

/** The digest of a file that was read. Cached, since several callers need it. */
export function inputDigest(file: InputFile): string {
  const known = inputDigests.get(file) ?? contentDigest(file.text)
  inputDigests.set(file, known)
  return known
}

const inputDigests = new WeakMap<InputFile, string>()

class FolderStore implements Store {
  readonly #folder: string

  constructor(
    readonly home: string,
    readonly bytes: number,
  ) {
    this.#folder = join(home, 'node_modules/.cache/duet')
  }

  read(name: string): string | undefined {
    try {
      const path = join(this.#folder, name)
      const content = readFileSync(path)
      const end = content.indexOf('\n')
      const body = content.subarray(end + 1)
      if (end !== digestLength || content.toString('latin1', 0, end) !== contentDigest(body)) return undefined
      // The time of the last use decides which entries are removed first.
      utimesSync(path, new Date(), new Date())
      return body.toString()
    } catch {
      return undefined
    }
  }

  write(name: string, text: string): void {
    const temporary = join(this.#folder, `.${name}.${randomUUID().slice(0, 8)}`)
    try {
      mkdirSync(this.#folder, { recursive: true })
      const body = Buffer.from(text)
      if (body.length > this.bytes) return
      writeFileSync(temporary, `${contentDigest(body)}\n`)
      appendFileSync(temporary, body)
      renameSync(temporary, join(this.#folder, name))
      this.#prune()
    } catch {
      remove(temporary)
    }
  }

  #prune(): void {
    const files = readdirSync(this.#folder).map((name) => {
      const path = join(this.#folder, name)
      const { size, mtimeMs } = lstatSync(path)
      return { path, size, mtimeMs }
    })
    files.sort((a, b) => b.mtimeMs - a.mtimeMs)
    let total = 0
    for (const { path, size } of files) {
      total += size
      if (total > this.bytes) remove(path)
    }
  }
}

const digestLength = 64

function remove(path: string): void {
  try {
    rmSync(path, { force: true, recursive: true })
  } catch {
    // Then it stays, until the folder is too large.
  }
}

function projectOf(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const status = statSync(join(folder, 'node_modules'), { throwIfNoEntry: false })
    if (status?.isDirectory() === true) return folder
    if (dirname(folder) === folder) return undefined
  }
}
