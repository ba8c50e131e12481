import { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/**
 * A request that reports its body as it arrives, read or not. The event `received` carries the bytes of a piece,
 * `whole` follows the last one.
 */
export class TrackedRequest extends IncomingMessage {
  /** Whether the last byte has arrived. */
  isWhole = false
  /** Bytes of the body that have arrived. */
  received = 0

  constructor(socket: Socket) {
    super(socket)
    latest.set(socket, this)
  }

  override push(piece: Uint8Array | null, encoding?: BufferEncoding): boolean {
    if (piece === null) {
      this.isWhole = true
      this.emit('whole')
    } else {
      this.received += piece.length
      this.emit('received', piece.length)
    }
    return super.push(piece, encoding)
  }

  /** Bytes still due of a body whose length is known. */
  get bytesDue(): number {
    const due = Number(this.headers['content-length']) - this.received
    return due > 0 ? due : 0
  }
}

/** Body bytes still due on a connection. */
export function bytesDueOn(socket: Socket): number {
  return latest.get(socket)?.bytesDue ?? 0
}

/** The latest request of each connection whose head has arrived. */
const latest = new WeakMap<Socket, TrackedRequest>()
