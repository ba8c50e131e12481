import { randomBytes } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { cp, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { Failure, reasonOf } from '../../failure.js'
import { Damage } from '../integrity/damage.js'
import { syncDirectory, syncTree } from '../integrity/durable-file.js'
import { inspect, keepFileList, names } from '../integrity/inspect.js'
import { askOwner } from './directory-lock.js'
import type { LineHandler } from './directory-socket.js'
import type { EmbeddedDatabase } from './embedded.js'

/**
 * The parts of a data directory. The position comes first: with a position but no database, a start refuses to create
 * one.
 */
const parts = [names.position, names.files, names.database, 'secret', 'secret.next', 'credentials.json']

/**
 * Copies a data directory into a new folder, atomically. The copy is a data directory too.
 * @param open the database, if this process has it open; statements wait while its files are copied
 * @throws Failure
 */
export async function backUp(
  directory: string,
  target: string,
  open: Pick<EmbeddedDatabase, 'checkpoint' | 'atRest'> | undefined,
): Promise<void> {
  if (existsSync(target)) throw new Failure(`${target} already exists`, 2)
  if (!relative(directory, target).startsWith('..'))
    throw new Failure(`${target} is within the data: a backup is lost with them there`, 2)
  const unfinished = `${target}.unfinished-${randomBytes(6).toString('hex')}`
  try {
    await mkdir(unfinished, { mode: 0o700 })
    if (open === undefined) {
      await requireWhole(directory)
      await copyParts(directory, unfinished)
    } else {
      await open.checkpoint()
      await open.atRest(() => copyParts(directory, unfinished))
    }
    await keepFileList(unfinished, false, 'all')
    await requireWhole(unfinished)
    await syncTree(unfinished)
    await rename(unfinished, target)
    await syncDirectory(dirname(target))
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error instanceof Failure
      ? error
      : new Failure(`The backup failed: ${reasonOf(error)}`, 1, { cause: error })
  }
}

/**
 * Restores a backup into a data directory that this process has locked. Moves the present contents into another folder
 * and returns its path. Deletes nothing.
 * @throws Failure if the backup is damaged
 */
export async function restore(backup: string, directory: string): Promise<string | undefined> {
  await requireWhole(backup)
  const suffix = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomBytes(3).toString('hex')}`
  const incoming = join(directory, `restoring-${suffix}`)
  await mkdir(incoming, { mode: 0o700 })
  await copyParts(backup, incoming)
  await syncTree(incoming)
  await requireWhole(incoming)
  const replaced = join(directory, `replaced-${suffix}`)
  await mkdir(replaced, { mode: 0o700 })
  const moved = await moveParts(directory, replaced, parts.toReversed())
  await syncDirectory(replaced)
  await moveParts(incoming, directory)
  await syncDirectory(directory)
  for (const folder of moved ? [incoming] : [incoming, replaced]) await rm(folder, { recursive: true })
  return moved ? replaced : undefined
}

/** The warning about a backup without the secret, which its API keys and tokens need. */
export function noteOnSecret(backup: string): string {
  if (existsSync(join(backup, 'secret'))) return ''
  return 'It contains no secret: restore it with the BILLING_SECRET of its database.\n'
}

/** Handles backup requests of other processes. See `askForBackup`. */
export function answerWith(backup: (target: string) => Promise<void>): LineHandler {
  return async (request) => {
    try {
      const { backup: target } = JSON.parse(request)
      if (typeof target !== 'string' || !isAbsolute(target))
        throw new Failure('The path of a backup is absolute', 2)
      await backup(target)
      return JSON.stringify({ done: true })
    } catch (error) {
      return JSON.stringify({
        done: false,
        lines: error instanceof Failure ? error.lines : [reasonOf(error)],
      })
    }
  }
}

/**
 * Asks the process that has a data directory to back it up. False if it reaches no process.
 * @throws Failure with that process's message
 */
export async function askForBackup(directory: string, target: string): Promise<boolean> {
  const answer = await askOwner(directory, JSON.stringify({ backup: target }))
  if (answer === undefined) return false
  const { done, lines } = JSON.parse(answer)
  if (done !== true) throw new Failure(lines, 1)
  return true
}

async function requireWhole(directory: string): Promise<void> {
  try {
    if (!(await inspect(directory))) throw new Damage(names.database, 'is missing')
  } catch (cause) {
    if (!(cause instanceof Damage)) throw cause
    throw new Failure(`${directory} is damaged: ${cause.message}`, 1, { cause })
  }
}

async function copyParts(from: string, to: string): Promise<void> {
  for (const name of parts) {
    if (!existsSync(join(from, name))) continue
    await cp(join(from, name), join(to, name), { recursive: true, mode: constants.COPYFILE_FICLONE })
  }
}

async function moveParts(from: string, to: string, order = parts): Promise<boolean> {
  let any = false
  for (const name of order) {
    if (!existsSync(join(from, name))) continue
    await rename(join(from, name), join(to, name))
    any = true
  }
  return any
}
