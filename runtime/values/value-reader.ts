import { streamText } from './stream-text.js'

/**
 * The JSON values of a stream as they come in: of JSON lines one a line, of `application/json-seq` one a text. A value is
 * what the service has sent; nothing validates it here. Of a sequence a text that is cut off or no JSON is passed over
 * (RFC 7464 sections 2.3 and 2.4).
 *
 * @throws SyntaxError for a line that is no JSON
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
    // A line feed ends a text, so that nobody waits for the next one; it may as well stand within.
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

interface Found {
  readonly value: unknown
}

/** Whether a sequence begins; undefined as long as there is nothing to tell by. */
function beginsSequence(text: string): boolean | undefined {
  const [first] = text.trimStart()
  return first === undefined ? undefined : first === separator
}

function line(text: string, parse: (text: string) => unknown): Found | undefined {
  return text.trim() === '' ? undefined : { value: parse(text) }
}

/** Undefined for what is no JSON or may be cut off: a number could go on where no white space ends it. */
function wholeText(text: string, parse: (text: string) => unknown): Found | undefined {
  if (!/[\s"\]}]$/.test(text)) return undefined
  try {
    return { value: parse(text) }
  } catch {
    return undefined
  }
}
