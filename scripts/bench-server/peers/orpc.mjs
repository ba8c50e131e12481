import { createServer } from 'node:http'
import { OpenAPIHandler } from '@orpc/openapi/node'
import { RPCHandler } from '@orpc/server/node'
import { prefix, restRouter, router } from './orpc-router.mjs'

const rest = new OpenAPIHandler(restRouter)
const rpc = new RPCHandler(router)

export const server = createServer(async (request, response) => {
  const context = { key: /** @type {string | undefined} */ (request.headers['x-api-key']) }
  const { matched } = request.url?.startsWith(prefix)
    ? await rpc.handle(request, response, { prefix, context })
    : await rest.handle(request, response, { context })
  if (!matched) response.writeHead(404).end()
})
