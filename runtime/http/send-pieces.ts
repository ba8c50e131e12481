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
  await pipeline(Readable.from(pieces, { objectMode: false }), reader).catch(() => response.destroy())
  socket?.setTimeout(silentMs)
}

/**
 * Writes to a response, and destroys it if nothing that waits is read for a while. Passes no callbacks: middlewares that
 * compress drop them.
 */
class Reader extends Writable {
  readonly #response: ServerResponse
  readonly #stallMs: number
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(response: ServerResponse, stallMs: number) {
    super()
    this.#response = response
    this.#stallMs = stallMs
    if (response.destroyed) this.#broken()
    response.once('close', () => this.#broken())
    response.on('error', () => this.#broken())
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    this.#send(chunk, 0, done)
  }

  override _final(done: () => void): void {
    this.#begin()
    this.#response.once('finish', done)
    this.#response.end()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#timer)
    done(error)
  }

  /** Writes a part at a time: only whole writes show that the caller reads. */
  #send(chunk: Uint8Array, at: number, done: () => void): void {
    if (this.#response.destroyed) {
      this.#broken()
      return
    }
    const end = at + mostBytes
    const next = end < chunk.length ? () => this.#send(chunk, end, done) : done
    this.#begin()
    const part = chunk.length <= mostBytes ? chunk : chunk.subarray(at, end)
    if (this.#response.write(part)) next()
    else
      this.#response.once('drain', () => {
        this.#timer?.refresh()
        next()
      })
  }

  /** Before a write: the time counts from here, unless something waits already. */
  #begin(): void {
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#check(), this.#stallMs)
    else if (this.#response.writableLength === 0) this.#timer.refresh()
  }

  #check(): void {
    this.#timer = undefined
    if (this.#response.writableLength > 0) this.#response.destroy()
  }

  #broken(): void {
    this.destroy(new Error('The caller has disconnected'))
  }
}

/** Bytes of one write, less than the kernel takes at once. */
const mostBytes = 64 * 1024
