import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure, reasonOf } from '../failure.js'
import type { Database } from './database.js'
import { lockDirectory } from './directory-lock.js'
import { syncDirectory, writeDurably } from './durable-file.js'
import { openEmbedded } from './embedded.js'

/** DATA_DIR, held by this process alone. */
export interface DataDirectory {
  readonly path: string
  /**
   * The secret that is kept here; made when neither it nor a database is there yet.
   * @throws Failure where a database has lost its secret
   */
  secret(): Promise<string>
  /**
   * Opens the embedded database. Where there is none it is made aside, filled by `create` and moved into place
   * when that is done: a process that ends before leaves no database at all.
   */
  database(create: (database: Database) => Promise<void>, onError?: (error: Error) => void): Promise<Database>
  release(): void
}

/** @throws Failure where the directory can't be used, or another process uses it */
export async function claimDataDirectory(path: string): Promise<DataDirectory> {
  try {
    if (await makeDirectory(path)) await chmod(path, 0o700)
    await readdir(path)
  } catch (error) {
    throw new Failure(`DATA_DIR ${path} can't be used: ${reasonOf(error)}`, 2, { cause: error })
  }
  const { release } = await lockDirectory(path).catch((error: unknown) => {
    if (error instanceof Failure) throw error
    throw new Failure(`DATA_DIR ${path} can't be used: ${reasonOf(error)}`, 2, { cause: error })
  })
  return {
    path,
    secret: () => secretIn(path),
    database: (create, onError) => databaseIn(path, create, onError),
    release,
  }
}

/**
 * Makes a directory and those above it, unless it is there; says whether it was made. Level by level, since the
 * recursive mkdir of Node never ends where a directory that is there takes none below it and says ENOENT: /proc.
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

const databaseName = 'database'
const unfinishedPrefix = 'database.new-'

async function secretIn(path: string): Promise<string> {
  const file = join(path, 'secret')
  if (existsSync(file)) {
    const secret = (await readFile(file, 'utf8')).trim()
    if (secret.length < 32)
      throw new Failure(`BILLING_SECRET is not set and ${file} does not hold a secret`, 2)
    return secret
  }
  if (existsSync(join(path, databaseName))) {
    throw new Failure(
      `BILLING_SECRET is not set and ${file}, which the database was made with, is missing`,
      2,
    )
  }
  const secret = randomBytes(48).toString('base64url')
  await writeDurably(file, `${secret}\n`)
  return secret
}

async function databaseIn(
  path: string,
  create: (database: Database) => Promise<void>,
  onError?: (error: Error) => void,
): Promise<Database> {
  const final = join(path, databaseName)
  for (const name of await readdir(path)) {
    if (name.startsWith(unfinishedPrefix)) await rm(join(path, name), { recursive: true, force: true })
  }
  if (!existsSync(final)) {
    const unfinished = join(path, `${unfinishedPrefix}${randomBytes(6).toString('hex')}`)
    await mkdir(unfinished, { mode: 0o700 })
    const database = await openEmbedded(unfinished)
    try {
      await create(database)
    } finally {
      await database.close()
    }
    await syncTree(unfinished)
    await rename(unfinished, final)
    await syncDirectory(path)
  }
  try {
    return await openEmbedded(final, onError)
  } catch (error) {
    throw new Failure(`DATA_DIR ${path}: the database can't be opened: ${reasonOf(error)}`, 1, {
      cause: error,
    })
  }
}

// A new database is copied into place file by file, without a sync of each.
async function syncTree(path: string): Promise<void> {
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
