import type { IncomingMessage, ServerResponse } from 'node:http'
import { beginAnswer, type HttpRequest } from 'duet-runtime'

/** Keeps the response to a request for those that are told the request alone. */
export function keepResponse(request: IncomingMessage, response: ServerResponse): void {
  responses.set(request, response)
  beginAnswer(request, response)
}

export function responseOf(request: HttpRequest): ServerResponse | undefined {
  return responses.get(request)
}

const responses = new WeakMap<HttpRequest, ServerResponse>()
