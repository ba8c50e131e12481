import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpRequest } from './contract/http-request.js'
import { FetchedRequest } from './http/fetched-request.js'
import type { ChosenVersion, ServedVersion } from './served-version.js'
import type { Faces } from './server/api/api.js'
import { fastifyPlugin } from './server/api/fastify.js'
import { type Eventual, whenKnown } from './values/eventual.js'

interface RequestHandler {
  /** `otherwise` receives requests to unknown paths. Absent: they get 404. */
  listen(request: IncomingMessage, response: ServerResponse, otherwise?: () => unknown): void
  fetch(source: Request, request: FetchedRequest): Promise<Response>
}

/** A version, and how a request chose it. */
export interface Chosen<Principal> {
  readonly version: ServedVersion<Principal>
  readonly chosen?: Partial<ChosenVersion>
}

/** The version that answers a request. */
type Choice<Principal> = (request: HttpRequest) => Eventual<Chosen<Principal>>

/** The entry points of versions. */
export function versionFaces<Principal>(choice: Choice<Principal>): Faces {
  return facesOf({
    listen(request, response, otherwise) {
      whenKnown(choice(request), ({ version, chosen }) =>
        version.listen(request, response, otherwise, chosen),
      )
    },
    fetch(source, request) {
      const known = choice(request)
      if (known instanceof Promise)
        return known.then(({ version, chosen }) => version.fetch(source, request, chosen))
      return known.version.fetch(source, request, known.chosen)
    },
  })
}

/**
 * The entry points of MCP alone: whatever a request's path is.
 *
 * @throws Error if no version has a tool
 */
export function mcpFaces<Principal>(
  versions: readonly Pick<ServedVersion<Principal>, 'hasTools'>[],
  choice: Choice<Principal>,
): Faces {
  if (!versions.some(({ hasTools }) => hasTools))
    throw new Error('No operation of the document is a tool of MCP: add x-mcp: true')
  return versionFaces((request) =>
    whenKnown(choice(request), ({ version, chosen }) => ({
      version,
      chosen: { ...chosen, url: version.mcpPath },
    })),
  )
}

/** The entry points of a request handler for Express, Node, Fastify and fetch. */
function facesOf(handler: RequestHandler): Faces {
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
