import { blobOf, encodeBinaries, isBinary, mapBinaries } from '../core/binaries.js'
import { isJsonObject } from '../core/object.js'
import type { BodyBinding, BodyMedia, Operation, ParameterBinding } from '../core/operation.js'
import type { OutgoingCall } from '../core/transport.js'
import { queryPairs } from './transport-style.js'

/** The content of a request, and its type; a form of parts tells its own. */
export interface Content {
  readonly body: string | Blob | FormData
  readonly type: string | undefined
}

/** The call with base64 texts for its binaries where it is sent as JSON. */
export async function withoutBinaries(call: OutgoingCall): Promise<OutgoingCall> {
  const { binaries } = call.operation
  if (binaries === undefined || mediaFor(call.operation, call.params)?.kind !== 'json') return call
  const params = await encodeBinaries(call.params, binaries)
  return isJsonObject(params) ? { ...call, params } : call
}

/**
 * The media type that a call's body is sent in: the operation's first, unless that is JSON and the params
 * hold a file. Undefined: JSON, since nothing else is offered.
 */
export function mediaFor({ rest, binaries }: Operation, params: unknown): BodyMedia | undefined {
  const media = rest.body?.media
  if (media === undefined) return undefined
  const [first] = media
  if (first?.kind !== 'json' || binaries === undefined) return first
  let hasFile = false
  mapBinaries(params, binaries, (found) => {
    hasFile ||= isBinary(found)
    return found
  })
  return hasFile ? (media.find(({ kind }) => kind === 'multipart') ?? first) : first
}

/**
 * A body as its media type writes it; undefined where there is nothing to send.
 *
 * @throws TypeError for a value that the media type cannot carry
 */
export function contentOf(value: unknown, media: BodyMedia | undefined): Content | undefined {
  if (value === undefined) return undefined
  const type = media?.type ?? 'application/json'
  const concrete = type.includes('*') ? undefined : type
  switch (media?.kind) {
    case 'form':
      return { body: pairs(value, media).join('&'), type: 'application/x-www-form-urlencoded' }
    case 'multipart':
      return { body: formData(value, media), type: undefined }
    case 'text':
      return { body: String(value), type: `${concrete ?? 'text/plain'}; charset=utf-8` }
    case 'binary':
      return file(value, concrete)
    default:
      return { body: JSON.stringify(value), type: concrete ?? 'application/json' }
  }
}

function file(value: unknown, type: string | undefined): Content {
  const blob = blobOf(value)
  if (!(blob instanceof Blob)) throw new TypeError('The body must be a Blob or a Uint8Array')
  return { body: blob, type: type ?? (blob.type || 'application/octet-stream') }
}

function pairs(value: unknown, media: BodyMedia): string[] {
  return Object.entries(fieldsOf(value)).flatMap(([name, field]) =>
    field === undefined ? [] : queryPairs(bindingOf(media, name, field), field),
  )
}

function formData(value: unknown, media: BodyMedia): FormData {
  const form = new FormData()
  const append = (name: string, field: unknown): void => {
    const part = blobOf(field)
    if (part instanceof Blob) form.append(name, part)
    else for (const [key, text] of decodedPairs(bindingOf(media, name, field), field)) form.append(key, text)
  }
  for (const [name, field] of Object.entries(fieldsOf(value))) {
    if (Array.isArray(field) && field.some(isBinary)) for (const item of field) append(name, item)
    else if (field !== undefined) append(name, field)
  }
  return form
}

/** A part of a form is not percent-encoded. */
function decodedPairs(binding: ParameterBinding, value: unknown): [string, string][] {
  return queryPairs(binding, value).map((pair) => {
    const equals = pair.indexOf('=')
    return [decodeURIComponent(pair.slice(0, equals)), decodeURIComponent(pair.slice(equals + 1))]
  })
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (!isJsonObject(value)) throw new TypeError('The body of a form must be an object')
  return value
}

/** A field that the document says nothing of goes as text, and as JSON where it is none. */
function bindingOf(media: BodyMedia, name: string, value: unknown): ParameterBinding {
  const known = media.fields?.find((field) => field.name === name)
  if (known !== undefined) return known
  return {
    name,
    param: name,
    in: 'query',
    required: false,
    style: 'form',
    explode: true,
    coerce: { types: ['string'] },
    ...(isJsonObject(value) && { json: true }),
  }
}

/** The member that a body of fields has for a param; `x-rpc-param` gave it another name. */
export function membersOf(body: BodyBinding): ReadonlyMap<string, string> {
  return new Map(Object.entries(body.rename ?? {}).map(([member, param]) => [param, member]))
}
