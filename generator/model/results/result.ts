import type { AnswerMedia } from 'duet-runtime'
import { type Cursor, follow, member, members } from '../../document/cursor.js'
import type { Document } from '../../document/document.js'
import { fingerprint } from '../../schema/canonical.js'
import { allowedTypes } from '../../schema/coercion.js'
import type { Schema } from '../../schema/schema.js'
import { binarySchema } from '../content/binary.js'
import type { Components } from '../content/components.js'
import { type MediaType, mediaTypesOf } from '../content/content.js'
import { entityTagPath } from '../content/entity-tag.js'
import { eventSchema } from '../content/event.js'
import type { JsonContent, StatusResult } from '../model.js'
import { isFailingDefault, responsesOf } from './default-response.js'
import { type ResponseHeaders, readResponseHeaders, type StatusResponse } from './response-headers.js'

export interface Result {
  readonly schema: Schema
  /** HTTP status of a success, unless a handler chooses another. */
  readonly status: number
  /** Every status of a success. Undefined if there is only one. */
  readonly statuses: readonly number[] | undefined
  /** Status of a success without content, if it differs. */
  readonly emptyStatus: number | undefined
  /** Statuses of successes without content, though HTTP would allow it. Undefined if there are none. */
  readonly bare: readonly number[] | undefined
  /** Undefined if no success declares any. */
  readonly headers: ResponseHeaders | undefined
  /** The success of each status. Undefined if all have the same body and headers. */
  readonly byStatus: readonly StatusResult[] | undefined
  /** The media types of a success. Undefined for JSON. */
  readonly answers: readonly AnswerMedia[] | undefined
  /** The media type of a success in JSON. Undefined for `application/json`. */
  readonly jsonType: string | undefined
  /** The JSON media types of a success, the preferred one first, if their schemas differ. Otherwise undefined. */
  readonly jsonContents: readonly JsonContent[] | undefined
  /** Path to the member with the text of the header `ETag`. Undefined if the document does not define it. */
  readonly entityTag: readonly string[] | undefined
  /** The schema of each piece of a stream. Undefined if the document does not describe it. */
  readonly pieces: Schema | undefined
  /** The media type that has the examples. */
  readonly media: MediaType | undefined
}

/**
 * The content of a success: that of any 2xx response, else of `default` unless it can only be a failure, else of
 * the 3xx responses. Next to a
 * 2xx, a 3xx has no content and a handler must choose it. A handler chooses 304 by returning null, if nothing
 * else may be null. The status is that of the lowest response with JSON, else with any content, else the
 * lowest (204 if there is none).
 */
export function readResult(document: Document, components: Components, operation: Cursor): Result {
  const responses = successesOf(document, operation)
  const taken = new Set<number>()
  const successes = responses.map((response): Success => {
    const target = follow(document, response)
    const status = statusOf(response.key)
    const isBare = response.isSecondary || alwaysBare.has(status)
    const media = target === undefined || isBare ? [] : mediaTypesOf(document, target)
    const entityTag = target && entityTagPath(document, target)
    // A status takes precedence over its range, which comes later.
    const statuses = statusesOf(response.key).filter((each) => !taken.has(each))
    for (const each of statuses) taken.add(each)
    return { status, statuses, media, entityTag, target }
  })
  const main =
    successes.find(({ media }) => media[0]?.kind === 'json') ??
    successes.find(({ media }) => media.length > 0) ??
    successes[0]
  const schemas = new Map<string, Schema>()
  for (const { media } of successes) {
    const contents = media.length === 0 ? [nothing] : media.map((type) => contentOf(components, type))
    for (const schema of contents) schemas.set(fingerprint(schema), schema)
  }
  const media = successes.flatMap((success) => success.media)
  const status = main?.status ?? 204
  const statuses = successes.flatMap((success) => success.statuses)
  const empties = successes.filter(({ media }) => media.length === 0)
  const empty = empties.find(({ status }) => status < 300) ?? empties.find(({ status }) => status === 304)
  const isNullable = main?.media.some((type) => acceptsNull(components, contentOf(components, type)))
  const [jsonType] = jsonTypesOf(main?.media ?? [])
  const headers = readResponseHeaders(document, components, successes)
  return {
    schema: anyOf([...schemas.values()]),
    status,
    statuses: statuses.length > 1 ? statuses.sort((a, b) => a - b) : undefined,
    emptyStatus: empty !== undefined && empty !== main && isNullable === false ? empty.status : undefined,
    bare: bareOf(successes),
    headers,
    byStatus: byStatus(components, successes, status, headers),
    answers: media.every(({ kind }) => kind === 'json') ? undefined : answersOf(media),
    jsonType: jsonType === preferredJson ? undefined : jsonType,
    jsonContents: jsonContentsOf(components, main?.media ?? []),
    entityTag: main?.entityTag,
    pieces: piecesOf(document, components, media),
    media: main?.media[0],
  }
}

interface Success extends StatusResponse {
  readonly status: number
  readonly media: readonly MediaType[]
  readonly entityTag: readonly string[] | undefined
}

const nothing: Schema = { type: 'null' }

/** Statuses of the ranges 2XX and 3XX in the HTTP registry. */
const registered = {
  success: [200, 201, 202, 203, 204, 205, 206, 207, 208, 226],
  redirection: [300, 301, 302, 303, 304, 307, 308],
} as const

function statusesOf(key: string): readonly number[] {
  if (!/X/i.test(key)) return [statusOf(key)]
  return key.startsWith('3') ? registered.redirection : registered.success
}

