import { open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Writes a file that is either there whole or as it was before, whenever the process ends. Readable by its owner
 * only. One process at a time may write a path.
 */
export async function writeDurably(path: string, text: string): Promise<void> {
  const next = `${path}.new`
  await rm(next, { force: true })
  const file = await open(next, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(next, path)
  await syncDirectory(dirname(path))
}

/** Removes a file, if it is there. */
export async function removeDurably(path: string): Promise<void> {
  await rm(path, { force: true })
  await syncDirectory(dirname(path))
}

/** Makes the entries of a directory (new, renamed, removed files) reach the disk. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows has no such thing for directories.
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/** Makes all files and folders below a directory reach the disk, and itself. */
export async function syncTree(path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const child = join(path, entry.name)
    if (entry.isDirectory()) await syncTree(child)
    if (!entry.isFile()) continue
    const file = await open(child, 'r+')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
  }
  await syncDirectory(path)
}
