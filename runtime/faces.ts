import type { IncomingMessage, ServerResponse } from 'node:http'
import { FetchedRequest } from './http/fetched-request.js'
import type { Faces } from './server/api.js'
import { fastifyPlugin } from './server/fastify.js'

/** What answers requests. */
interface Answering {
  /** `otherwise` receives requests to unknown paths. Absent: they get 404. */
  listen(request: IncomingMessage, response: ServerResponse, otherwise?: () => void): void
  fetch(source: Request, request: FetchedRequest): Promise<Response>
}

/** The ways to serve what answers requests. */
export function facesOf(answering: Answering): Faces {
  const node: Faces['node'] =
    ({ fallback } = {}) =>
    (request, response) =>
      answering.listen(request, response, fallback && (() => fallback(request, response)))
  return {
    express:
      ({ fallthrough = false } = {}) =>
      (request, response, next) =>
        answering.listen(request, response, fallthrough ? () => next() : undefined),
    node,
    fastify: () => fastifyPlugin(node()),
    fetch(source, info) {
      // If this is used directly as a platform's handler, the second argument may be the platform's own.
      const address: unknown = info?.address
      return answering.fetch(
        source,
        new FetchedRequest(source, typeof address === 'string' ? address : undefined),
      )
    },
  }
}
