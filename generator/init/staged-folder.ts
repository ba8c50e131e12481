import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Makes a folder hold what is put into another one first, or leaves it as it is. One that exists stays the same folder,
 * since a shell may stand in it, or another file system begin there.
 *
 * @param folder absolute path; it does not exist, or is empty
 * @throws what `fill` throws, and errors of the file system
 */
export async function fillFolder(folder: string, fill: (stage: string) => Promise<void>): Promise<void> {
  const exists = existsSync(folder)
  const home = exists ? folder : dirname(folder)
  mkdirSync(home, { recursive: true })
  const temporary = mkdtempSync(join(home, `.${basename(folder)}.duet-`))
  try {
    // mkdtemp makes folders for their owner alone; this one has the usual permissions.
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
      if (existsSync(target)) throw new RangeError(`${target} has come to be meanwhile`)
      renameSync(join(from, name), target)
      moved.push(target)
    }
  } catch (error) {
    for (const path of moved) rmSync(path, { recursive: true, force: true })
    throw error
  }
}
