import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, lstat, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure, reasonOf } from '../../failure.js'
import type { Database } from '../database/database.js'
import { Damage } from '../integrity/damage.js'
import { removeDurably, syncDirectory, syncTree, writeDurably } from '../integrity/durable-file.js'
import { inspect, keepFileList, names } from '../integrity/inspect.js'
import { openLogPosition } from '../integrity/log-position.js'
import { answerWith, backUp } from './backup.js'
import { lockDirectory } from './directory-lock.js'
import { type EmbeddedDatabase, openEmbedded } from './embedded.js'

/** DATA_DIR, locked by this process. */
export interface DataDirectory {
  readonly path: string
  /**
   * The secret stored here. Creates it if there is neither a secret nor a database.
   * @throws Failure if there is a database without its secret
   */
  secret(): Promise<string>
  /** The secret of an unfinished rotation, which may have stored keys with it. Empty if there was none. */
  nextSecret(): Promise<readonly string[]>
  /** Creates a new secret, re-encrypts everything with it, then keeps it. Resumes an interrupted rotation. */
  replaceSecret<Result>(store: (next: string) => Promise<Result>): Promise<Result>
  /**
   * Opens the embedded database and prepares it. Creates a missing one in another folder and then moves it into place,
   * so that a crash leaves no incomplete database.
   * @throws Failure if the database is damaged, without changing anything
   */
  database(steps: OpeningSteps): Promise<Database>
  /** Copies the data directory into a new folder. */
  backup(target: string): Promise<void>
  release(): void
}

interface OpeningSteps {
  /** Fills a new database. */
  create(database: Database): Promise<void>
  /** Migrates the database to this version. */
  prepare?(database: Database): Promise<void>
  readonly onError?: ((error: Error) => void) | undefined
}

/**
 * Locks a data directory for this process. Other processes may ask this one for a backup: see commands/backup.ts.
 * @throws Failure if the directory is unusable, or another process uses it
 */
