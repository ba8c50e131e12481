import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import express from 'express'
import OpenApiValidator from 'express-openapi-validator'
import { apiKey } from '../jobs.mjs'
import { listGateways, updateClient } from './handlers.mjs'

const apiSpec = fileURLToPath(new URL('../../../generated/1.0.0/openapi.json', import.meta.url))

const app = express()
app.use(express.json())
app.use(
  OpenApiValidator.middleware({
    apiSpec,
    validateRequests: true,
    validateResponses: false,
    validateSecurity: { handlers: { apiKey: (request) => request.headers['x-api-key'] === apiKey } },
  }),
)
app.get('/lnp/gateways', (request, response) => {
  response.json(listGateways(/** @type {any} */ (request.query)))
})
app.patch('/clients/:id', (request, response) => {
  response.json(updateClient({ id: Number(request.params.id), credit: request.body.credit }))
})
app.use(
  /** @type {import('express').ErrorRequestHandler} */
  (error, _request, response, _next) => {
    response.status(error.status ?? 500).json({ code: 'validation_failed', errors: error.errors })
  },
)

export const server = createServer(app)
