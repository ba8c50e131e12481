import { streamText } from './stream-text.js'

/** A dispatched event. Its data is text, or JSON if the document says so. */
export interface ServerSentEvent {
  /** `message` if the event has no type. */
  readonly event: string
  /** The stream's last id, of this event or an earlier one; empty if there is none. */
  readonly id: string
  /** Milliseconds to wait before reconnecting, if this event has it. */
  readonly retry?: number
  readonly data: string
}

/** The fields of an event as sent. */
export interface EventFields {
  readonly event?: string
  readonly id?: string
  readonly retry?: number
  readonly data: string
}

/**
 * The events of a stream as they arrive (HTML Living Standard, section 9.2.6). A block without data is not an
 * event; a block that the end of the stream cuts off is dropped.
 */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  let lastId = ''
  for await (const { event, id = lastId, data, ...others } of readBlocks(stream)) {
    lastId = id
    if (data !== undefined) yield { event: event || 'message', id, ...others, data }
  }
}

/** The same, with each event's fields as sent. */
export async function* readFields(stream: ReadableStream<Uint8Array>): AsyncGenerator<EventFields> {
  for await (const { data, ...fields } of readBlocks(stream)) {
    if (data !== undefined) yield { ...fields, data }
  }
}

type Block = Partial<EventFields>

/** The fields between two blank lines. */
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

/** Complete lines, ended by any of the three line breaks. */
async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  for await (const { text, done } of streamText(stream)) {
    rest += text
    // A trailing carriage return may be half of a line break.
    const lines = rest.split(done ? /\r\n|\r|\n/ : /\r\n|\r(?!$)|\n/)
    rest = lines.pop() ?? ''
    yield* lines
  }
}
