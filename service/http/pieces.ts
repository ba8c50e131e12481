import type { Socket } from 'node:net'
import { isDropped } from './closing.js'
import { bytesDueOn } from './told-request.js'

/**
 * Has node:http parse what comes on a connection in small pieces, as long as its requests are taken. One read brings 64 KB,
 * which may hold 3,600 requests: all would be parsed at once, and aborted one by one when the connection closes.
 */
export function parseInPieces(socket: Socket): void {
  const parsers = socket.listeners('data')
  let rest: Buffer = EMPTY
  const goOn = () => {
    // While a caller reads no answers, node:http pauses the socket and its parser.
    while (rest.length > 0 && !socket.isPaused()) {
      if (socket.destroyed || isDropped(socket)) {
        rest = EMPTY
        return
      }
      const end = Math.max(bytesDueOn(socket), pieceBytes)
      const piece = rest.subarray(0, end)
      rest = rest.subarray(end)
      for (const parse of parsers) parse.call(socket, piece)
    }
  }
  socket.removeAllListeners('data')
  socket.on('data', (bytes: Buffer) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    goOn()
  })
  socket.on('resume', goOn)
}

const EMPTY = Buffer.alloc(0)

/** Room for a hundred of the shortest requests. */
const pieceBytes = 2_048
