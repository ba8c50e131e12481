import { type FSWatcher, statSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Tells of changes in folders, not below them. Folders are watched and not files: an editor that saves by renaming
 * puts another file in place, of which a watch on the file hears nothing.
 */
export class WatchedFolders {
  readonly #told: (path: string) => void
  readonly #open = new Map<string, { readonly inode: number; readonly watcher: FSWatcher }>()

  /** @param told gets the absolute path of what was created, changed or removed; the folder's own where it is not known */
  constructor(told: (path: string) => void) {
    this.#told = told
  }

  /** Watches these folders from here on, and no others; of one that is not there, the nearest above that is. */
  set(folders: Iterable<string>): void {
    const wanted = new Map(Array.from(folders, existing))
    for (const [folder, { inode, watcher }] of this.#open) {
      // A folder that was removed and made again is another one.
      if (wanted.get(folder) === inode) continue
      watcher.close()
      this.#open.delete(folder)
    }
    for (const [folder, inode] of wanted) {
      if (this.#open.has(folder)) continue
      const watcher = watch(folder, (_, name) => this.#told(name === null ? folder : join(folder, name)))
      watcher.on('error', () => this.#told(folder))
      this.#open.set(folder, { inode, watcher })
    }
  }

  close(): void {
    this.set([])
  }
}

function existing(folder: string): [folder: string, inode: number] {
  const status = statSync(folder, { throwIfNoEntry: false })
  if (status?.isDirectory() === true) return [folder, status.ino]
  const above = dirname(folder)
  return above === folder ? [folder, 0] : existing(above)
}
