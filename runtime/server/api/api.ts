import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyPlugin } from './fastify.js'
import type { Port } from './port-call.js'

/** Receives requests to paths outside the api's routes. Leaves one to the api by returning false. */
export type Fallback = (request: IncomingMessage, response: ServerResponse) => void

/** The ways to serve an api. */
export interface Faces {
  /**
   * Both protocols as an Express 5 middleware: REST at its paths, JSON-RPC at `POST /`, both relative to the
   * mount. Unknown paths get 404, or the next middleware with `fallthrough`; so do GET and HEAD of `/`.
   *
   * Mount it before any body parser. If a parser must come first, let it keep the bytes for the api:
   * `express.json({ verify: keepRawBody })`. JSON that a parser has parsed without keeping them fails with an
   * `internal_error`, since its numbers may have been rounded, unless the option
   * `acceptParsedBodies` is set.
   */
  express(options?: {
    fallthrough?: boolean
  }): (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void
  /**
   * Both protocols as a `node:http` request listener. Unknown paths get 404, or go to `fallback`; so do GET
   * and HEAD of the JSON-RPC address. `Allow` lists both there, so a fallback must serve them.
   */
  node(options?: { fallback?: Fallback }): (request: IncomingMessage, response: ServerResponse) => void
  /**
   * Both protocols as a Fastify plugin. It answers everything below its prefix and leaves bodies to the api:
   * `app.register(api.fastify(), { prefix: '/v1' })`.
   */
  fastify(): FastifyPlugin
  /**
   * Both protocols as a Web-standard handler. Unknown paths get 404. Aborting the request's signal aborts the
   * handler's. Limits also apply to bodies without a length.
   */
  fetch(request: Request, info?: FetchInfo): Promise<Response>
}

export interface Counting {
  /**
   * Hands the ledger of `shadow` everything counted so far. Await it when the api has stopped answering, else the last
   * counts are lost.
   */
  flushUsage(): Promise<void>
}

export interface Api<Types, Principal> extends Faces, Counting {
  /**
   * MCP alone, wherever it is mounted: `app.use('/agents', api.mcp().express())`. All other faces have it at `/mcp`.
   *
   * @throws Error if no operation of the document is a tool
   */
  mcp(): Faces
  /**
   * For a protocol of your own: calls operations with the credentials, validation and handlers that the others have.
   *
   * @param protocol its name in logs and contexts, such as `x-lines`
   */
  port(protocol: `x-${string}`): Port
  /**
   * One in-process call: validated like any other, with a trusted `principal`. Copies params as JSON. Throws
   * a ProblemError whose `problem` is what a remote caller would have received.
   */
  call<Name extends keyof Types & string>(
    name: Name,
    params: Types[Name] extends { params: infer P } ? P : never,
    options?: CallOptions<Principal>,
  ): Promise<Types[Name] extends { result: infer R } ? R : never>
}

/** The origin of a `Request`, which the object itself does not tell. */
export interface FetchInfo {
  /** IP address of the connection's peer: `server.requestIP(request)?.address` under Bun. */
  readonly address?: string | undefined
}

export interface CallOptions<Principal> {
  readonly principal?: Principal
  /** IANA name, like `__tz` in a request. */
  readonly timezone?: string
  readonly signal?: AbortSignal
  readonly requestId?: string
}
