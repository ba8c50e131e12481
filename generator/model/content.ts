import type { Document } from '../load/document.js'
import { type Cursor, follow, member, members } from './cursor.js'

/** How a body is written. */
type MediaKind = 'json' | 'form' | 'other'

export interface MediaType {
  readonly kind: MediaKind
  readonly name: string
  readonly cursor: Cursor
  readonly schema: Cursor | undefined
}

/**
 * The media type of a request body or response that an operation is made from: `application/json`, else
 * another JSON type, else a form, else the first by name. Undefined where it has no content.
 */
export function mediaTypeOf(document: Document, holder: Cursor): MediaType | undefined {
  const types = members(member(holder, 'content')).flatMap((entry): MediaType[] => {
    const cursor = follow(document, entry)
    if (cursor === undefined) return []
    return [{ kind: kindOf(entry.key), name: entry.key, cursor, schema: member(cursor, 'schema') }]
  })
  const rank = (type: MediaType): number => {
    if (/^application\/json\b/i.test(type.name)) return 0
    return ['json', 'form', 'other'].indexOf(type.kind) + 1
  }
  return types.sort((a, b) => rank(a) - rank(b))[0]
}

function kindOf(name: string): MediaKind {
  const essence = (name.split(';')[0] ?? '').trim().toLowerCase()
  if (
    /^(application|text)\/([^/]+\+)?json$/.test(essence) ||
    essence === '*/*' ||
    essence === 'application/*'
  ) {
    return 'json'
  }
  return essence === 'application/x-www-form-urlencoded' || essence === 'multipart/form-data'
    ? 'form'
    : 'other'
}
