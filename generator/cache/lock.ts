import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { hostname, uptime } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isObject, own } from '../document/json.js'

/** Lock files next to a folder. They say which process writes into it: `.NAME.duet-lock`. */
export const lockName = /(^|\/)\.[^/]*\.duet-lock$/

export interface LockOptions {
  /** Maximum milliseconds to wait for another process. */
  readonly patience?: number
  /** Called once if it has to wait for another process. */
  readonly waiting?: (holder: string) => void
}

/** Another process writes into a folder and has not ended in time. */
export class LockError extends Error {
  override readonly name = 'LockError'
}

/**
 * Runs work while no other process of duet writes into the folders. Takes over locks of processes that have
 * ended.
 *
 * @throws LockError if another process does not end in time
 */
export async function withLocks<T>(
  folders: readonly string[],
  work: () => T | Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const release: (() => void)[] = []
  try {
    // All processes lock in the same order, to prevent deadlocks.
    for (const folder of [...new Set(folders)].sort()) release.push(await lock(folder, options))
    return await work()
  } finally {
    for (const unlock of release.reverse()) unlock()
  }
}

/** Locks a folder. Returns a function that unlocks it. */
async function lock(folder: string, { patience = 60_000, waiting }: LockOptions): Promise<() => void> {
  const path = join(dirname(folder), `.${basename(folder)}.duet-lock`)
  const text = JSON.stringify({ pid: process.pid, host: hostname(), since: new Date().toISOString() })
  const until = performance.now() + patience
  let attempts = 0
  for (let isReported = false; ; ) {
    const unlock = createLock(path, text)
    if (unlock === 'no folder' && ++attempts < mostAttempts) continue
    // No folder can be created here, as in /proc. Writing into it says why.
    if (unlock === 'no folder') return () => {}
    if (unlock !== undefined) return unlock
    const holder = holderOf(path)
    if (holder === undefined) continue
    if (holder.hasEnded) removeAbandoned(path, holder.text)
    else {
      if (performance.now() > until)
        throw new LockError(
          `${holder.name} is still writing into ${folder}. Wait until it ends. If it is not a duet process, delete ${path}.`,
        )
      if (!isReported) waiting?.(holder.name)
      isReported = true
      await sleep(50)
    }
  }
}

/** How often another process may remove the parent folder while this one creates the lock. */
const mostAttempts = 100

/** Creates a lock. Returns a function that removes it. Undefined if another process has the lock. */
function createLock(path: string, text: string): (() => void) | 'no folder' | undefined {
  let top: string | undefined
  try {
    top = createFolder(dirname(path))
    writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'EEXIST' && lstatSync(path, { throwIfNoEntry: false }) !== undefined) return undefined
    if (code === 'ENOENT') return 'no folder'
    // The folder itself may be writable even so. If it is not, writing into it says why.
    return () => {}
  }
  return () => {
    rmSync(path, { force: true })
    if (top !== undefined) removeEmpty(dirname(path), top)
  }
}

/**
 * Creates a folder and its parents. Returns the first that is new. mkdirSync with `recursive` never returns in /proc
 * (Node 20).
 */
export function createFolder(folder: string): string | undefined {
  if (existsSync(folder)) return undefined
  const top = createFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    return top
  }
  return top ?? folder
}

interface Holder {
  readonly text: string
  /** The name in messages. */
  readonly name: string
  readonly hasEnded: boolean
}

/** The owner of a lock. Undefined if it has just been removed. */
function holderOf(path: string): Holder | undefined {
  const status = lstatSync(path, { throwIfNoEntry: false })
  if (status === undefined) return undefined
  try {
    const text = readFileSync(path, 'utf8')
    const { pid, host, since } = contentOf(text)
    const age = Date.now() - status.mtimeMs
    if (pid === undefined) return { text, name: 'Another process', hasEnded: age > 10_000 }
    const name = `Process ${pid}${since === undefined ? '' : `, since ${since},`}`
    if (host !== hostname()) return { text, name: `${name} on ${host}`, hasEnded: age > 600_000 }
    return { text, name, hasEnded: age > uptime() * 1000 || !isRunning(pid) }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function contentOf(text: string): { pid?: number; host?: string; since?: string } {
  try {
    const value: unknown = JSON.parse(text)
    if (!isObject(value)) return {}
    const [pid, host, since] = [own(value, 'pid'), own(value, 'host'), own(value, 'since')]
    return {
      ...(typeof pid === 'number' && { pid }),
      ...(typeof host === 'string' && { host }),
      ...(typeof since === 'string' && { since }),
    }
  } catch {
    // Another process is writing it now.
    return {}
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/** Removes an abandoned lock, unless another process has just taken it over. */
function removeAbandoned(path: string, text: string): void {
  const aside = `${path.replace(/-lock$/, '')}-${process.pid}.duet-lock`
  try {
    renameSync(path, aside)
    if (readFileSync(aside, 'utf8') === text) rmSync(aside)
    else renameSync(aside, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}

/** Removes folders that were created for a lock, if they are empty. */
function removeEmpty(folder: string, top: string): void {
  try {
    rmdirSync(folder)
  } catch {
    return
  }
  if (folder !== top) removeEmpty(dirname(folder), top)
}
