import { lstatSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, uptime } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isObject, own } from '../document/json.js'

/** Files that say who writes into a folder, beside it: `.NAME.duet-lock`. */
export const lockName = /(^|\/)\.[^/]*\.duet-lock$/

export interface LockOptions {
  /** Milliseconds after which another process is waited for no longer. */
  readonly patience?: number
  /** Told once, where another process has to be waited for. */
  readonly waiting?: (holder: string) => void
}

/** Another process writes into a folder, and has not come to an end. */
export class LockError extends Error {
  override readonly name = 'LockError'
}

/**
 * Does work while no other process of duet writes into the folders. What a process that is no longer there has left
 * locked is taken over.
 *
 * @throws LockError where another process has not ended in time
 */
export async function withLocks<T>(
  folders: readonly string[],
  work: () => T | Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const release: (() => void)[] = []
  try {
    // Everybody takes them in the same order, so that no two wait for each other.
    for (const folder of [...new Set(folders)].sort()) release.push(await locked(folder, options))
    return await work()
  } finally {
    for (const step of release.reverse()) step()
  }
}

/** Locks a folder. Returns what unlocks it. */
async function locked(folder: string, { patience = 60_000, waiting }: LockOptions): Promise<() => void> {
  const path = join(dirname(folder), `.${basename(folder)}.duet-lock`)
  const text = JSON.stringify({ pid: process.pid, host: hostname(), since: new Date().toISOString() })
  const until = performance.now() + patience
  for (let isTold = false; ; ) {
    const made = taken(path, text)
    if (made !== undefined) return made
    const holder = holderOf(path)
    if (holder === undefined) continue
    if (holder.isGone) takeAway(path, holder.text)
    else {
      if (performance.now() > until)
        throw new LockError(
          `${holder.name} still writes into ${folder}. Wait until it has ended; if it is no process of duet, delete ${path}.`,
        )
      if (!isTold) waiting?.(holder.name)
      isTold = true
      await sleep(50)
    }
  }
}

/** Makes a lock. Returns what removes it; undefined where there is one. */
function taken(path: string, text: string): (() => void) | undefined {
  let top: string | undefined
  try {
    top = mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'EEXIST' && lstatSync(path, { throwIfNoEntry: false }) !== undefined) return undefined
    if (code === 'ENOENT') return undefined
    // Where the folder above takes no file, writing into the folder itself may still be possible, and says why it is not.
    return () => {}
  }
  return () => {
    rmSync(path, { force: true })
    if (top !== undefined) removeEmpty(dirname(path), top)
  }
}

interface Holder {
  readonly text: string
  /** As messages call it. */
  readonly name: string
  readonly isGone: boolean
}

/** Whose a lock is; undefined where it has just gone. */
function holderOf(path: string): Holder | undefined {
  const status = lstatSync(path, { throwIfNoEntry: false })
  if (status === undefined) return undefined
  try {
    const text = readFileSync(path, 'utf8')
    const { pid, host, since } = contentOf(text)
    const age = Date.now() - status.mtimeMs
    if (pid === undefined) return { text, name: 'Another process', isGone: age > 10_000 }
    const name = `Process ${pid}${since === undefined ? '' : `, since ${since},`}`
    if (host !== hostname()) return { text, name: `${name} on ${host}`, isGone: age > 600_000 }
    return { text, name, isGone: age > uptime() * 1000 || !isRunning(pid) }
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
    // It is just being written.
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

/** Removes a lock that nobody holds any more, unless somebody has just taken it over. */
function takeAway(path: string, text: string): void {
  const aside = `${path.replace(/-lock$/, '')}-${process.pid}.duet-lock`
  try {
    renameSync(path, aside)
    if (readFileSync(aside, 'utf8') === text) rmSync(aside)
    else renameSync(aside, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}

/** Removes folders that were made for a lock, where nothing came to stand in them. */
function removeEmpty(folder: string, top: string): void {
  try {
    rmdirSync(folder)
  } catch {
    return
  }
  if (folder !== top) removeEmpty(dirname(folder), top)
}
