import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Damage } from './damage.js'
import { writeDurably } from './durable-file.js'

/** The files and folders of a database, stored next to it. */
export interface FileList {
  /**
   * The checkpoint at which the list is exact. Null: the database was open, so files may have grown since. The same
   * holds after a later checkpoint, when a program that writes no list has opened the database.
   */
  readonly exactAt: string | null
  /** By path below the database's folder. Folders end in `/`. */
  readonly files: Readonly<Record<string, ListedFile>>
}

interface ListedFile {
  /** Undefined for folders, and for files that operators may edit. */
  readonly size?: number
  /** SHA-256 in hex, if the content was read. */
  readonly sha256?: string
}

/**
 * The contents to read. `constant`: files that stay the same while the database is open. `small`: all except tables and
 * indexes, whose pages have PostgreSQL's checksums.
 */
export type Contents = 'constant' | 'small' | 'all'

export async function listFiles(
  directory: string,
  exactAt: FileList['exactAt'],
  contents: Contents,
): Promise<FileList> {
  const files: Record<string, ListedFile> = {}
  for (const path of await pathsIn(directory, '')) {
    if (path.endsWith('/') || isEdited.test(path)) files[path] = {}
    else {
      const { size } = await stat(join(directory, path))
      const isRead =
        contents === 'all' || isConstant.test(path) || (contents === 'small' && !isRelation.test(path))
      files[path] = isRead ? { size, sha256: await digestOf(join(directory, path)) } : { size }
    }
  }
  return { exactAt, files }
}

/**
 * @param checkpoint the database's last checkpoint
 * @throws Damage with the first file that differs from the list
 */
export async function compareFiles(
  directory: string,
  { exactAt, files }: FileList,
  checkpoint: string,
): Promise<void> {
  const isExact = exactAt === checkpoint
  for (const [path, { size, sha256 }] of Object.entries(files)) {
    const found = await stat(join(directory, path)).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT'
        ? new Damage(path, 'is missing')
        : new Damage(path, 'cannot be read', error)
    })
    if (found.isDirectory() !== path.endsWith('/'))
      throw new Damage(path, 'is a file in place of a folder, or the reverse')
    if (size === undefined) continue
    if (isExact ? found.size !== size : found.size < size) {
      throw new Damage(path, `has ${found.size} bytes instead of ${size}`)
    }
    const isRead = sha256 !== undefined && (isExact || isConstant.test(path))
    if (isRead && sha256 !== (await digestOf(join(directory, path)))) {
      throw new Damage(path, 'has changed content')
    }
  }
}

export async function writeFileList(path: string, list: FileList): Promise<void> {
  await writeDurably(path, `${JSON.stringify(list)}\n`)
}

/** Undefined if there is no file. @throws Error if the file is no list */
export async function readFileList(path: string): Promise<FileList | undefined> {
  if (!existsSync(path)) return undefined
  const list: unknown = JSON.parse(await readFile(path, 'utf8'))
  if (isFileList(list)) return list
  throw new Error('it has no list of files')
}

function isFileList(value: unknown): value is FileList {
  if (typeof value !== 'object' || value === null || !('exactAt' in value) || !('files' in value))
    return false
  return typeof value.files === 'object' && value.files !== null
}

async function pathsIn(directory: string, prefix: string): Promise<string[]> {
  const paths: string[] = []
  for (const entry of await readdir(join(directory, prefix), { withFileTypes: true })) {
    const path = `${prefix}${entry.name}`
    if (comesAndGoes.test(path)) continue
    if (entry.isDirectory()) paths.push(`${path}/`, ...(await pathsIn(directory, `${path}/`)))
    else if (entry.isFile()) paths.push(path)
  }
  return paths
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  const file = await open(path, 'r')
  try {
    const buffer = Buffer.allocUnsafe(Math.min((await file.stat()).size, 1 << 20))
    for (;;) {
      const { bytesRead } = await file.read(buffer)
      if (bytesRead === 0) return hash.digest('hex')
      hash.update(buffer.subarray(0, bytesRead))
    }
  } finally {
    await file.close()
  }
}

const isEdited = /\.conf$/
const isConstant = /(?:^|\/)(?:PG_VERSION|pg_filenode\.map)$/
const isRelation = /^(?:base\/\d+|global)\/\d+/

/** Files that PostgreSQL creates and removes while it runs, and the log, whose end the log position covers. */
const comesAndGoes =
  /^pg_(?:wal|stat|stat_tmp|subtrans|notify|replslot|snapshots|serial|dynshmem|logical)\/.|^postmaster\.|\/pg_internal\.init|pgsql_tmp|\/t\d+_\d+/
