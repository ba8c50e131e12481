import { randomBytes, randomInt } from 'node:crypto'
import { rmSync } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '../../failure.js'
import { ask, hasListener, type LineHandler, listenOn } from './directory-socket.js'
import { type Heartbeat, lastBeat, readHeartbeat, startHeartbeat } from './heartbeat.js'
import { kernelOf } from './kernel.js'

/** The interval of heartbeats, and the silence after which an owner counts as dead, in milliseconds. */
export interface Pace {
  readonly beatMs: number
  readonly expiryMs: number
}

/**
 * Keeps every other process out of a directory until `release` or any end of this process, including processes of other
 * containers and, on a network volume, of other machines. Each process announces itself under a unique name and then
 * looks for others. So of two that start together at least one sees the other, and any process can remove the files of
 * a dead one.
 *
 * Within one mount of the directory, in any namespace, a socket shows whether the owner lives, since the kernel closes
 * it with the process. Elsewhere its heartbeat does. An owner that sleeps longer than `expiryMs` loses the directory.
 * `onLost` runs at its next beat; after that it must not write to the directory.
 * @param answer answers requests of other processes to the owner; see `askOwner`
 * @throws Failure if another process has the directory; the system's error if it is not writable
 */
export async function lockDirectory(
  directory: string,
  onLost: (failure: Failure) => void = (failure) => {
    throw failure
  },
  pace: Pace = { beatMs: 2_000, expiryMs: 10_000 },
  answer?: LineHandler,
): Promise<{ release(): void }> {
  const kernel = await kernelOf(directory)
  for (let attempt = 1; ; attempt++) {
    const own = await announce(directory, kernel, onLost, pace, answer)
    const other = await otherOwner(directory, own, kernel, pace).catch((error) => {
      own.release()
      throw error
    })
    if (other === undefined) return own
    own.release()
    if (attempt === attempts) throw new Failure(refusal(directory, other), 1)
    // Two processes that started together both withdrew. The random pause lets one come first.
    await delay(randomInt(20, 200))
  }
}

/** Sends a request to the owner of a directory. Undefined if no socket of this kernel reaches an owner. */
export async function askOwner(directory: string, request: string): Promise<string | undefined> {
  for (const name of await readdir(directory).catch(() => [])) {
    const id = announcedId(name)
    const answer = id === undefined ? undefined : await ask(directory, socketName(id), request)
    if (answer !== undefined && answer !== '') return answer
  }
  return undefined
}

const attempts = 3

interface Announcement {
  readonly id: string
  readonly heartbeat: Heartbeat
  release(): void
}

async function announce(
  directory: string,
  kernel: string,
  onLost: (failure: Failure) => void,
  { beatMs }: Pace,
  answer: LineHandler | undefined,
): Promise<Announcement> {
  const id = randomBytes(9).toString('hex')
  const path = heartbeatPath(directory, id)
  // Listen before announcing, so that readers of the announcement find a ready socket.
  const socket = await listenOn(directory, socketName(id), answer)
  const withdraw = () => {
    socket?.close()
    for (const name of [path, `${path}.new`, join(directory, socketName(id))]) rmSync(name, { force: true })
  }
  process.once('exit', withdraw)
  const end = () => {
    process.off('exit', withdraw)
    withdraw()
  }
  try {
    const owner = { pid: process.pid, host: hostname(), kernel: socket === undefined ? '' : kernel }
    const heartbeat = await startHeartbeat(path, owner, beatMs, () => {
      end()
      onLost(new Failure(`DATA_DIR ${directory} was taken over by another process`, 1))
    })
    const release = () => {
      heartbeat.stop()
      end()
    }
    return { id, heartbeat, release }
  } catch (error) {
    end()
    throw error
  }
}

interface Owner {
  readonly pid: number
  readonly host: string
}

/** Checks all other processes once, removes the files of dead ones, and returns the first that lives. */
async function otherOwner(
  directory: string,
  own: Announcement,
  kernel: string,
  pace: Pace,
): Promise<Owner | undefined> {
  const names = await readdir(directory)
  const announced = names.map(announcedId)
  for (const id of announced) {
    if (id === undefined || id === own.id) continue
    const owner = await livingOwner(directory, id, own, kernel, pace)
    if (owner !== undefined) return owner
    await rm(heartbeatPath(directory, id), { force: true })
    await rm(join(directory, socketName(id)), { force: true })
  }
  await removeUnannounced(directory, names, own, pace)
  return undefined
}

async function livingOwner(
  directory: string,
  id: string,
  own: Announcement,
  kernel: string,
  { beatMs, expiryMs }: Pace,
): Promise<Owner | undefined> {
  const path = heartbeatPath(directory, id)
  const first = await lastBeat(path)
  if (first === undefined) return undefined
  const owner = await readHeartbeat(path)
  const listener = await hasListener(directory, socketName(id))
  if (listener === 'yes') return owner
  if (listener === 'refused' && kernel !== '' && owner.kernel === kernel) return undefined
  // Clocks of machines differ, so the file server dates the beats of both processes. Watch even an old beat for longer
  // than one interval: a volume that has just come back would make its owner look dead.
  const start = performance.now()
  for (;;) {
    await delay(beatMs / 4)
    const beat = await lastBeat(path)
    if (beat === undefined) return undefined
    if (beat !== first) return owner
    const watched = performance.now() - start
    const silent = (await own.heartbeat.beat()) - beat
    if (watched > expiryMs || (watched > 1.5 * beatMs && silent > expiryMs)) return undefined
  }
}

/** Removes the files of processes that ended before their announcement. Files of a starting process are younger. */
async function removeUnannounced(
  directory: string,
  names: readonly string[],
  own: Announcement,
  { expiryMs }: Pace,
): Promise<void> {
  const now = await own.heartbeat.beat()
  for (const name of names) {
    const id = /^lock-(\w+)\.(?:sock|json\.new)$/.exec(name)?.[1]
    if (id === undefined || id === own.id || names.includes(`lock-${id}.json`)) continue
    const made = await lstat(join(directory, name)).catch(() => undefined)
    if (made !== undefined && now - made.mtimeMs > expiryMs) await rm(join(directory, name), { force: true })
  }
}

function announcedId(name: string): string | undefined {
  return /^lock-(\w+)\.json$/.exec(name)?.[1]
}

function heartbeatPath(directory: string, id: string): string {
  return join(directory, `lock-${id}.json`)
}

function socketName(id: string): string {
  return `lock-${id}.sock`
}

function refusal(directory: string, { pid, host }: Owner): string {
  const where = host === hostname() ? '' : ` on ${host}`
  return `DATA_DIR ${directory} is in use by process ${pid}${where}`
}
