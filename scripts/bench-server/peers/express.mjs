import { createServer } from 'node:http'
import express from 'express'
import { apiKey } from '../jobs.mjs'
import { isLimit, isUpdate, listGateways, updateClient } from './handlers.mjs'

const app = express()
app.use((request, response, next) => {
  if (request.get('X-Api-Key') === apiKey) next()
  else response.status(401).json({ code: 'invalid_api_key' })
})
app.use(express.json())
app.get('/lnp/gateways', (request, response) => {
  const { limit = '20', offset = '0' } = request.query
  if (!isLimit(limit) || !isLimit(offset)) response.status(400).json({ code: 'validation_failed' })
  else response.json(listGateways({ limit: Number(limit), offset: Number(offset) }))
})
app.patch('/clients/:id', (request, response) => {
  if (!isUpdate(request.body)) response.status(400).json({ code: 'validation_failed' })
  else response.json(updateClient({ id: Number(request.params.id), credit: request.body.credit }))
})

export const server = createServer(app)
