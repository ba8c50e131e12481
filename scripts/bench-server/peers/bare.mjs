import { createServer } from 'node:http'
import { apiKey } from '../jobs.mjs'
import { listGateways, updateClient } from './handlers.mjs'

export const server = createServer((request, response) => {
  const url = request.url ?? ''
  if (request.headers['x-api-key'] !== apiKey) {
    response.writeHead(401).end()
  } else if (request.method === 'GET' && url.startsWith('/lnp/gateways?limit=')) {
    send(response, listGateways({ limit: Number(url.slice(20)) }))
  } else if (request.method === 'PATCH' && url.startsWith('/clients/')) {
    read(request, (body) => send(response, updateClient({ id: Number(url.slice(9)), ...body })))
  } else if (request.method === 'POST' && url === '/') {
    read(request, (body) => send(response, Array.isArray(body) ? body.map(called) : called(body)))
  } else response.writeHead(404).end()
})

/** @param {{ id: unknown, method: string, params: any }} call */
function called({ id, method, params }) {
  const result = method === 'clients.update' ? updateClient(params) : listGateways(params)
  return { jsonrpc: '2.0', id, result }
}

/** @param {import('node:http').IncomingMessage} request @param {(body: any) => void} done */
function read(request, done) {
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => done(JSON.parse(text)))
}

/** @param {import('node:http').ServerResponse} response @param {unknown} value */
function send(response, value) {
  const body = JSON.stringify(value)
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}
