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

/** The fields of an event as they were sent. */
export interface EventFields {
  readonly event?: string
  readonly id?: string
  readonly retry?: number
  readonly data: string
}

/**
 * The events of a stream as they come in (HTML Living Standard, section 9.2.6). What has no data is no event; one
 * that the end of the stream cuts off is dropped.
 */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  let lastId = ''
  for await (const { event, id = lastId, data, ...others } of readBlocks(stream)) {
    lastId = id
    if (data !== undefined) yield { event: event || 'message', id, ...others, data }
  }
}

/** The same with the fields that each event was sent with. */
export async function* readFields(stream: ReadableStream<Uint8Array>): AsyncGenerator<EventFields> {
  for await (const { data, ...fields } of readBlocks(stream)) {
    if (data !== undefined) yield { ...fields, data }
  }
}

type Block = Partial<EventFields>

/** What stands between two blank lines. */
async function* readBlocks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Block> {
  let block: Block = {}
  for await (const line of linesOf(stream)) {
    if (line === '') {
      yield block
      block = {}
    } else block = withField(block, line)
  }
}

function withField(block: Block, line: string): Block {
  const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
  if (name === 'data') return { ...block, data: block.data === undefined ? value : `${block.data}\n${value}` }
  if (name === 'event') return { ...block, event: value }
  if (name === 'id' && !value.includes('\0')) return { ...block, id: value }
  if (name === 'retry' && /^\d+$/.test(value)) return { ...block, retry: Number(value) }
  return block
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