/** Statuses that never have a body, whatever a document declares (RFC 9110 sections 15.3.5, 15.3.6 and 15.4.5). */
export const alwaysBare: ReadonlySet<number> = new Set([204, 205, 304])

/** An explicit status is more specific than its range. */
function bareOf(successes: readonly Success[]): number[] | undefined {
  const filled = new Set(successes.flatMap(({ status, media }) => (media.length > 0 ? [status] : [])))
  const bare = successes.flatMap(({ statuses, media }) => (media.length > 0 ? [] : statuses))
  const found = new Set(bare.filter((status) => !filled.has(status) && !alwaysBare.has(status)))
  return found.size === 0 ? undefined : [...found].sort((a, b) => a - b)
}

/**
 * The successes that callers tell apart by their statuses.
 *
 * @param status the only 3xx that has a body, if it is one
 */
function byStatus(
  components: Components,
  successes: readonly Success[],
  status: number,
  headers: ResponseHeaders | undefined,
): StatusResult[] | undefined {
  const different = new Map<string, StatusResult>()
  for (const [index, { media, statuses }] of successes.entries()) {
    for (const each of statuses) {
      const isBare = media.length === 0 || alwaysBare.has(each) || (each >= 300 && each !== status)
      const contents = isBare ? [nothing] : media.map((type) => contentOf(components, type))
      const result = anyOf([...new Map(contents.map((one) => [fingerprint(one), one])).values()])
      const own = headers?.own[index]
      const key = `${fingerprint(result)} ${own === undefined ? '' : fingerprint(own)}`
      const others = different.get(key)?.statuses ?? []
      different.set(key, { statuses: [...others, each].sort((a, b) => a - b), result, headers: own })
    }
  }
  return different.size > 1 ? [...different.values()] : undefined
}

interface SuccessCursor extends Cursor {
  readonly key: string
  /** A 3xx next to a 2xx. */
  readonly isSecondary: boolean
}

function successesOf(document: Document, operation: Cursor): SuccessCursor[] {
  const responses = members(member(operation, 'responses'))
  const within = (pattern: RegExp) =>
    responses
      .filter((response) => pattern.test(response.key))
      // A status takes precedence over its range (OpenAPI 3.1.1, Responses Object).
      .sort((a, b) => Number(isRange(a.key)) - Number(isRange(b.key)) || statusOf(a.key) - statusOf(b.key))
  const [fine = [], rest = [], elsewhere = []] = [/^2(\d\d|XX)$/i, /^default$/, /^3(\d\d|XX)$/i].map(within)
  const isFailing = fine.length === 0 && isFailingDefault(document, responsesOf(document, operation))
  const main = [fine, isFailing ? [] : rest, elsewhere].find((list) => list.length > 0) ?? []
  const secondary = main === fine ? elsewhere : []
  return [
    ...main.map((response) => ({ ...response, isSecondary: false })),
    ...secondary.map((response) => ({ ...response, isSecondary: true })),
  ]
}

function contentOf(components: Components, { kind, schema }: MediaType): Schema {
  if (kind === 'json') return schema === undefined ? true : components.read(schema)
  return kind === 'binary' ? binarySchema : { type: 'string' }
}

function piecesOf(
  document: Document,
  components: Components,
  media: readonly MediaType[],
): Schema | undefined {
  const streams = media.filter(({ kind }) => kind === 'events' || kind === 'lines')
  const items = streams.flatMap(({ item, data }) => {
    if (item === undefined) return []
    return [data === undefined ? components.read(item) : eventSchema(document, components, item)]
  })
  const different = new Map(items.map((item) => [fingerprint(item), item]))
  return items.length === 0 || items.length < streams.length ? undefined : anyOf([...different.values()])
}

function acceptsNull(components: Components, schema: Schema): boolean {
  return allowedTypes(components.schemas, schema)?.has('null') ?? true
}

function anyOf(schemas: readonly Schema[]): Schema {
  const [only = nothing] = schemas
  if (schemas.length < 2) return only
  return schemas.includes(true) ? true : { anyOf: schemas }
}

const preferredJson = 'application/json'

/** The JSON types that a document declares, such as `application/hal+json`. Ranges are excluded. */
function jsonTypesOf(media: readonly MediaType[]): string[] {
  const types = media.flatMap(({ kind, type }) => (kind === 'json' && !type.includes('*') ? [type] : []))
  const others = types.filter((type) => type !== preferredJson)
  return [...new Set(others.length < types.length ? [preferredJson, ...others] : others)]
}

function jsonContentsOf(components: Components, media: readonly MediaType[]): JsonContent[] | undefined {
  const contents = jsonTypesOf(media).map((type) => {
    const own = media.filter((one) => one.type === type).map((one) => contentOf(components, one))
    return { type, schema: anyOf([...new Map(own.map((one) => [fingerprint(one), one])).values()]) }
  })
  return new Set(contents.map(({ schema }) => fingerprint(schema))).size > 1 ? contents : undefined
}

function answersOf(media: readonly MediaType[]): AnswerMedia[] {
  const types = new Map<string, AnswerMedia>()
  for (const { type, kind, item, data, text } of media) {
    const known = kind === 'form' || kind === 'multipart' ? 'text' : kind
    if (types.has(type)) continue
    const isBare = kind === 'events' && item === undefined
    types.set(type, {
      ...{ type, kind: known },
      ...(data !== undefined && { data }),
      ...(text && { text }),
      ...(isBare && { bare: true }),
    })
  }
  return [...types.values()]
}

function isRange(key: string): boolean {
  return /X/i.test(key)
}

function statusOf(key: string): number {
  return key === 'default' ? 200 : Number(key.replace(/X/gi, '0'))
}
