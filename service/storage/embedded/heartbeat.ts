import { open, readFile, rename } from 'node:fs/promises'

/** The writer of a heartbeat. */
export interface HeartbeatOwner {
  readonly pid: number
  readonly host: string
  /** Kernel and mount whose processes reach the owner's socket. Empty without a socket. See kernelOf. */
  readonly kernel: string
}

export interface Heartbeat {
  /** Rewrites the file and returns the time of that by the file server's clock, in milliseconds. */
  beat(): Promise<number>
  stop(): void
}

/**
 * Creates the file and rewrites it every `everyMs`, without keeping the process alive. Calls `onLost` once if another
 * process has removed the file.
 */
export async function startHeartbeat(
  path: string,
  owner: HeartbeatOwner,
  everyMs: number,
  onLost: () => void,
): Promise<Heartbeat> {
  const text = JSON.stringify(owner)
  await write(`${path}.new`, 'wx', text)
  await rename(`${path}.new`, path)
  let stopped = false
  const stop = () => {
    stopped = true
    clearInterval(timer)
  }
  const timer = setInterval(async () => {
    try {
      await write(path, 'r+', text)
    } catch (error) {
      // A volume may fail to answer for a while. Wait for the next beat.
      if (stopped || (error as NodeJS.ErrnoException).code !== 'ENOENT') return
      stop()
      onLost()
    }
  }, everyMs)
  timer.unref()
  return { beat: () => write(path, 'r+', text), stop }
}

/** When a file was last written, by the file server's clock, in milliseconds. Undefined if it does not exist. */
export async function lastBeat(path: string): Promise<number | undefined> {
  try {
    // Opening a file makes a network file system ask its server. A mere stat may answer from its cache.
    const file = await open(path, 'r')
    try {
      return (await file.stat()).mtimeMs
    } finally {
      await file.close()
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Reads the owner of a heartbeat. A crash of the machine may leave the file half written, without an owner. */
export async function readHeartbeat(path: string): Promise<HeartbeatOwner> {
  try {
    const { pid, host, kernel } = JSON.parse(await readFile(path, 'utf8'))
    if (Number.isSafeInteger(pid) && typeof host === 'string') {
      return { pid, host, kernel: typeof kernel === 'string' ? kernel : '' }
    }
  } catch {
    // Falls through: the age of the file decides.
  }
  return { pid: 0, host: 'an unknown host', kernel: '' }
}

async function write(path: string, flags: 'wx' | 'r+', text: string): Promise<number> {
  const file = await open(path, flags, 0o600)
  try {
    await file.write(text, 0)
    await file.sync()
    return (await file.stat()).mtimeMs
  } finally {
    await file.close()
  }
}
