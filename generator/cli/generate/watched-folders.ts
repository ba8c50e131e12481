import { type FSWatcher, statSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Reports changes in folders, but not in their subfolders. It watches folders instead of files: an editor
 * that saves by renaming puts a new file in place, and a watch on the old file does not notice.
 */
export class WatchedFolders {
  readonly #changed: (path: string) => void
  readonly #open = new Map<string, { readonly inode: number; readonly watcher: FSWatcher }>()

  /**
   * @param changed receives the absolute path of what was created, changed or removed; the folder's own path
   * if it is unknown
   */
  constructor(changed: (path: string) => void) {
    this.#changed = changed
  }

  /** Watches exactly these folders. For a missing one, watches its nearest existing ancestor. */
  set(folders: Iterable<string>): void {
    const wanted = new Map(Array.from(folders, existing))
    for (const [folder, { inode, watcher }] of this.#open) {
      // A folder that was removed and created again is a different one.
      if (wanted.get(folder) === inode) continue
      watcher.close()
      this.#open.delete(folder)
    }
    for (const [folder, inode] of wanted) {
      if (this.#open.has(folder)) continue
      const watcher = watch(folder, (_, name) => this.#changed(name === null ? folder : join(folder, name)))
      watcher.on('error', () => this.#changed(folder))
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
