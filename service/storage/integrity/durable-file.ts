import { open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Writes a file atomically, even if the process ends at any moment. Only its owner can read it. One process at a time
 * may write a path.
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

/** Removes a file, if it exists. */
export async function removeDurably(path: string): Promise<void> {
  await rm(path, { force: true })
  await syncDirectory(dirname(path))
}

/** Syncs the entries of a directory (new, renamed, removed files) to the disk. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows cannot sync directories.
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/** Syncs a directory, and all files and folders below it, to the disk. */
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