export async function claimDataDirectory(path: string): Promise<DataDirectory> {
  try {
    if (await makeDirectory(path)) await chmod(path, 0o700)
    await readdir(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const reason = noFolder.get(code) ?? reasonOf(error)
    throw new Failure(`DATA_DIR ${path} cannot be used: ${reason}`, 2, { cause: error })
  }
  let opened: EmbeddedDatabase | undefined
  const backup = (target: string) => backUp(path, target, opened)
  const { release } = await lockDirectory(path, undefined, undefined, answerWith(backup)).catch(
    (error: unknown) => {
      if (error instanceof Failure) throw error
      throw new Failure(`DATA_DIR ${path} cannot be used: ${reasonOf(error)}`, 2, { cause: error })
    },
  )
  return {
    path,
    secret: () => secretIn(path),
    nextSecret: () => readSecret(nextSecretFile(path)),
    replaceSecret: (store) => replaceSecretIn(path, store),
    async database(steps) {
      opened = await databaseIn(path, steps)
      return opened
    },
    backup,
    release,
  }
}

const setIt = 'Set DATA_DIR to a folder; a missing one is created'
/** By the error code of the system. */
const noFolder = new Map([
  ['EEXIST', `it is not a folder. ${setIt}`],
  ['ENOTDIR', `a part of this path is not a folder. ${setIt}`],
])

/**
 * Creates a directory and its parents. Returns false if it exists already. Creates one level at a time: Node's
 * recursive mkdir never ends if an existing directory refuses children with ENOENT, as /proc does.
 */
async function makeDirectory(path: string): Promise<boolean> {
  const make = () => mkdir(path, { mode: 0o700 })
  try {
    await make()
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isMissing && dirname(path) !== path) {
      await makeDirectory(dirname(path))
      await make()
    } else if (await isDirectory(path)) return false
    else throw error
  }
  return true
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

const unfinishedPrefix = 'database.new-'

async function secretIn(path: string): Promise<string> {
  const file = join(path, 'secret')
  if (existsSync(file)) {
    const secret = (await readFile(file, 'utf8')).trim()
    if (secret.length < 32)
      throw new Failure(`BILLING_SECRET is not set, and ${file} does not contain a secret`, 2)
    return secret
  }
  if (existsSync(join(path, names.database))) {
    throw new Failure(`BILLING_SECRET is not set, and ${file}, the secret of the database, is missing`, 2)
  }
  return makeSecret(file)
}

const nextSecretFile = (path: string) => join(path, 'secret.next')

async function replaceSecretIn<Result>(
  path: string,
  store: (next: string) => Promise<Result>,
): Promise<Result> {
  const file = nextSecretFile(path)
  const [next = await makeSecret(file)] = await readSecret(file)
  const result = await store(next)
  await rename(file, join(path, 'secret'))
  await syncDirectory(path)
  return result
}

async function makeSecret(file: string): Promise<string> {
  const secret = randomBytes(48).toString('base64url')
  await writeDurably(file, `${secret}\n`)
  return secret
}

async function readSecret(file: string): Promise<readonly string[]> {
  return existsSync(file) ? [(await readFile(file, 'utf8')).trim()] : []
}

async function databaseIn(
  path: string,
  { create, prepare, onError }: OpeningSteps,
): Promise<EmbeddedDatabase> {
  await refuseLinks(path)
  if (!(await isThere(path))) await make(path, create)
  const position = await openLogPosition(join(path, names.position))
  const database = await openEmbedded(join(path, names.database), {
    onError,
    onLogSynced: position.reached,
  }).catch((cause: unknown) => {
    position.close()
    throw new Failure([`DATA_DIR ${path}: the database cannot be opened: ${reasonOf(cause)}`, wayBack], 1, {
      cause,
    })
  })
  try {
    // Migrations remove files, so remove the list, which would then report them as missing.
    await removeDurably(join(path, names.files))
    await prepare?.(database)
    await database.checkpoint()
    await keepFileList(path, true, 'constant')
  } catch (error) {
    await database.close()
    throw error
  }
  return {
    ...database,
    async close() {
      await database.close()
      position.close()
      await keepFileList(path, false, 'small')
    },
  }
}

/**
 * PGlite cannot follow links to outside of its folder, and the lock of the data directory would not protect their
 * targets.
 * @throws Failure
 */
async function refuseLinks(path: string): Promise<void> {
  const database = join(path, names.database)
  const found = await lstat(database).catch(() => undefined)
  const entries = found?.isDirectory() === true ? await readdir(database, { withFileTypes: true }) : []
  const inner = entries.find((entry) => entry.isSymbolicLink())
  if (found?.isSymbolicLink() !== true && inner === undefined) return
  const link = inner === undefined ? database : join(database, inner.name)
  throw new Failure(
    `DATA_DIR ${path}: ${link} is a symbolic link. Move its target here; only DATA_DIR as a whole may be a link`,
    2,
  )
}

/** Whether there is a database. If there is one, it is complete. */
async function isThere(path: string): Promise<boolean> {
  try {
    return await inspect(path)
  } catch (cause) {
    if (!(cause instanceof Damage)) throw cause
    throw new Failure(
      [`DATA_DIR ${path} is damaged: ${cause.message}`, `Nothing was changed. ${wayBack}`],
      1,
      { cause },
    )
  }
}

const wayBack =
  'Restore a backup with npm run restore -- FOLDER, or see "A damaged database" in docs/operations.md.'

async function make(path: string, create: OpeningSteps['create']): Promise<void> {
  for (const name of await readdir(path)) {
    if (name.startsWith(unfinishedPrefix)) await rm(join(path, name), { recursive: true, force: true })
  }
  const unfinished = join(path, `${unfinishedPrefix}${randomBytes(6).toString('hex')}`)
  await mkdir(unfinished, { mode: 0o700 })
  const database = await openEmbedded(unfinished)
  try {
    await create(database)
  } finally {
    await database.close()
  }
  // The files of a new database were copied without a sync of each.
  await syncTree(unfinished)
  await rename(unfinished, join(path, names.database))
  await syncDirectory(path)
}
