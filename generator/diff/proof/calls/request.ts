import { decodeBinaries } from 'duet-runtime'
import { isApiError } from 'duet-runtime/client'
import type { JsonObject } from '../../../document/document.js'
import { isObject } from '../../../document/json.js'
import type { Operation } from '../../../model/model.js'
import { sentRequest } from '../../../samples/sent-request.js'
import type { HttpRequest } from './exchange.js'

/** The request of a call as the generated client sends it, with its body as text. A reason if there is none. */
export async function restRequest(operation: Operation, params: JsonObject): Promise<HttpRequest | string> {
  try {
    const { target, content, ...request } = await sentRequest(operation, withFiles(operation, params))
    if (content === undefined) return { ...request, url: target }
    const written = await textOf(content)
    if (written === undefined) return 'the bytes of its body are not text'
    const { type, body } = written
    const headers = type === '' ? request.headers : { ...request.headers, 'content-type': type }
    return { ...request, url: target, headers, body }
  } catch (error) {
    return isApiError(error) ? unwritten : `${unwritten}: ${String(error)}`
  }
}

const unwritten = 'generated clients cannot write it over REST'

/** The params with files in place of their base64 text, unless they are sent as JSON. */
function withFiles({ rest, binaries }: Operation, params: JsonObject): Readonly<Record<string, unknown>> {
  if (binaries === undefined || rest.body?.media?.[0]?.kind === 'json') return params
  const decoded = decodeBinaries(params, binaries)
  return isObject(decoded) ? decoded : params
}

async function textOf(content: Blob | FormData): Promise<{ type: string; body: string } | undefined> {
  const response = new Response(content)
  const bytes = await response.arrayBuffer()
  let body: string
  try {
    body = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
  if (content instanceof Blob) return { type: '', body }
  const [, random = ''] = /boundary=(.*)$/.exec(response.headers.get('content-type') ?? '') ?? []
  // The platform's boundary differs each time, but a proof must not.
  let boundary = 'part'
  while (body.includes(boundary)) boundary += '-'
  return { type: `multipart/form-data; boundary=${boundary}`, body: body.replaceAll(random, boundary) }
}
