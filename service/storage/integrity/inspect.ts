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
  /** The position up to which the log must be complete. */
  position: 'database.position',
  /** The list of files that must exist. */
  files: 'database.files.json',
} as const

/**
 * Checks that the files of the database in a data directory are complete, and changes nothing. Returns false if there
 * has never been a database.
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

/** Writes the list of the database's files. The list is exact if no process has the database open. */
export async function keepFileList(directory: string, isOpen: boolean, contents: Contents): Promise<void> {
  const database = join(directory, names.database)
  const exactAt = isOpen ? null : showPosition(readControlFile(database).checkpoint)
  await writeFileList(join(directory, names.files), await listFiles(database, exactAt, contents))
}

/**
 * Checks the log up to a position. Recovery would take the first incomplete record as its end, and lose all later ones.
 */
function requireLog(database: string, { redo, checkpoint }: ControlFile, position: bigint): void {
  const end = endOfLog(database, redo)
  // The log must contain the checkpoint's own record and all acknowledged commits.
  const least = checkpoint >= position ? checkpoint + 1n : position
  if (end >= least) return
  const file = `${logFolder}/${segmentName(end)}`
  throw new Damage(
    file,
    `ends at ${showPosition(end)}, but changes were acknowledged up to ${showPosition(least)}`,
  )
}
