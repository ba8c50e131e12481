import { isJson, takes } from '../../diff/facts/parts/media.js'
import type { HttpRequest } from '../../diff/proof/calls/exchange.js'
import type { Operation } from '../../model/model.js'

/** A request over REST that no params describe. */
export interface BrokenRequest {
  readonly request: HttpRequest
  /** What is wrong with it, as part of a sentence. */
  readonly what: string
  /** What distinguishes it from others of its operation. */
  readonly detail: string
  /** Where the document describes it. */
  readonly about: 'body' | 'path'
}

/**
 * Requests whose body the document forbids: one that is not JSON, and one of another media type. Only where a body is
 * required, since a server may ignore others.
 *
 * @param valid a request that the document allows
 * @param types media types of the body, as the document has them
 */
export function brokenBodies(
  { rest: { body } }: Operation,
  valid: HttpRequest,
  types: readonly string[],
): BrokenRequest[] {
  const sent = valid.headers['content-type']
  if (body?.required !== true || valid.body === undefined || sent === undefined) return []
  const other = strangers.find((type) => !types.some((declared) => takes(declared, type)))
  const about = 'body'
  return [
    ...(isJson(sent) ? [{ request: { ...valid, body: '{' }, what: 'with a body that is not JSON' }] : []),
    ...(other === undefined
      ? []
      : [
          {
            request: { ...valid, headers: { ...valid.headers, 'content-type': other } },
            what: `with a body of the media type ${other}, where the document has ${types.join(', ')}`,
          },
        ]),
  ].map((one, index) => ({ ...one, about, detail: `body ${index === 0 && isJson(sent) ? 'JSON' : 'type'}` }))
}

/** The same path with other methods. */
export function otherMethods({ url, headers: { accept } }: HttpRequest): BrokenRequest[] {
  const headers = accept === undefined ? {} : { accept }
  return methods.map((method) => {
    const isWrite = method !== 'GET' && method !== 'DELETE'
    const request = isWrite
      ? { method, url, headers: { ...headers, 'content-type': 'application/json' }, body: '{}' }
      : { method, url, headers }
    const what = `with the method ${method}, which the document does not declare for this path`
    return { request, what, detail: `method ${method}`, about: 'path' }
  })
}

/** Pages of other sites may send a body as text. */
const strangers = ['text/plain', 'application/x-duet']

/** Servers often answer HEAD and OPTIONS without saying so. */
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
