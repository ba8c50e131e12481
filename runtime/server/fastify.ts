import type { IncomingMessage, ServerResponse } from 'node:http'

/** A Fastify plugin, without a dependency on Fastify. */
export type FastifyPlugin = (instance: FastifyScope, options: unknown, done: () => void) => void

/** What the plugin asks of the instance that it is registered in. */
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

/** Answers all requests of a scope by a `node:http` listener, which receives them as at an Express mount. */
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
    // Bodies stay unread: the api counts their bytes and reads their numbers.
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
