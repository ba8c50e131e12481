import type { BodyMedia } from 'duet-runtime'
import type { Endpoint } from '../../change/side.js'
import { essence, takes } from '../parts/media.js'

/**
 * Whether bodies of a media type that the old version reads are refused by the new one (415): a document may name more than
 * are read, since all have to hold the same. Undefined where a version has no model.
 */
export function isRefused(before: Endpoint, after: Endpoint, declared: string): boolean | undefined {
  const [old, fresh] = [before.modelled?.rest.body, after.modelled?.rest.body]
  if (old === undefined || fresh === undefined) return undefined
  return spellings(old.media, declared).some((type) => isRead(old.media, type) && !isRead(fresh.media, type))
}

/** A range that is no media type of a text or a file stands for JSON. */
function spellings(media: readonly BodyMedia[] | undefined, declared: string): string[] {
  const isOfJson = declared.includes('*') && !media?.some(({ type }) => type === essence(declared))
  return isOfJson ? ['application/json', 'application/vnd.x+json'] : [declared]
}

/** Whether both versions read their media type, so that params over JSON-RPC come from it; also true where there is no model. */
export function areRead(...ends: readonly (readonly [Endpoint, string])[]): boolean {
  return ends.every(([{ modelled }, type]) => {
    const body = modelled?.rest.body
    return body === undefined || spellings(body.media, type).some((one) => isRead(body.media, one))
  })
}

/** The media types by which the two versions read a body without a Content-Type, where they are of other kinds. */
export function untypedChange(before: Endpoint, after: Endpoint): readonly [string, string] | undefined {
  const [old, fresh] = [before.modelled?.rest.body, after.modelled?.rest.body]
  if (old === undefined || fresh === undefined) return undefined
  const [was = json, is = json] = [old.media?.[0], fresh.media?.[0]]
  // One that is no longer read is told by itself.
  return was.kind === is.kind || !isRead(fresh.media, was.type) ? undefined : [was.type, is.type]
}

const json: BodyMedia = { type: 'application/json', kind: 'json' }

/** As the runtime chooses what reads a body; without media types it reads JSON alone. */
function isRead(media: readonly BodyMedia[] | undefined, type: string): boolean {
  const isJson = /^application\/(.*\+)?json$/.test(essence(type))
  if (media === undefined) return isJson
  return media.some((one) => takes(one.type, type) || (one.kind === 'json' && isJson))
}
