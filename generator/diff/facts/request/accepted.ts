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
  const isOfJson = declared.includes('*') && !old.media?.some(({ type }) => type === essence(declared))
  const types = isOfJson ? ['application/json', 'application/vnd.x+json'] : [declared]
  return types.some((type) => isRead(old.media, type) && !isRead(fresh.media, type))
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
