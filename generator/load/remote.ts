import { execFileSync } from 'node:child_process'

/** Maximum bytes of one remote file. */
const remoteBytes = 32 * 1024 * 1024

/** Maximum milliseconds for one remote file, including redirects. */
const remoteTimeout = 20_000

/** Limits for all remote files of one document together. Without them a server could keep us busy for ever. */
export interface RemoteLimits {
  readonly files: number
  readonly bytes: number
  readonly milliseconds: number
}

const remoteLimits: RemoteLimits = { files: 256, bytes: 2 * remoteBytes, milliseconds: 3 * remoteTimeout }

/** Reads the remote files of one document, within limits for all of them together. */
export class RemoteFiles {
  readonly #limits: RemoteLimits
  #files = 0
  #bytes = 0
  #milliseconds = 0

  constructor(limits: RemoteLimits = remoteLimits) {
    this.#limits = limits
  }

  /** The text of one more file, or the reason why it has none. */
  read(url: string): ReturnType<typeof readRemote> {
    const { files, bytes, milliseconds } = this.#limits
    if (this.#files === files) return { reason: `the document has more than ${files} remote files` }
    if (this.#bytes >= bytes) return { reason: `its remote files have more than ${bytes} bytes together` }
    const left = milliseconds - this.#milliseconds
    if (left <= 0) return { reason: `its remote files take more than ${milliseconds / 1000} s together` }
    const start = performance.now()
    const read = readRemote(url, {
      timeout: Math.ceil(Math.min(left, remoteTimeout)),
      bytes: Math.min(bytes - this.#bytes, remoteBytes),
    })
    this.#files += 1
    this.#milliseconds += performance.now() - start
    if ('text' in read) this.#bytes += Buffer.byteLength(read.text)
    return read
  }
}

/**
 * The text of a remote file, or the reason why there is none. Loading is synchronous, so a child process
 * sends the request and this process waits for it. Redirects must keep the protocol. Supports only http and
 * https, and sends no credentials.
 */
export function readRemote(
  url: string,
  { timeout = remoteTimeout, bytes = remoteBytes }: { timeout?: number; bytes?: number } = {},
): { readonly text: string } | { readonly reason: string } {
  try {
    const output = execFileSync(
      process.execPath,
      ['--input-type=module', '--eval', program, url, String(timeout), String(bytes)],
      {
        timeout: timeout + 2000,
        maxBuffer: bytes + 1024,
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
      },
    )
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(output) }
  } catch (error) {
    if (error instanceof TypeError) return { reason: 'it is not UTF-8 text' }
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    const reason = stderr.startsWith('duet: ')
      ? stderr.slice('duet: '.length)
      : 'there was no response in time'
    return { reason: reasons.get(reason) ?? reason }
  }
}

/** Codes of broken connections in words. */
const reasons = new Map([
  ['ECONNREFUSED', 'nothing answers at its port (ECONNREFUSED)'],
  ['ECONNRESET', 'the server closed the connection (ECONNRESET)'],
  ['ENOTFOUND', 'its host is unknown (ENOTFOUND)'],
  ['UND_ERR_SOCKET', 'the server closed the connection (UND_ERR_SOCKET)'],
])

/** Whether a text is the address of a remote file. */
export function isRemote(address: string): boolean {
  return /^https?:\/\//i.test(address)
}

const program = `
const [address, timeout, limit] = process.argv.slice(-3)
const signal = AbortSignal.timeout(Number(timeout))
function fail(reason) {
  process.stderr.write('duet: ' + reason)
  process.exit(1)
}
try {
  let url = new URL(address)
  const { protocol } = url
  let response
  for (let hops = 0; ; hops++) {
    if (url.protocol !== protocol || !['http:', 'https:'].includes(protocol)) fail('it redirects to ' + url.protocol)
    if (url.username !== '' || url.password !== '') fail('its address holds credentials')
    response = await fetch(url, { redirect: 'manual', signal, headers: { accept: 'application/json, application/yaml, */*' } })
    if (response.status < 300 || response.status > 399) break
    if (hops === 5) fail('it redirects too often')
    const location = response.headers.get('location')
    if (location === null) fail('it redirects nowhere')
    url = new URL(location, url)
  }
  if (!response.ok) fail('the response has the status ' + response.status)
  const chunks = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > Number(limit)) fail('it has more than ' + limit + ' bytes')
    chunks.push(chunk)
  }
  process.stdout.write(Buffer.concat(chunks))
} catch (error) {
  fail(error.name === 'TimeoutError' ? 'there was no response in time' : (error.cause?.code ?? error.cause?.message ?? error.message))
}
`
