import { streamText } from './stream-text.js'

/**
 * The JSON values of a stream as they arrive: one per line for JSON lines, one per text for
 * `application/json-seq`. Does not validate them. In a sequence, skips a text that is cut off or is not JSON
 * (RFC 7464 sections 2.3 and 2.4).
 *
 * @throws SyntaxError for a line that is not JSON
 */
export async function* readValues<Value = unknown>(
  stream: ReadableStream<Uint8Array>,
  parse: (text: string) => unknown = JSON.parse,
): AsyncGenerator<Value> {
  let rest = ''
  let isSequence: boolean | undefined
  for await (const { text, done } of streamText(stream)) {
    rest += text
    isSequence ??= beginsSequence(rest)
    const texts = rest.split(isSequence ? separator : '\n')
    // A line feed usually ends a text, so try to parse there instead of waiting for the next text; but it may
    // also be inside a text.
    const last = texts.pop() ?? ''
    const ended = done || (isSequence && last.endsWith('\n')) ? last : ''
    const isRead = ended !== '' && (!isSequence || done || wholeText(ended, parse) !== undefined)
    rest = isRead ? '' : last
    for (const one of isRead ? [...texts, ended] : texts) {
      const found = isSequence ? wholeText(one, parse) : line(one, parse)
      if (found !== undefined) yield found.value as Value
    }
  }
}

const separator = '\x1e'

interface ParsedValue {
  readonly value: unknown
}

/** Whether the text begins a sequence; undefined while it is empty. */
function beginsSequence(text: string): boolean | undefined {
  const [first] = text.trimStart()
  return first === undefined ? undefined : first === separator
}

function line(text: string, parse: (text: string) => unknown): ParsedValue | undefined {
  return text.trim() === '' ? undefined : { value: parse(text) }
}

/**
 * Undefined for a text that is not JSON or may be cut off: without white space after it, a number could
 * continue.
 */
function wholeText(text: string, parse: (text: string) => unknown): ParsedValue | undefined {
  if (!/[\s"\]}]$/.test(text)) return undefined
  try {
    return { value: parse(text) }
  } catch {
    return undefined
  }
}
