import { expect, test } from 'vitest'
import { pieceText } from './piece.js'

const events = { type: 'text/event-stream', kind: 'events' } as const

test('an event has its fields, and a line of data for each line of its text', () => {
  const piece = { event: 'add', id: '7', retry: 100, data: 'a\nb\r\nc' }
  expect(pieceText(piece, { ...events, data: 'text' })).toBe(
    'event: add\nid: 7\nretry: 100\ndata: a\ndata: b\ndata: c\n\n',
  )
})

test.each([
  ['text', 'a', 'data: a\n\n'],
  ['text', { n: 1 }, 'data: {"n":1}\n\n'],
  ['json', { n: 1 }, 'data: {"n":1}\n\n'],
  ['json', 'a\nb', 'data: "a\\nb"\n\n'],
  ['json', undefined, '\n'],
] as const)('the data of an event is %s: %j', (data, value, text) => {
  expect(pieceText({ data: value }, { ...events, data })).toBe(text)
})

test.each(['event', 'id', 'retry'])('a line break in %s is refused, not taken for another field', (name) => {
  expect(() => pieceText({ [name]: 'a\ndata: b', data: '' }, { ...events, data: 'text' })).toThrow(TypeError)
})

test('in any other stream of events a piece is the data', () => {
  expect(pieceText({ event: 'a', data: 1 }, events)).toBe('data: {"event":"a","data":1}\n\n')
})

test('a text is the data as it is if all pieces are texts or the document does not describe them', () => {
  for (const media of [{ text: true }, { bare: true }] as const)
    expect(pieceText('a\nb', { ...events, ...media })).toBe('data: a\ndata: b\n\n')
  expect(pieceText('a\nb', events)).toBe('data: "a\\nb"\n\n')
})

test('writes one JSON text per line, with a record separator in a sequence', () => {
  expect(pieceText({ a: 1 }, { type: 'application/jsonl', kind: 'lines' })).toBe('{"a":1}\n')
  expect(pieceText({ a: 1 }, { type: 'application/json-seq', kind: 'lines' })).toBe('\x1e{"a":1}\n')
  expect(pieceText('a', { type: 'application/jsonl', kind: 'lines' })).toBe('"a"\n')
})
