import { IncomingMessage } from 'node:http'

/**
 * A request that tells of its body while it comes in, read or not: the event `received` has the bytes of a piece, and
 * `whole` is when the last one is here.
 */
export class ToldRequest extends IncomingMessage {
  /** Whether the last byte is here. */
  isWhole = false

  override push(piece: Uint8Array | null, encoding?: BufferEncoding): boolean {
    if (piece === null) {
      this.isWhole = true
      this.emit('whole')
    } else this.emit('received', piece.length)
    return super.push(piece, encoding)
  }
}
