import { once } from 'node:events'
import { type FileHandle, open } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** Answers a request of one line. */
export type LineHandler = (request: string) => Promise<string>

/**
 * Listens on a Unix socket in a directory until `close` or the end of this process; it does not keep the process
 * alive. Undefined if the file system or the platform has no Unix sockets.
 */
export async function listenOn(
  directory: string,
  name: string,
  answer?: LineHandler,
): Promise<{ close(): void } | undefined> {
  return at(directory, name, async (path) => {
    const server = createServer((socket) => {
      if (answer === undefined) socket.destroy()
      else serve(socket, answer)
    })
    const listening = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(path, () => resolve(true))
    })
    if (!listening) return undefined
    server.unref()
    // Ignored: it matters only that callers can connect.
    server.on('error', () => {})
    return { close: () => void server.close() }
  })
}

/**
 * Whether a process listens on a socket. `refused`: no process of this kernel does. `unknown`: there is no socket. A
 * process that is stopped or too busy to answer still counts as listening.
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

/** Sends a request to the listening process. Undefined if there is none. */
export async function ask(directory: string, name: string, request: string): Promise<string | undefined> {
  return at(directory, name, async (path) => {
    const socket = connect(path)
    try {
      await once(socket, 'connect')
    } catch {
      return undefined
    }
    socket.write(`${request}\n`)
    return text(socket)
  })
}

/** Reads one line and writes its answer. */
function serve(socket: Socket, answer: LineHandler): void {
  // A process that only checks for a listener has already disconnected.
  socket.on('error', () => {})
  let request = ''
  socket.setEncoding('utf8').on('data', (part: string) => {
    request += part
    if (request.length > longestRequest) socket.destroy()
    if (!request.endsWith('\n')) return
    socket.removeAllListeners('data')
    void answer(request.trimEnd()).then((reply) => socket.end(reply))
  })
}

const longestRequest = 8_192

/** With any other error, such as a full queue, a process may be listening. */
const answers: ReadonlyMap<string, 'refused' | 'unknown'> = new Map([
  ['ECONNREFUSED', 'refused'],
  ['ENOENT', 'unknown'],
  ['EACCES', 'unknown'],
  ['ENOTSOCK', 'unknown'],
  ['EOPNOTSUPP', 'unknown'],
])

/** unix(7): 108 bytes on Linux, 104 elsewhere, with the closing zero. */
const longestPath = 103

/** Runs the work with a path that is short enough for a socket. Undefined if there is no such path. */
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
