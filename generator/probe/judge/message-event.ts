import { Readable } from 'node:stream'
import { readEvents } from 'duet-runtime/client'
import { isObject, own, parsed } from '../../document/json.js'

/**
 * The response among server-sent events: the first message that is neither a notification nor a request (MCP 2026-07-28,
 * Transports). Empty if there is none.
 *
 * @param mostBytes to read
 */
export async function messageOf(stream: AsyncIterable<Uint8Array>, mostBytes: number): Promise<string> {
  const events = Readable.toWeb(Readable.from(limited(stream, mostBytes), { objectMode: false }))
  for await (const { data } of readEvents(events as ReadableStream<Uint8Array>)) {
    const message = parsed(data) ?? null
    if (!isObject(message) || own(message, 'method') === undefined) return data
  }
  return ''
}

async function* limited(stream: AsyncIterable<Uint8Array>, mostBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > mostBytes) return
    yield chunk
  }
}
