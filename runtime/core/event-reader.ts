import { streamText } from './stream-text.js'

/** An event as it was dispatched; its data is text, JSON where the document says so. */
export interface ServerSentEvent {
  /** `message` where the event names no type. */
  readonly event: string
  /** The last id that the stream has given, of this event or an earlier one; empty where there is none. */
  readonly id: string
  /** Milliseconds to wait before the next connection, where this event says so. */
  readonly retry?: number
  readonly data: string
}

/**
 * The events of a stream as they come in (HTML Living Standard, section 9.2.6). What has no data is no event; one
 * that the end of the stream cuts off is dropped.
 */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  let fields = new Map<string, string>()
  let data: string[] = []
  let id = ''
  for await (const line of linesOf(stream)) {
    if (line !== '') {
      const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
      if (name === 'data') data.push(value)
      else if (name === 'id' && !value.includes('\0')) id = value
      else fields.set(name, value)
      continue
    }
    const retry = fields.get('retry') ?? ''
    if (data.length > 0) {
      const event = fields.get('event') || 'message'
      yield { event, id, ...(/^\d+$/.test(retry) && { retry: Number(retry) }), data: data.join('\n') }
    }
    fields = new Map()
    data = []
  }
}

/** Lines that have ended, by any of the three line breaks. */
async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  for await (const { text, done } of streamText(stream)) {
    rest += text
    // A carriage return at the end may be half of a line break.
    const lines = rest.split(done ? /\r\n|\r|\n/ : /\r\n|\r(?!$)|\n/)
    rest = lines.pop() ?? ''
    yield* lines
  }
}
