import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createFolder } from '../cache/lock.js'

/**
 * Fills a folder from a temporary one, or leaves it unchanged on failure. An existing folder is not replaced,
 * since it may be the working folder of a shell or the root of another file system.
 *
 * @param folder absolute path; it does not exist, or is empty
 * @throws errors of `fill` and of the file system
 */
export async function fillFolder(folder: string, fill: (stage: string) => Promise<void>): Promise<void> {
  const exists = existsSync(folder)
  const parent = exists ? folder : dirname(folder)
  createFolder(parent)
  const temporary = mkdtempSync(join(parent, `.${basename(folder)}.duet-`))
  try {
    // Only the owner can access the folder that mkdtemp creates; this one has the usual permissions.
    const stage = join(temporary, 'new')
    mkdirSync(stage)
    await fill(stage)
    if (exists) moveEntries(stage, folder)
    else renameSync(stage, folder)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

function moveEntries(from: string, to: string): void {
  const moved: string[] = []
  try {
    for (const name of readdirSync(from)) {
      const target = join(to, name)
      if (existsSync(target)) throw new RangeError(`${target} was created meanwhile`)
      renameSync(join(from, name), target)
      moved.push(target)
    }
  } catch (error) {
    for (const path of moved) rmSync(path, { recursive: true, force: true })
    throw error
  }
}
