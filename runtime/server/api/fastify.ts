import type { IncomingMessage, ServerResponse } from 'node:http'

/** A Fastify plugin, without a dependency on Fastify. */
export type FastifyPlugin = (instance: FastifyScope, options: unknown, done: () => void) => void

/** The parts of the Fastify instance that the plugin uses. */
interface FastifyScope {
  readonly prefix: string
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(
    contentType: string,
    parser: (request: unknown, payload: unknown, done: (error: null) => void) => void,
  ): unknown
  all(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => void): unknown
}

interface FastifyRequest {
  readonly raw: IncomingMessage
}

interface FastifyReply {
  readonly raw: ServerResponse
  hijack(): unknown
}

/** Passes all requests of a scope to a `node:http` listener, as an Express mount would. */
export function fastifyPlugin(
  listener: (request: IncomingMessage, response: ServerResponse) => void,
): FastifyPlugin {
  return (instance, _options, done) => {
    const { prefix } = instance
    const answer = ({ raw }: FastifyRequest, reply: FastifyReply) => {
      reply.hijack()
      if (prefix !== '') mount(raw, prefix)
      listener(raw, reply.raw)
    }
    // Fastify must not read the bodies: the api counts their bytes and reads their numbers.
    instance.removeAllContentTypeParsers()
    instance.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
    instance.all('/', answer)
    instance.all('/*', answer)
    done()
  }
}

function mount(request: IncomingMessage, prefix: string): void {
  const below = (request.url ?? '').slice(prefix.length)
  request.url = below.startsWith('/') ? below : `/${below}`
  Reflect.set(request, 'baseUrl', prefix)
}
