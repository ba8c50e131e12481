// Callers that each send one request at a time, alternating between the nodes.
import { connect } from 'node:net'

/**
 * @typedef {{ urls: readonly string[], callers: number, seconds: number, request: (host: string) => string }} Load
 * @typedef {{ calls: number, perSecond: number, p50: number, p99: number, failed: number }} Outcome latencies in milliseconds
 */

/** @param {Load} load @returns {Promise<Outcome>} */
export async function run({ urls, callers, seconds, request }) {
  /** @type {number[]} */
  const latencies = []
  let failed = 0
  let turn = 0
  const began = performance.now()
  const deadline = began + seconds * 1000
  await Promise.all(
    Array.from({ length: callers }, async () => {
      const connections = urls.map((url) => new Connection(url))
      while (performance.now() < deadline) {
        const way = connections[turn++ % connections.length]
        if (way === undefined) throw new Error('There is no node')
        const sent = performance.now()
        const ok = await way.send(request(way.host))
        latencies.push(performance.now() - sent)
        if (!ok) failed += 1
      }
      for (const way of connections) way.close()
    }),
  )
  const tookSeconds = (performance.now() - began) / 1000
  latencies.sort((a, b) => a - b)
  const at = (/** @type {number} */ share) =>
    latencies[Math.floor(share * (latencies.length - 1))] ?? Number.NaN
  const calls = latencies.length
  return { calls, perSecond: calls / tookSeconds, p50: at(0.5), p99: at(0.99), failed }
}

/**
 * A persistent connection. Reads only as much HTTP as the service's responses need, a length before each
 * body, to leave most of the machine to the service.
 */
class Connection {
  /** @param {string} url */
  constructor(url) {
    const { host, hostname, port } = new URL(url)
    this.host = host
    this.rest = ''
    /** @type {((ok: boolean) => void) | undefined} */
    this.answered = undefined
    /** @type {((error: Error) => void) | undefined} */
    this.failed = undefined
    this.socket = connect({ host: hostname, port: Number(port), noDelay: true })
    // One character per byte: lengths count bytes.
    this.socket.setEncoding('latin1')
    this.socket.on('data', (/** @type {string} */ text) => this.read(text))
    this.socket.on('error', (error) => this.failed?.(error))
    this.socket.on('close', () => this.failed?.(new Error('A node closed the connection')))
  }

  /**
   * Sends a request; resolves with whether the response is a result. @param {string} request @returns
   * {Promise<boolean>}
   */
  send(request) {
    return new Promise((resolve, reject) => {
      this.answered = resolve
      this.failed = reject
      this.socket.write(request)
    })
  }

  /** @param {string} text */
  read(text) {
    this.rest += text
    const head = this.rest.indexOf('\r\n\r\n')
    if (head < 0) return
    const length = /\r\ncontent-length: (\d+)/i.exec(this.rest.slice(0, head))?.[1]
    if (length === undefined) {
      this.failed?.(new Error('An answer without its length'))
      return
    }
    const end = head + 4 + Number(length)
    if (this.rest.length < end) return
    const ok = this.rest.startsWith('HTTP/1.1 200') && !this.rest.includes('"error":{', head)
    this.rest = this.rest.slice(end)
    this.answered?.(ok)
  }

  close() {
    this.failed = undefined
    this.socket.destroy()
  }
}
