import { type Cursor, member } from '../../model/cursor.js'
import type { Subject } from '../schema/subject.js'
import { compareSchemas, type OperationPair, presence, report } from './pair.js'

/**
 * What each piece of a stream is, where `itemSchema` says it (OpenAPI 3.2). One that only one version says counts where no schema
 * of the whole stands in its place.
 */
export function pieceFacts(
  pair: OperationPair,
  subject: Subject,
  type: string,
  old: Cursor,
  fresh: Cursor,
): void {
  const [a, b] = [member(old, 'itemSchema'), member(fresh, 'itemSchema')]
  const { direction, sent, variant = '' } = subject
  // An event has fields beside what its data hold, which no line of JSON has.
  const isLine = sent !== undefined && !/event-stream/i.test(type)
  const { sent: _, ...others } = subject
  const piece: Subject = {
    ...{
      ...others,
      isLoose: false,
      title: `each piece of ${subject.title}`,
      variant: `${variant} piece`.trim(),
    },
    ...(isLine && { sent: { ...sent, type, isPiece: true } }),
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
