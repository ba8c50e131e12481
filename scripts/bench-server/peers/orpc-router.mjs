import { ORPCError, os } from '@orpc/server'
import { apiKey } from '../jobs.mjs'
import { listGateways, updateClient } from './handlers.mjs'
import { client, gateways, searchOf, update, updateByPath } from './schemas.mjs'

const base = os.$context(/** @type {{ key: string | null | undefined }} */ ({})).use(({ context, next }) => {
  if (context.key !== apiKey) throw new ORPCError('UNAUTHORIZED')
  return next()
})

/** @param {boolean} isText whether params in the path and the query are text */
function routerOf(isText) {
  return {
    lnp: {
      gateways: {
        search: base
          .route({ method: 'GET', path: '/lnp/gateways' })
          .input(searchOf(isText))
          .output(gateways)
          .handler(({ input }) => listGateways(input)),
      },
    },
    clients: {
      update: base
        .route({ method: 'PATCH', path: '/clients/{id}' })
        .input(isText ? updateByPath : update)
        .output(client)
        .handler(({ input }) => updateClient(input)),
    },
  }
}

/** For its OpenAPI handler. */
export const restRouter = routerOf(true)
/** For its own protocol. */
export const router = routerOf(false)
/** The path of its own protocol. */
export const prefix = '/rpc'
