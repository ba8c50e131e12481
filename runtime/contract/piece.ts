import { jsonText } from '../values/json-text.js'
import type { AnswerMedia } from './operation.js'

/** How a stream writes its pieces: server-sent events, or one JSON value per line. */
export type StreamMedia = Pick<AnswerMedia, 'type' | 'kind' | 'data' | 'text' | 'bare'>

/**
 * The text of a piece that is not bytes: an event, or a line. In a JSON text sequence it begins with a record
 * separator (RFC 7464 section 2.2). A response that is no stream is the texts of its pieces.
 *
 * @throws TypeError for a value that the media type or an event cannot carry
 */
export function pieceText(piece: unknown, { type, kind, data, text, bare }: StreamMedia): string {
  if (kind === 'lines') return `${type === 'application/json-seq' ? '\x1e' : ''}${jsonText(piece)}\n`
  if (kind === 'events') {
    if (data !== undefined) return eventText(piece, data)
    return eventText({ data: piece ?? null }, text === true || bare === true ? 'either' : 'json')
  }
  if (typeof piece !== 'string') throw new TypeError('A piece of this response must be a text or bytes')
  return piece
}

/**
 * Checks an event where every protocol receives it, also one that would not write its fields.
 *
 * @throws TypeError for a field that an event cannot carry
 */
export function checkEvent(piece: unknown): void {
  if (typeof piece !== 'object' || piece === null) return
  const { event, id, retry } = piece as Readonly<Record<string, unknown>>
  for (const [name, value] of Object.entries({ event, id, retry })) field(name, value)
}

/** Writes an event from its fields (HTML Living Standard, section 9.2.6). */
function eventText(piece: unknown, kind: NonNullable<StreamMedia['data']>): string {
  if (typeof piece !== 'object' || piece === null) throw new TypeError('An event must be an object')
  const { event, id, retry, data } = piece as Readonly<Record<string, unknown>>
  const written = typeof data === 'string' && kind !== 'json' ? data : jsonText(data)
  return [
    ...field('event', event),
    ...field('id', id),
    ...field('retry', retry),
    ...(written === undefined ? [] : written.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)),
    '\n',
  ].join('')
}

function field(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return []
  const text = String(value)
  // A line break would begin another field, and readers ignore an id with NUL.
  if (/[\r\n\0]/.test(text)) throw new TypeError(`The field ${name} of an event must be one line`)
  return [`${name}: ${text}\n`]
}
