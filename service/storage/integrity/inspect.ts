import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type ControlFile, readControlFile } from './control-file.js'
import { Damage } from './damage.js'
import { type Contents, compareFiles, listFiles, readFileList, writeFileList } from './file-list.js'
import { readLogPosition } from './log-position.js'
import { endOfLog, logFolder, segmentName, showPosition } from './write-ahead-log.js'

/** Names in a data directory. */
export const names = {
  database: 'database',
  /** Up to where the log has to be whole. */
  position: 'database.position',
  /** The files that have to be there. */
  files: 'database.files.json',
} as const

/**
 * Makes sure that the database in a data directory is whole, as far as its files tell, and changes nothing.
 * Answers false where there has never been one.
 * @throws Damage
 */
export async function inspect(directory: string): Promise<boolean> {
  const { position, files } = await known(directory)
  const database = join(directory, names.database)
  if (!existsSync(database)) {
    if (position === undefined && files === undefined) return false
    throw new Damage(names.database, 'is missing')
  }
  for (const name of ['PG_VERSION', 'global', 'base', logFolder]) {
    if (!existsSync(join(database, name))) throw new Damage(`${names.database}/${name}`, 'is missing')
  }
  try {
    const control = readControlFile(database)
    if (files !== undefined) await compareFiles(database, files, showPosition(control.checkpoint))
    requireLog(database, control, position ?? 0n)
  } catch (error) {
    throw error instanceof Damage ? error.below(names.database) : error
  }
  return true
}

async function known(directory: string) {
  const read = async <Value>(name: string, from: (path: string) => Value) => {
    try {
      return await from(join(directory, name))
    } catch (cause) {
      throw new Damage(name, 'cannot be used', cause)
    }
  }
  return {
    position: await read(names.position, readLogPosition),
    files: await read(names.files, readFileList),
  }
}

/** Lists the files of a data directory's database; the list is exact while no process has it open. */
export async function keepFileList(directory: string, isOpen: boolean, contents: Contents): Promise<void> {
  const database = join(directory, names.database)
  const exactAt = isOpen ? null : showPosition(readControlFile(database).checkpoint)
  await writeFileList(join(directory, names.files), await listFiles(database, exactAt, contents))
}

/** Recovery takes the first record that is not whole for the end of the log, and forgets what stood behind it. */
function requireLog(database: string, { redo, checkpoint }: ControlFile, position: bigint): void {
  const end = endOfLog(database, redo)
  // The checkpoint's own record is part of the log, and what was acknowledged is.
  const least = checkpoint >= position ? checkpoint + 1n : position
  if (end >= least) return
  const file = `${logFolder}/${segmentName(end)}`
  throw new Damage(
    file,
    `ends at ${showPosition(end)}, and changes were acknowledged up to ${showPosition(least)}`,
  )
}
