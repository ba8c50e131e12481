/** The paths of a folder's files, comparable on every file system. */
export class TakenPaths {
  readonly #files = new Map<string, string>()
  /** Each folder that contains a file. */
  readonly #folders = new Map<string, string>()

  constructor(paths: Iterable<string>) {
    for (const path of paths) this.#take(path)
  }

  /** Adds a path. Returns why it cannot be written into the folder. Undefined on success. */
  add(path: unknown): string | undefined {
    if (typeof path !== 'string' || path === '') return 'is not a path'
    const parts = path.split('/')
    if (path.startsWith('/') || /^[A-Za-z]:/.test(path) || parts.includes('..')) {
      return "leaves the version's folder"
    }
    if (parts.some((part) => part === '' || part === '.')) return 'has an empty part or the part "."'
    if (!parts.every(isPortable)) return 'has a name that some file systems refuse'
    if (reserved.test(path)) return "has a name of duet's temporary files"
    const other = this.#files.get(folded(path))
    if (other !== undefined) {
      return path === other ? 'already exists' : `differs from ${other} only in upper and lower case`
    }
    const file =
      this.#folders.get(folded(path)) ??
      foldersOf(path)
        .map((folder) => this.#files.get(folder))
        .find(Boolean)
    if (file !== undefined)
      return `cannot be written next to ${file}: one is a file, and the other needs a folder of that name`
    this.#take(path)
    return undefined
  }

  #take(path: string): void {
    this.#files.set(folded(path), path)
    for (const folder of foldersOf(path)) this.#folders.set(folder, path)
  }
}

/** Every folder on a path. */
function foldersOf(path: string): string[] {
  const parts = folded(path).split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** Whether every file system accepts a name. */
export function isPortable(name: string): boolean {
  return !unportable.test(name) && !device.test(name)
}

const unportable = /[\\<>:"|?*\p{Cc}]|[. ]$/u

/** Names of devices on Windows, with any extension. */
const device = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i

const reserved = /(^|\/)\.[^/]*\.duet-(new|old|lock)$/

/** A path as a file system sees it that folds case and composes characters. */
function folded(path: string): string {
  return path.normalize('NFC').toLowerCase()
}
