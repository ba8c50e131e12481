import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono'
import { apiKey } from '../jobs.mjs'
import { listGateways, updateClient } from './handlers.mjs'
import { change, path, searchOf } from './schemas.mjs'

const app = new Hono()
app.use(async (context, next) => {
  if (context.req.header('x-api-key') === apiKey) await next()
  else return context.json({ code: 'invalid_api_key' }, 401)
})
app.get('/lnp/gateways', zValidator('query', searchOf(true)), (context) =>
  context.json(listGateways(context.req.valid('query'))),
)
app.post('/lnp/gateways/search', zValidator('json', searchOf(false)), (context) =>
  context.json(listGateways(context.req.valid('json'))),
)
app.patch('/clients/:id', zValidator('param', path), zValidator('json', change), (context) =>
  context.json(updateClient({ ...context.req.valid('param'), ...context.req.valid('json') })),
)

export const { fetch } = app
