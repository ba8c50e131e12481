import { randomUUID } from 'node:crypto'
import responseValidation from '@fastify/response-validation'
import Fastify from 'fastify'
import { apiKey } from '../jobs.mjs'
import { listGateways, updateClient } from './handlers.mjs'

const identifier = { type: 'integer', minimum: 1, maximum: 9007199254740991 }
// Duet's exact check has no counterpart: AJV's multipleOf refuses decimals that are multiples.
const credit = { type: 'number', minimum: -99999999999.9999, maximum: 99999999999.9999 }
const gateway = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'name', 'title', 'credentials_id', 'editable'],
  properties: {
    id: identifier,
    name: { type: 'string' },
    title: { type: 'string' },
    credentials_id: { type: 'integer' },
    editable: { type: 'boolean' },
  },
}
const client = {
  type: 'object',
  required: ['id', 'name', 'credit', 'currency'],
  properties: {
    id: identifier,
    name: { type: 'string' },
    credit,
    currency: { type: 'string', pattern: '^[A-Z]{3}$' },
  },
}
const search = {
  type: 'object',
  additionalProperties: false,
  properties: {
    editable: { type: 'boolean' },
    id: identifier,
    limit: { type: 'integer', minimum: 0, maximum: 1000, default: 20 },
    name: { type: 'string', maxLength: 255 },
    offset: { type: 'integer', minimum: 0, default: 0 },
    order: { type: 'array', maxItems: 10, items: { type: 'string' }, default: [] },
  },
}

/**
 * Plain Fastify, or Fastify with the work that Duet does besides: results are validated, each response has
 * the request's id, the caller's or a random one, and `Cache-Control`.
 * @param {boolean} doesSameWork
 */
export async function fastifyServer(doesSameWork) {
  const ids = { requestIdHeader: 'x-request-id', genReqId: () => randomUUID() }
  const app = Fastify({ forceCloseConnections: true, ...(doesSameWork && ids) })
  if (doesSameWork) {
    await app.register(responseValidation, { ajv: { removeAdditional: false } })
    app.addHook('onRequest', (request, reply, done) => {
      reply.header('X-Request-Id', request.id).header('Cache-Control', 'no-store')
      done()
    })
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers['x-api-key'] === apiKey) done()
    else reply.code(401).send({ code: 'invalid_api_key' })
  })
  app.get(
    '/lnp/gateways',
    { schema: { querystring: search, response: { 200: { type: 'array', items: gateway } } } },
    (request, reply) => {
      reply.send(listGateways(/** @type {any} */ (request.query)))
    },
  )
  app.post(
    '/lnp/gateways/search',
    { schema: { body: search, response: { 200: { type: 'array', items: gateway } } } },
    (request, reply) => {
      reply.send(listGateways(/** @type {any} */ (request.body)))
    },
  )
  app.patch(
    '/clients/:id',
    {
      schema: {
        params: { type: 'object', required: ['id'], properties: { id: identifier } },
        body: { type: 'object', additionalProperties: false, properties: { credit } },
        response: { 200: client },
      },
    },
    (request, reply) => {
      const { id } = /** @type {any} */ (request.params)
      reply.send(updateClient({ id, .../** @type {any} */ (request.body) }))
    },
  )
  await app.ready()
  return app.server
}
