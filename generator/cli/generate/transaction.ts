import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Files to write and to remove, by absolute path. */
export interface Changes {
  readonly write: ReadonlyMap<string, string>
  readonly remove: readonly string[]
  /** Folders at which removing empty folders stops. They are removed too if nothing is left in them. */
  readonly roots: readonly string[]
}

/**
 * Makes all changes or none. New texts go into temporary siblings first (`.NAME.duet-new`). Then each is
 * renamed over the file that it replaces; a second sibling keeps the old text (`.NAME.duet-old`). Files to
 * remove are renamed aside. On failure it restores everything and throws. A process killed on the way leaves
 * every file old or new, and maybe siblings, which the next run removes.
 */
export function commit(changes: Changes): void {
  const undo: (() => void)[] = []
  const aside: string[] = []
  try {
    for (const [path, text] of changes.write) {
      makeFolders(dirname(path), undo)
      const sibling = temporaryName(path, 'new')
      undo.push(() => rmSync(sibling, { force: true }))
      writeFileSync(sibling, text)
    }
    // A sibling that a killed run left has just been overwritten, and renaming removes it.
    const siblings = new Set([...changes.write.keys()].map((path) => temporaryName(path, 'new')))
    const remove = changes.remove.filter((path) => !siblings.has(path))
    for (const path of changes.write.keys()) {
      const isNew = lstatSync(path, { throwIfNoEntry: false }) === undefined
      if (isNew) undo.push(() => rmSync(path, { force: true }))
      else aside.push(keep(path, undo))
      renameSync(temporaryName(path, 'new'), path)
    }
    for (const path of remove) {
      if (lstatSync(path, { throwIfNoEntry: false }) === undefined) continue
      const sibling = temporaryName(path, 'old')
      renameSync(path, sibling)
      undo.push(() => renameSync(sibling, path))
      aside.push(sibling)
    }
  } catch (error) {
    rollBack(undo, error)
  }
  for (const sibling of aside) rmSync(sibling, { force: true })
  for (const folder of new Set(changes.remove.map((path) => dirname(path))))
    removeEmpty(folder, changes.roots)
}

/** Gives a file a second name and keeps the first. Copies it if the disk has no hard links. */
function keep(path: string, undo: (() => void)[]): string {
  const sibling = temporaryName(path, 'old')
  rmSync(sibling, { force: true })
  undo.push(() => rmSync(sibling, { force: true }))
  try {
    linkSync(path, sibling)
  } catch {
    copyFileSync(path, sibling)
  }
  undo.push(() => renameSync(sibling, path))
  return sibling
}

/** Undoes the steps in reverse order, even if one of them fails, then throws the original error. */
function rollBack(undo: (() => void)[], cause: unknown): never {
  const failures: unknown[] = []
  for (const step of undo.reverse()) {
    try {
      step()
    } catch (error) {
      failures.push(error)
    }
  }
  const lost = failures.find((error) => isFileError(error) && error.syscall === 'rename')
  if (!isFileError(lost)) throw cause
  throw new Error(`${lost.dest} could not be restored (${lost.code}). Its text is in ${lost.path}`, { cause })
}

function isFileError(error: unknown): error is NodeJS.ErrnoException & { readonly dest?: string } {
  return error instanceof Error && 'syscall' in error
}

function temporaryName(path: string, kind: 'new' | 'old'): string {
  return join(dirname(path), `.${basename(path)}.duet-${kind}`)
}

function makeFolders(folder: string, undo: (() => void)[]): void {
  if (existsSync(folder)) return
  makeFolders(dirname(folder), undo)
  mkdirSync(folder)
  undo.push(() => rmdirSync(folder))
}

function removeEmpty(folder: string, roots: readonly string[]): void {
  if (!existsSync(folder) || readdirSync(folder).length > 0) return
  rmdirSync(folder)
  if (!roots.includes(folder)) removeEmpty(dirname(folder), roots)
}
