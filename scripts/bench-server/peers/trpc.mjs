import { initTRPC, TRPCError } from '@trpc/server'
import { createHTTPServer } from '@trpc/server/adapters/standalone'
import { apiKey } from '../jobs.mjs'
import { listGateways, updateClient } from './handlers.mjs'
import { client, gateways, searchOf, update } from './schemas.mjs'

const t = initTRPC.context().create()
const procedure = t.procedure.use(({ ctx, next }) => {
  if (/** @type {any} */ (ctx).key !== apiKey) throw new TRPCError({ code: 'UNAUTHORIZED' })
  return next()
})
const router = t.router({
  lnp: t.router({
    gateways: t.router({
      search: procedure
        .input(searchOf(false))
        .output(gateways)
        .query(({ input }) => listGateways(input)),
    }),
  }),
  clients: t.router({
    update: procedure
      .input(update)
      .output(client)
      .mutation(({ input }) => updateClient(input)),
  }),
})

export const server = createHTTPServer({
  router,
  createContext: ({ req }) => ({ key: req.headers['x-api-key'] }),
})
