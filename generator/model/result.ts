import type { Document } from '../load/document.js'
import type { Components } from './components.js'
import { type MediaType, mediaTypeOf } from './content.js'
import { type Cursor, follow, member, members } from './cursor.js'
import type { Schema } from './model.js'

export interface Result {
  readonly schema: Schema
  /** HTTP status of a success. */
  readonly status: number
  readonly media: MediaType | undefined
}

/**
 * What a success answers: the JSON body of the lowest 2xx response that has one, else of `default` where
 * no 2xx is declared. Without one the result is null, at the lowest 2xx status (204 where there is none).
 */
export function readResult(document: Document, components: Components, operation: Cursor): Result {
  const responses = members(member(operation, 'responses'))
  const successes = responses
    .filter((response) => /^2(\d\d|XX)$/i.test(response.key))
    .sort((a, b) => statusOf(a.key) - statusOf(b.key))
  const candidates =
    successes.length > 0 ? successes : responses.filter((response) => response.key === 'default')
  for (const response of candidates) {
    const target = follow(document, response)
    const media = target && mediaTypeOf(document, target)
    if (media?.kind !== 'json') continue
    const schema = media.schema === undefined ? true : components.read(media.schema)
    return { schema, status: statusOf(response.key), media }
  }
  const first = successes[0]
  return {
    schema: { type: 'null' },
    status: first === undefined ? 204 : statusOf(first.key),
    media: undefined,
  }
}

function statusOf(key: string): number {
  return key === 'default' ? 200 : Number(key.replace(/X/gi, '0'))
}
