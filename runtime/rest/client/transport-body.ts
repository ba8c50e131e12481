import type { OutgoingCall } from '../../client/transport.js'
import { blobOf, encodeBinaries, isBinary, mapBinaries } from '../../contract/binaries.js'
import type { BodyBinding, BodyMedia, Operation } from '../../contract/operation.js'
import { ProblemError } from '../../contract/problem.js'
import { jsonText } from '../../values/json-text.js'
import { isJsonObject, type JsonObject } from '../../values/object.js'
import { uncarried } from './carried.js'
import { formData, formText } from './transport-form.js'

/** The content of a request and its type; a multipart form sets its own type. */
export interface Content {
  readonly body: string | Blob | FormData
  readonly type: string | undefined
}

/** The call with its binaries as base64 text, if it is sent as JSON. */
export async function withoutBinaries(call: OutgoingCall): Promise<OutgoingCall> {
  const { binaries } = call.operation
  if (binaries === undefined || mediaFor(call.operation, call.params)?.kind !== 'json') return call
  const params = await encodeBinaries(call.params, binaries)
  return isJsonObject(params) ? { ...call, params } : call
}

/**
 * The media type of a call's body: the operation's first, unless that is JSON and the params contain a file.
 * Undefined: JSON, the only one.
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
 * Writes a body in its media type; undefined if there is nothing to send.
 *
 * @param pointerOf pointer of the body, or of one of its fields, in the params
 * @throws TypeError for a body that must be a file and is not; ProblemError `validation_failed` for a form
 * that is not an object, a text that is not a string, and a field that the form would turn into another value
 */
export function contentOf(
  value: unknown,
  media: BodyMedia | undefined,
  pointerOf: (field?: string) => string,
): Content | undefined {
  if (value === undefined) return undefined
  const type = media?.type ?? 'application/json'
  const concrete = type.includes('*') ? undefined : type
  switch (media?.kind) {
    case 'form':
      return {
        body: formText(fieldsOf(value, pointerOf), media, pointerOf),
        type: 'application/x-www-form-urlencoded',
      }
    case 'multipart':
      return { body: formData(fieldsOf(value, pointerOf), media, pointerOf), type: undefined }
    case 'text':
      return { body: textOf(value, pointerOf), type: `${concrete ?? 'text/plain'}; charset=utf-8` }
    case 'binary':
      return file(value, concrete)
    default:
      return { body: jsonText(value), type: concrete ?? 'application/json' }
  }
}

function file(value: unknown, type: string | undefined): Content {
  const blob = blobOf(value)
  if (!(blob instanceof Blob)) throw new TypeError('The body must be a Blob or a Uint8Array')
  return { body: blob, type: type ?? (blob.type || 'application/octet-stream') }
}

function textOf(value: unknown, pointerOf: () => string): string {
  if (typeof value === 'string') return value
  throw new ProblemError('validation_failed', { violations: [uncarried(pointerOf(), NO_TEXT)] })
}

const NO_TEXT = 'REST would send it as a text; call over JSON-RPC to send it as it is'

function fieldsOf(value: unknown, pointerOf: () => string): JsonObject {
  if (isJsonObject(value)) return value
  throw new ProblemError('validation_failed', { violations: [uncarried(pointerOf(), NO_FIELDS)] })
}

const NO_FIELDS = 'REST has no form for a value that is not an object; call over JSON-RPC to send it'

/** The body's member for each param that `x-rpc-param` renames. */
export function membersOf(body: BodyBinding): ReadonlyMap<string, string> {
  return new Map(Object.entries(body.rename ?? {}).map(([member, param]) => [param, member]))
}
