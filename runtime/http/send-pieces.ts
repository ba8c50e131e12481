import type { ServerResponse } from 'node:http'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Sends the rest of a response, no faster than its caller reads. Breaks it off if a piece fails, or if the caller reads
 * nothing of what waits for it.
 *
 * @param stallMs how long something may wait unread
 */
export async function sendPieces(
  pieces: AsyncIterable<Uint8Array>,
  response: ServerResponse,
  stallMs: number,
): Promise<void> {
  const { socket } = response
  const silentMs = socket?.timeout ?? 0
  // A stream may be silent: only what waits unread counts.
  socket?.setTimeout(0)
  const reader = new Reader(response, stallMs)
  await pipeline(Readable.from(sliced(pieces), { objectMode: false }), reader).catch(() => response.destroy())
  socket?.setTimeout(silentMs)
}

/** Writes to a response, and destroys it if nothing that waits is read for a while. */
class Reader extends Writable {
  readonly #response: ServerResponse
  readonly #stallMs: number
  /** Writes that the kernel has not taken. */
  #unread = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(response: ServerResponse, stallMs: number) {
    super()
    this.#response = response
    this.#stallMs = stallMs
    response.once('close', () => this.#broken())
    response.on('error', () => this.#broken())
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    if (this.#response.destroyed) this.#broken()
    else if (this.#response.write(chunk, this.#begun())) done()
    else this.#response.once('drain', done)
  }

  override _final(done: () => void): void {
    const over = this.#begun()
    this.#response.end(() => {
      over()
      done()
    })
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#timer)
    done(error)
  }

  /** Watches a write. Returns how to say that it is over. */
  #begun(): () => void {
    this.#unread += 1
    this.#timer ??= setTimeout(() => this.#response.destroy(), this.#stallMs)
    return () => {
      this.#unread -= 1
      if (this.#unread > 0) this.#timer?.refresh()
      else {
        clearTimeout(this.#timer)
        this.#timer = undefined
      }
    }
  }

  #broken(): void {
    this.destroy(new Error('The caller has disconnected'))
  }
}

/** The kernel reports only whole writes, so a long one would hide that its caller reads. */
async function* sliced(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces)
    for (let at = 0; at < piece.length; at += mostBytes) yield piece.subarray(at, at + mostBytes)
}

/** Bytes of one write, less than the kernel takes at once. */
const mostBytes = 64 * 1024
