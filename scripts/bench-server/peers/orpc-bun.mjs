import { OpenAPIHandler } from '@orpc/openapi/fetch'
import { RPCHandler } from '@orpc/server/fetch'
import { prefix, restRouter, router } from './orpc-router.mjs'

const rest = new OpenAPIHandler(restRouter)
const rpc = new RPCHandler(router)

/** @param {Request} request */
export async function fetch(request) {
  const context = { key: request.headers.get('x-api-key') }
  const { response } = new URL(request.url).pathname.startsWith(prefix)
    ? await rpc.handle(request, { prefix, context })
    : await rest.handle(request, { context })
  return response ?? new Response(null, { status: 404 })
}
