import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A proxy between the nodes and their database. */
export interface TcpProxy {
  readonly port: number
  /** Delays bytes of both sides by `ms`. */
  slow(ms: number): void
  /** Drops all bytes, like a broken network. New connections get no answer either. */
  swallow(): void
  /** Forwards bytes again. Resets connections that lost bytes. */
  mend(): void
  stop(): Promise<void>
}

export async function startProxy(target: number): Promise<TcpProxy> {
  let delayMs = 0
  let swallows = false
  const sockets = new Set<Socket>()
  const broken = new Set<Socket>()
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: target, host: '127.0.0.1', noDelay: true })
    let dead = false
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        if (!dead) to.destroy()
      })
      from.on('data', (bytes) => {
        if (swallows && !dead) {
          dead = true
          broken.add(near).add(far)
        }
        if (dead) return
        if (delayMs === 0) to.write(bytes)
        else setTimeout(() => to.write(bytes), delayMs)
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('There is no port')
  return {
    port: address.port,
    slow(ms) {
      delayMs = ms
    },
    swallow() {
      swallows = true
    },
    mend() {
      swallows = false
      delayMs = 0
      for (const socket of broken) socket.destroy()
      broken.clear()
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
