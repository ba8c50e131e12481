import { createServer } from 'node:http'
import { JSONRPCErrorException, JSONRPCServer } from 'json-rpc-2.0'
import { apiKey } from '../jobs.mjs'
import { isUpdate, listGateways, updateClient } from './handlers.mjs'

// By default it writes each refusal to the console.
const rpc = new JSONRPCServer({ errorListener: () => {} })
rpc.addMethod('lnp.gateways.search', (params = {}) => {
  const { limit = 20 } = params
  if (!Number.isInteger(limit)) throw new JSONRPCErrorException('Invalid params', -32602)
  return listGateways(params)
})
rpc.addMethod('clients.update', (params) => {
  if (!isUpdate(params)) throw new JSONRPCErrorException('Invalid params', -32602)
  return updateClient(params)
})

export const server = createServer((request, response) => {
  if (request.headers['x-api-key'] !== apiKey) {
    response.writeHead(401).end()
    return
  }
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', async () => {
    const body = JSON.stringify(await rpc.receive(JSON.parse(text)))
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
    response.end(body)
  })
})
