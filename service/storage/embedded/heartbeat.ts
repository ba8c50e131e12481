import { open, readFile, rename } from 'node:fs/promises'

/** Who writes a heartbeat. */
export interface HeartbeatOwner {
  readonly pid: number
  readonly host: string
  /** Kernel and mount whose processes reach the owner's socket; empty where it has none. See kernelOf. */
  readonly kernel: string
}

export interface Heartbeat {
  /** Writes the file again and answers when that was by the file server's clock, in milliseconds. */
  beat(): Promise<number>
  stop(): void
}

/**
 * Makes the file and writes it again every `everyMs`, which does not keep the process alive. `onLost` is called
 * once when the file has been removed by somebody else.
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
      // A volume that does not answer for a while is no loss yet: the next beat tells.
      if (stopped || (error as NodeJS.ErrnoException).code !== 'ENOENT') return
      stop()
      onLost()
    }
  }, everyMs)
  timer.unref()
  return { beat: () => write(path, 'r+', text), stop }
}

/** When a file was last written, by the file server's clock, in milliseconds; undefined where it is gone. */
export async function lastBeat(path: string): Promise<number | undefined> {
  try {
    // Opening a file makes a network file system ask its server, where a mere stat may answer from memory.
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

/** The owner that a heartbeat names; one that a crash of the machine left half written names nobody. */
export async function readHeartbeat(path: string): Promise<HeartbeatOwner> {
  try {
    const { pid, host, kernel } = JSON.parse(await readFile(path, 'utf8'))
    if (Number.isSafeInteger(pid) && typeof host === 'string') {
      return { pid, host, kernel: typeof kernel === 'string' ? kernel : '' }
    }
  } catch {
    // Falls through: its age tells.
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
