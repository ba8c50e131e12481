import { createServer } from 'node:http'
import jayson from 'jayson'
import { apiKey } from '../jobs.mjs'
import { isUpdate, listGateways, updateClient } from './handlers.mjs'

const methods = {
  'lnp.gateways.search': (/** @type {any} */ params, /** @type {any} */ callback) => {
    const { limit = 20 } = params
    if (!Number.isInteger(limit)) callback({ code: -32602, message: 'Invalid params' })
    else callback(null, listGateways(params))
  },
  'clients.update': (/** @type {any} */ params, /** @type {any} */ callback) => {
    if (isUpdate(params)) callback(null, updateClient(params))
    else callback({ code: -32602, message: 'Invalid params' })
  },
}
const answer = new jayson.Server(methods).http().listeners('request')[0]

export const server = createServer((request, response) => {
  if (request.headers['x-api-key'] !== apiKey) response.writeHead(401).end()
  else answer?.(request, response)
})
