import type { AnswerMedia, BodyMedia } from 'duet-runtime'
import { type Cursor, compareText, follow, member, members, text } from '../../document/cursor.js'
import type { Document } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { essenceOf } from '../../document/media-type.js'
import { compositions } from '../../document/vocabulary.js'
import { eventDataOf, takesOnlyText } from './event.js'

/** How a body or a response is written. */
type MediaKind = BodyMedia['kind'] | AnswerMedia['kind']

export interface MediaType {
  readonly kind: MediaKind
  /** As the document has it. */
  readonly name: string
  /** In lower case, without parameters. */
  readonly type: string
  readonly cursor: Cursor
  /** The schema of the whole content. For a stream without one, the schema of its items (OpenAPI 3.2). */
  readonly schema: Cursor | undefined
  /** The schema of one piece of a stream. */
  readonly item: Cursor | undefined
  /** How the data of events is written, if `item` describes an event. */
  readonly data: AnswerMedia['data']
  /** Whether pieces are texts, and the data of events as they are. */
  readonly text: boolean
}

/**
 * The media types of a request body or response. An operation uses the first: `application/json`, then other
 * JSON types, forms, text, files, streams; equals by name.
 */
export function mediaTypesOf(document: Document, holder: Cursor): readonly MediaType[] {
  const types = members(member(holder, 'content')).flatMap((entry): MediaType[] => {
    const cursor = follow(document, entry)
    if (cursor === undefined) return []
    const whole = member(cursor, 'schema')
    const schema = whole ?? member(cursor, 'itemSchema')
    const type = essenceOf(entry.key)
    // An invalid media type cannot be in a header.
    if (!mediaType.test(type)) return []
    const target = schema && follow(document, schema)
    const kind = kindOf(type, target)
    const pieces = piecesOf(document, cursor, kind)
    return [{ kind, name: entry.key, type, cursor, schema: kind === 'json' ? whole : schema, ...pieces }]
  })
  const rank = ({ kind, type }: MediaType): number =>
    type === 'application/json' ? 0 : order.indexOf(kind) + 1
  return types.sort((a, b) => rank(a) - rank(b) || compareText(a.name, b.name))
}

function piecesOf(
  document: Document,
  media: Cursor,
  kind: MediaKind,
): Pick<MediaType, 'item' | 'data' | 'text'> {
  const item = itemOf(document, media, kind)
  const isStated = member(media, 'itemSchema') !== undefined
  if (item === undefined || kind !== 'events') return { item, data: undefined, text: false }
  const data = eventDataOf(document, item, isStated)
  return { item, data, text: data === undefined && takesOnlyText(document, item) }
}

/** By `itemSchema` (OpenAPI 3.2), else by `schema`. */
function itemOf(document: Document, media: Cursor, kind: MediaKind): Cursor | undefined {
  if (kind !== 'lines' && kind !== 'events') return undefined
  return member(media, 'itemSchema') ?? itemOfWhole(document, member(media, 'schema'))
}

/**
 * The schema of each piece, from the `schema` of the whole: an array's items, nothing for a text, else the
 * schema itself.
 */
function itemOfWhole(document: Document, whole: Cursor | undefined): Cursor | undefined {
  const target = whole && follow(document, whole)
  if (target === undefined) return undefined
  const shape = shapeOf(target)
  if (shape === 'text' || shape === 'binary') return undefined
  return isObject(target.value) && own(target.value, 'type') === 'array' ? member(target, 'items') : whole
}

/** The first of {@link mediaTypesOf}. Undefined if there is no content. */
export function mediaTypeOf(document: Document, holder: Cursor): MediaType | undefined {
  return mediaTypesOf(document, holder)[0]
}

/** Whether a media type is binary: the value of `contentMediaType` of a file. */
export function isBytesType(name: string): boolean {
  const type = essenceOf(name)
  return kindOf(type, undefined) === 'binary' || type === '*/*'
}

/** Whether a media type carries plain bytes, without a more specific schema. */
export function carriesBytes(document: Document, media: Cursor, name: string): boolean {
  const schema = member(media, 'schema')
  const target = schema && follow(document, schema)
  const type = essenceOf(name)
  const isOfParts = type.startsWith('multipart/') && shapeOf(target) === 'json'
  return kindOf(type, target) === 'binary' && !isOfParts
}

/** Whether a media type carries plain text, without a more specific schema. */
export function carriesText(document: Document, media: Cursor, name: string): boolean {
  const schema = member(media, 'schema')
  return kindOf(essenceOf(name), schema && follow(document, schema)) === 'text'
}

/** How a media type separates the pieces of a stream. Undefined if it is not a stream. */
export function streamOf(
  document: Document,
  media: Cursor,
  name: string,
): Pick<MediaType, 'kind' | 'data' | 'text' | 'item'> | undefined {
  const kind = kindOf(essenceOf(name), undefined)
  return kind === 'lines' || kind === 'events' ? { kind, ...piecesOf(document, media, kind) } : undefined
}

/** RFC 9110 section 8.3.1. A range contains stars. */
const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/

const order: readonly MediaKind[] = ['json', 'form', 'multipart', 'text', 'binary', 'events', 'lines']

const lines = new Set([
  'application/json-lines',
  'application/json-seq',
  'application/jsonl',
  'application/jsonlines',
  'application/ndjson',
  'application/stream+json',
  'application/x-json-lines',
  'application/x-jsonlines',
  'application/x-ndjson',
  'text/jsonl',
])

const files =
  /^(?:application\/(?:octet-stream|pdf|zip|gzip|x-gzip|x-tar|x-zip-compressed|wasm)|audio\/.*|font\/.*|image\/(?!svg\+xml$).*|model\/.*|video\/.*)$/

const texts =
  /^(?:text\/.*|.*[/+](?:xml|yaml)|application\/(?:javascript|x-yaml|sql|graphql|toml|x-pem-file))$/

/** For an unknown type the schema decides: a text, a file, or JSON if it has a structure. */
function kindOf(type: string, schema: Cursor | undefined): MediaKind {
  if (lines.has(type)) return 'lines'
  if (type === 'text/event-stream') return 'events'
  if (/^(?:application|text)\/(?:[^/]+\+)?json$/.test(type) || /^[^/]+\/[^/]+\+json$/.test(type))
    return 'json'
  if (type === 'application/x-www-form-urlencoded') return 'form'
  if (type === 'multipart/form-data') return 'multipart'
  if (type.startsWith('multipart/')) return 'binary'
  if (files.test(type)) return 'binary'
  if (texts.test(type)) return 'text'
  const stated = shapeOf(schema)
  if (stated !== undefined) return stated
  return type === '*/*' || type === 'application/*' ? 'json' : 'binary'
}

function shapeOf(schema: Cursor | undefined): MediaKind | undefined {
  const value = schema?.value
  if (!isObject(value)) return undefined
  const stated = own(value, 'type')
  const types = isArray(stated) ? stated : [stated]
  if (types.includes('string')) {
    const isFile = text(value, 'format') === 'binary' || text(value, 'contentMediaType') !== undefined
    return isFile ? 'binary' : 'text'
  }
  const structured = ['object', 'array', 'number', 'integer', 'boolean'].some((type) => types.includes(type))
  const composed = ['properties', ...compositions, '$ref'].some((key) => Object.hasOwn(value, key))
  return structured || composed ? 'json' : undefined
}
