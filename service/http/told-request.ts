import { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/**
 * A request that tells of its body while it comes in, read or not: the event `received` has the bytes of a piece, and
 * `whole` is when the last one is here.
 */
export class ToldRequest extends IncomingMessage {
  /** Whether the last byte is here. */
  isWhole = false
  /** Bytes of the body that have come. */
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

  /** Bytes that are still to come of a body whose length is known. */
  get bytesDue(): number {
    const due = Number(this.headers['content-length']) - this.received
    return due > 0 ? due : 0
  }
}

/** Bytes that come on a connection before anything but a body does. */
export function bytesDueOn(socket: Socket): number {
  return latest.get(socket)?.bytesDue ?? 0
}

/** The last request of a connection whose head has come. */
const latest = new WeakMap<Socket, ToldRequest>()
