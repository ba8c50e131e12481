import { member } from '../../../document/cursor.js'
import { streamOf } from '../../../model/content/content.js'
import type { SentAs } from '../../change/change.js'
import type { Subject } from '../../change/subject.js'
import { isJson, type MediaPair } from './media.js'
import { compareSchemas, type OperationPair, presence, report } from './pair.js'

/** Whether values are written as text: not as JSON, nor as JSON in each item of a stream. */
export function isWrittenAsText(pair: OperationPair, media: MediaPair): boolean {
  if (isJson(media.type)) return false
  const [a, b] = [member(media.a, 'schema'), member(media.b, 'schema')]
  const [old, fresh] = streamsOf(pair, media)
  const isJsonEach = (stream: typeof old, whole: typeof a): boolean =>
    stream !== undefined && stream.data !== 'text' && (stream.item !== undefined || whole === undefined)
  return !isJsonEach(old, a) || !isJsonEach(fresh, b)
}

/** How both versions encode the items of a stream. Undefined if an item by its schema cannot show what they send. */
export function streamOfBoth(pair: OperationPair, media: MediaPair): SentAs['stream'] {
  const [old, fresh] = streamsOf(pair, media)
  if (old === undefined || fresh?.item === undefined || old.kind !== fresh.kind) return undefined
  const { kind, data, text } = fresh
  if (kind !== 'lines' && kind !== 'events') return undefined
  // Data may be a text that contains JSON. Validators check the content.
  if (data !== old.data || (data !== undefined && data !== 'text')) return undefined
  if (text !== old.text) return undefined
  return { kind, ...(data !== undefined && { data }), ...(text && { text }) }
}

function streamsOf(pair: OperationPair, { was, type, a, b }: MediaPair) {
  return [streamOf(pair.old.document, a, was), streamOf(pair.new.document, b, type)] as const
}

/**
 * Compares the items of a stream as `itemSchema` describes them (OpenAPI 3.2). If only one version has it, that counts
 * unless a schema of the whole describes them in the other.
 */
export function pieceFacts(pair: OperationPair, subject: Subject, media: MediaPair): void {
  const { type, a: old, b: fresh } = media
  const [a, b] = [member(old, 'itemSchema'), member(fresh, 'itemSchema')]
  const { direction, sent, variant = '' } = subject
  const stream = streamOfBoth(pair, media)
  const { sent: _, ...others } = subject
  const piece: Subject = {
    ...{ ...others, title: `each piece of ${subject.title}`, variant: `${variant} piece`.trim() },
    ...(sent !== undefined && stream !== undefined && { sent: { ...sent, type, stream } }),
  }
  if (a !== undefined && b !== undefined) compareSchemas(pair, piece, a, b)
  if ((a === undefined) === (b === undefined)) return
  if ([old, fresh].some((media) => member(media, 'schema') !== undefined)) return
  const judged = presence(pair, piece, a, b)
  if (judged === undefined) return
  const how = a === undefined ? 'added' : 'removed'
  report(pair, {
    ...judged,
    id: `${direction}-body-media-type-schema-${how}`,
    message: `the schema of ${piece.title} (${type}) was ${how}`,
    ...{ old, new: fresh, path: subject.path, values: [piece.variant, type] },
    ...(subject.protocols !== undefined && { protocols: subject.protocols }),
  })
}
