import { describe, expect, test } from 'vitest'
import { pieceText } from '../contract/piece.js'
import { readValues } from './value-reader.js'

/** The values of a text that arrives in pieces of this many bytes. */
async function read(text: string, size: number): Promise<unknown[]> {
  const bytes = new TextEncoder().encode(text)
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
      controller.close()
    },
  })
  const values: unknown[] = []
  for await (const value of readValues(stream)) values.push(value)
  return values
}

describe.each([1, 2, 3, 1000])('in pieces of %i bytes', (size) => {
  test('reads lines, empty ones, and a last one without a line break', async () => {
    expect(await read('{"a":"ä"}\r\n\n 7\n[1,\t2]', size)).toEqual([{ a: 'ä' }, 7, [1, 2]])
  })

  test('reads the texts of a sequence, with line breaks inside', async () => {
    expect(await read('\x1e{"a":\n1}\n\x1e\x1e7\n\x1e"\\u001e"\n', size)).toEqual([{ a: 1 }, 7, '\u001e'])
  })

  test('skips a text of a sequence that is cut off', async () => {
    // 12 may have been 123; {"b" is incomplete.
    expect(await read('\x1e{"a":1}\n\x1e12\x1e{"b"\x1etrue\n\x1e3', size)).toEqual([{ a: 1 }, true])
  })
})

test('a line that is not JSON is an error', async () => {
  await expect(read('{"a":1}\noops\n', 1000)).rejects.toThrow(SyntaxError)
})

test('yields a text of a sequence before the next one begins', async () => {
  let feed: (text: string) => void = () => {}
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      feed = (text) => controller.enqueue(new TextEncoder().encode(text))
    },
  })
  const values = readValues(stream)
  feed('\x1e{"n":')
  feed('1}\n')
  expect(await values.next()).toEqual({ value: { n: 1 }, done: false })
  await values.return(undefined)
})

test('reads a value as it was written', async () => {
  for (const type of ['application/json-seq', 'application/jsonl'])
    expect(await read(pieceText({ text: 'a\nb\x1e' }, { type, kind: 'lines' }), 4)).toEqual([
      { text: 'a\nb\x1e' },
    ])
})
