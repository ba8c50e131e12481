import type { IncomingMessage, ServerResponse } from 'node:http'
import { beginAnswer, type HttpRequest } from 'duet-runtime'

/** Stores the response of a request, for code that receives only the request. */
export function keepResponse(request: IncomingMessage, response: ServerResponse): void {
  responses.set(request, response)
  beginAnswer(request, response)
}

export function responseOf(request: HttpRequest): ServerResponse | undefined {
  return responses.get(request)
}

const responses = new WeakMap<HttpRequest, ServerResponse>()
