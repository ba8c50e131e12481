import { connect, createServer, type Socket } from 'node:net'

/** A proxy to a PostgreSQL server that counts round trips. */
export interface Wire {
  /** The server's URL through the proxy. */
  readonly url: string
  /** Round trips of clients since the last call of this. */
  roundTrips(): number
  close(): Promise<void>
}

/** Starts the proxy. It ignores connections for LISTEN, since no call waits for them. */
export async function countingWire(url: string): Promise<Wire> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let count = 0
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    client.on(
      'data',
      messagesOf((type) => {
        if (type === 'Q' || type === 'S') count += 1
      }),
    )
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const way = new URL(url)
  way.port = typeof address === 'object' ? String(address?.port) : ''
  return {
    url: way.href,
    roundTrips() {
      const counted = count
      count = 0
      return counted
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * Parses the bytes of a client (PostgreSQL, Message Formats): a startup message of length and body, then messages of
 * type, length and body. The server answers the types Q (query) and S (sync, the end of an extended query).
 */
function messagesOf(onMessage: (type: string) => void): (data: Buffer) => void {
  let rest = Buffer.alloc(0)
  let typeLength = 0
  let isListener = false
  return (data) => {
    rest = Buffer.concat([rest, data])
    while (rest.length >= typeLength + 4) {
      const end = typeLength + rest.readUInt32BE(typeLength)
      if (rest.length < end) return
      const message = rest.subarray(0, end)
      if (typeLength === 0) isListener = message.includes('billing listener')
      else if (!isListener) onMessage(String.fromCharCode(message[0] ?? 0))
      typeLength = 1
      rest = rest.subarray(end)
    }
  }
}
