import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '../failure.js'

/**
 * Keeps every other process out of a directory until `release` or the end of this process, however it comes.
 * Each process announces itself in a file of its own and then looks for others: of two that start together at
 * least one sees the other. A file whose process has ended is stale; the start time tells a process from a later
 * one with the same id.
 * @throws Failure where another process has the directory
 */
export async function lockDirectory(directory: string): Promise<{ release(): void }> {
  const path = join(directory, `lock-${process.pid}.json`)
  if (held.has(path)) throw new Failure(refusal(directory, { pid: process.pid, host: hostname() }), 1)
  const own: Owner = { pid: process.pid, host: hostname(), started: startOf(process.pid) ?? '' }
  for (let attempt = 1; ; attempt++) {
    await announce(path, own)
    const other = await otherOwner(directory, path)
    if (other === undefined) break
    rmSync(path, { force: true })
    if (attempt === attempts) throw new Failure(refusal(directory, other), 1)
    // Two that started together both withdrew; the pause is random so that one comes first.
    await delay(randomInt(20, 200))
  }
  held.add(path)
  const release = () => {
    held.delete(path)
    rmSync(path, { force: true })
  }
  process.once('exit', release)
  return {
    release: () => {
      process.off('exit', release)
      release()
    },
  }
}

const attempts = 3

/** Lock files of this process. */
const held = new Set<string>()

interface Owner {
  readonly pid: number
  readonly host: string
  /** When the process started, as the system tells it; empty where it does not. */
  readonly started: string
}

async function announce(path: string, own: Owner): Promise<void> {
  const next = `${path}.new`
  const file = await open(next, 'w', 0o600)
  try {
    await file.writeFile(JSON.stringify(own))
  } finally {
    await file.close()
  }
  await rename(next, path)
}

async function otherOwner(directory: string, ownPath: string): Promise<Owner | undefined> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name)
    if (!/^lock-\d+\.json$/.test(name) || path === ownPath) continue
    const owner = await readOwner(path)
    if (owner === undefined) continue
    if (isAlive(owner)) return owner
    await rm(path, { force: true })
  }
  return undefined
}

/** The owner that a lock file names; undefined where the file has just gone. */
async function readOwner(path: string): Promise<Owner | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    const { pid, host, started } = JSON.parse(text)
    if (Number.isSafeInteger(pid) && typeof host === 'string' && typeof started === 'string') {
      return { pid, host, started }
    }
  } catch {
    // Falls through: a file that a crash of the machine left half written names nobody.
  }
  return { pid: 0, host: hostname(), started: '' }
}

function isAlive({ pid, host, started }: Owner): boolean {
  // The processes of another machine or container can't be seen from here.
  if (host !== hostname()) return true
  if (pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const now = startOf(pid)
  return now === undefined || started === '' || now === started
}

/** When a process started; undefined where the system does not tell. */
function startOf(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      // proc_pid_stat(5): field 22, counted after the name in parentheses, which may hold spaces itself.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
      return `${boot} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
    }
    if (process.platform === 'win32') return undefined
    const options = { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } } as const
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], options).trim() || undefined
  } catch {
    return undefined
  }
}

function refusal(directory: string, { pid, host }: Pick<Owner, 'pid' | 'host'>): string {
  const where = host === hostname() ? '' : ` on ${host} (if that has gone, remove lock-${pid}.json)`
  return `DATA_DIR ${directory} is in use by process ${pid}${where}`
}
