import { expect, test } from 'vitest'
import { pieceText } from '../contract/piece.js'
import { readEvents, type ServerSentEvent } from './event-reader.js'

/** The events of a text that arrives in pieces of this many bytes. */
async function read(text: string, size: number): Promise<ServerSentEvent[]> {
  const bytes = new TextEncoder().encode(text)
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
      controller.close()
    },
  })
  const events: ServerSentEvent[] = []
  for await (const event of readEvents(stream)) events.push(event)
  return events
}

test.each([1, 2, 3, 1000])('events are read whatever pieces of %i bytes they come in', async (size) => {
  const text =
    ': a comment\r\nevent: add\r\nid: 7\r\nretry: 50\r\ndata: ä\r\ndata:b\r\n\r\nid: 8\n\ndata\r\rdata: cut off\n'
  expect(await read(text, size)).toEqual([
    { event: 'add', id: '7', retry: 50, data: 'ä\nb' },
    { event: 'message', id: '8', data: '' },
  ])
})

test('reads an event as it was written', async () => {
  const event = { event: 'add', id: '7', retry: 5, data: ' two\nlines: ' }
  expect(
    await read(pieceText(event, { type: 'text/event-stream', kind: 'events', data: 'text' }), 4),
  ).toEqual([event])
})
