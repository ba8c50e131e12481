import type { BodyMedia } from 'duet-runtime'
import { essenceOf } from '../../../document/media-type.js'
import type { Endpoint } from '../../change/side.js'
import { takes } from '../parts/media.js'

/**
 * Whether the new version refuses bodies of a media type (415) that the old one reads. A document may name more types
 * than are read, because all must have the same content. Undefined if a version has no model.
 */
export function isRefused(before: Endpoint, after: Endpoint, declared: string): boolean | undefined {
  const [old, fresh] = [before.modelled?.rest.body, after.modelled?.rest.body]
  if (old === undefined || fresh === undefined) return undefined
  return spellings(old.media, declared).some((type) => isRead(old.media, type) && !isRead(fresh.media, type))
}

/** A range means JSON, unless the media type is a text or a file. */
function spellings(media: readonly BodyMedia[] | undefined, declared: string): string[] {
  const isOfJson = declared.includes('*') && !media?.some(({ type }) => type === essenceOf(declared))
  return isOfJson ? ['application/json', 'application/vnd.x+json'] : [declared]
}

/**
 * Whether both versions read their media types, so that params over JSON-RPC come from them. True if there is no model.
 */
export function areRead(...ends: readonly (readonly [Endpoint, string])[]): boolean {
  return ends.every(([{ modelled }, type]) => {
    const body = modelled?.rest.body
    return body === undefined || spellings(body.media, type).some((one) => isRead(body.media, one))
  })
}

/** The media types that both versions assume for a body without a Content-Type, if their kinds differ. */
export function untypedChange(before: Endpoint, after: Endpoint): readonly [string, string] | undefined {
  const [old, fresh] = [before.modelled?.rest.body, after.modelled?.rest.body]
  if (old === undefined || fresh === undefined) return undefined
  const [was = json, is = json] = [old.media?.[0], fresh.media?.[0]]
  // A media type that is no longer read is reported separately.
  return was.kind === is.kind || !isRead(fresh.media, was.type) ? undefined : [was.type, is.type]
}

const json: BodyMedia = { type: 'application/json', kind: 'json' }

/** Whether the runtime reads a media type. Without media types it reads only JSON. */
function isRead(media: readonly BodyMedia[] | undefined, type: string): boolean {
  const isJson = /^application\/(.*\+)?json$/.test(essenceOf(type))
  if (media === undefined) return isJson
  return media.some((one) => takes(one.type, type) || (one.kind === 'json' && isJson))
}
