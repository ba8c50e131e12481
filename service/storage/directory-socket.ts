import { type FileHandle, open } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

/**
 * Listens on a Unix socket in a directory until `close` or the end of this process; it does not keep the process
 * alive. Undefined where the file system or the platform has no such sockets.
 */
export async function listenOn(directory: string, name: string): Promise<{ close(): void } | undefined> {
  return at(directory, name, async (path) => {
    const server = createServer((socket) => socket.destroy())
    const listening = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(path, () => resolve(true))
    })
    if (!listening) return undefined
    server.unref()
    // Nothing to be told: who asks only has to get through.
    server.on('error', () => {})
    return { close: () => void server.close() }
  })
}

/**
 * Whether a process listens on a socket: `refused` where none does in this kernel, `unknown` where there is no
 * such socket. A process that is stopped or too busy to answer listens nevertheless.
 */
export async function hasListener(directory: string, name: string): Promise<'yes' | 'refused' | 'unknown'> {
  const answer = await at(directory, name, (path) => {
    return new Promise<'yes' | 'refused' | 'unknown'>((resolve) => {
      const socket = connect(path)
      socket.once('connect', () => {
        socket.destroy()
        resolve('yes')
      })
      socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(answers.get(code ?? '') ?? 'yes'))
    })
  })
  return answer ?? 'unknown'
}

/** Any other error, such as a full queue, comes from a socket that may well be served. */
const answers: ReadonlyMap<string, 'refused' | 'unknown'> = new Map([
  ['ECONNREFUSED', 'refused'],
  ['ENOENT', 'unknown'],
  ['EACCES', 'unknown'],
  ['ENOTSOCK', 'unknown'],
  ['EOPNOTSUPP', 'unknown'],
])

/** unix(7): 108 bytes on Linux, 104 elsewhere, with the closing zero. */
const longestPath = 103

/** Works with a path that is short enough for a socket; undefined where there is none. */
async function at<Result>(
  directory: string,
  name: string,
  work: (path: string) => Promise<Result>,
): Promise<Result | undefined> {
  const path = join(directory, name)
  if (process.platform === 'win32') return undefined
  if (Buffer.byteLength(path) <= longestPath) return work(path)
  if (process.platform !== 'linux') return undefined
  let handle: FileHandle | undefined
  try {
    handle = await open(directory, 'r')
    return await work(`/proc/self/fd/${handle.fd}/${name}`)
  } finally {
    await handle?.close()
  }
}
