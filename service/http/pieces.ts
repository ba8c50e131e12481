import type { Socket } from 'node:net'
import { isDropped } from './closing.js'
import { bytesDueOn } from './tracked-request.js'

/**
 * Has node:http parse the input of a connection in small pieces, while we accept its requests. One read brings 64 KB,
 * which may hold 3,600 requests. node:http would parse all at once, and abort them one by one when the connection
 * closes.
 */
export function parseInPieces(socket: Socket): void {
  const parsers = socket.listeners('data')
  let rest: Buffer = EMPTY
  const goOn = () => {
    // While a caller does not read its answers, node:http pauses the socket and its parser.
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
