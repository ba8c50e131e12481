import type { IncomingMessage, ServerResponse } from 'node:http'
import { FetchedRequest } from './http/fetched-request.js'
import type { Faces } from './server/api.js'
import { fastifyPlugin } from './server/fastify.js'

interface RequestHandler {
  /** `otherwise` receives requests to unknown paths. Absent: they get 404. */
  listen(request: IncomingMessage, response: ServerResponse, otherwise?: () => void): void
  fetch(source: Request, request: FetchedRequest): Promise<Response>
}

/** The entry points of a request handler for Express, Node, Fastify and fetch. */
export function facesOf(handler: RequestHandler): Faces {
  const node: Faces['node'] =
    ({ fallback } = {}) =>
    (request, response) =>
      handler.listen(request, response, fallback && (() => fallback(request, response)))
  return {
    express:
      ({ fallthrough = false } = {}) =>
      (request, response, next) =>
        handler.listen(request, response, fallthrough ? () => next() : undefined),
    node,
    fastify: () => fastifyPlugin(node()),
    fetch(source, info) {
      // If this is used directly as a platform's handler, the second argument may be the platform's own.
      const address: unknown = info?.address
      return handler.fetch(
        source,
        new FetchedRequest(source, typeof address === 'string' ? address : undefined),
      )
    },
  }
}
