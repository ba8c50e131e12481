// The benchmark's requests to every server, and the expected responses.

/** The callers' credential. */
export const apiKey = 'bench-0123456789abcdef0123456789abcdef'

/** Gateways as a service would read them from its database. */
export const gateways = Array.from({ length: 40 }, (_, index) => ({
  id: index + 1,
  name: `gateway-${index + 1}`,
  title: `Gateway ${index + 1}, Zürich`,
  credentials_id: 1000 + index,
  editable: index % 3 !== 0,
}))

/** The one client that the jobs update, in its initial state. */
export const client = { id: 7, name: 'Seven Seas Ltd', credit: 100, currency: 'EUR' }

const page = gateways.slice(0, 20)
const updated = { ...client, credit: 1234.5678 }

/**
 * One kind of request. `calls`: how many operations it calls. `refused`: the same with an invalid param.
 * @typedef {{ method: string, path: string, body?: string }} Request
 * @typedef {'rest' | 'post' | 'jsonrpc' | 'orpc' | 'trpc'} Protocol
 * @typedef {{ name: string, protocol: Protocol, calls: number, request: Request, refused: Request, answer:
 * unknown }} Job
 */

/** @param {string} method @param {object} params */
const call = (method, params) => ({ jsonrpc: '2.0', id: 1, method, params })

/** @param {unknown} body @returns {Request} */
const post = (body) => ({ method: 'POST', path: '/', body: JSON.stringify(body) })

/** @param {unknown} result */
const answered = (result) => ({ jsonrpc: '2.0', id: 1, result })

const updateCall = call('clients.update', { id: 7, credit: 1234.5678 })
const refusedUpdate = call('clients.update', { id: 7, credit: 'much' })

/** @type {readonly Job[]} */
export const jobs = [
  {
    name: 'list',
    protocol: 'rest',
    calls: 1,
    request: { method: 'GET', path: '/lnp/gateways?limit=20' },
    refused: { method: 'GET', path: '/lnp/gateways?limit=many' },
    answer: page,
  },
  {
    name: 'update',
    protocol: 'rest',
    calls: 1,
    request: { method: 'PATCH', path: '/clients/7', body: '{"credit":1234.5678}' },
    refused: { method: 'PATCH', path: '/clients/7', body: '{"credit":"much"}' },
    answer: updated,
  },
  // The list with its params in a body, to compare with JSON-RPC if a peer only has REST.
  {
    name: 'list',
    protocol: 'post',
    calls: 1,
    request: { method: 'POST', path: '/lnp/gateways/search', body: '{"limit":20}' },
    refused: { method: 'POST', path: '/lnp/gateways/search', body: '{"limit":"many"}' },
    answer: page,
  },
  {
    name: 'list',
    protocol: 'jsonrpc',
    calls: 1,
    request: post(call('lnp.gateways.search', { limit: 20 })),
    refused: post(call('lnp.gateways.search', { limit: 'many' })),
    answer: answered(page),
  },
  {
    name: 'update',
    protocol: 'jsonrpc',
    calls: 1,
    request: post(updateCall),
    refused: post(refusedUpdate),
    answer: answered(updated),
  },
  {
    name: 'batch of 100 updates',
    protocol: 'jsonrpc',
    calls: 100,
    request: post(Array.from({ length: 100 }, () => updateCall)),
    refused: post([refusedUpdate]),
    answer: Array.from({ length: 100 }, () => answered(updated)),
  },
  // The same in the own protocols of two peers.
  {
    name: 'list',
    protocol: 'orpc',
    calls: 1,
    request: { method: 'POST', path: '/rpc/lnp/gateways/search', body: '{"json":{"limit":20}}' },
    refused: { method: 'POST', path: '/rpc/lnp/gateways/search', body: '{"json":{"limit":"many"}}' },
    answer: { json: page },
  },
  {
    name: 'update',
    protocol: 'orpc',
    calls: 1,
    request: { method: 'POST', path: '/rpc/clients/update', body: '{"json":{"id":7,"credit":1234.5678}}' },
    refused: { method: 'POST', path: '/rpc/clients/update', body: '{"json":{"id":7,"credit":"much"}}' },
    answer: { json: updated },
  },
  {
    name: 'list',
    protocol: 'trpc',
    calls: 1,
    request: { method: 'GET', path: `/lnp.gateways.search?input=${encodeURIComponent('{"limit":20}')}` },
    refused: { method: 'GET', path: `/lnp.gateways.search?input=${encodeURIComponent('{"limit":"many"}')}` },
    answer: { result: { data: page } },
  },
  {
    name: 'update',
    protocol: 'trpc',
    calls: 1,
    request: { method: 'POST', path: '/clients.update', body: '{"id":7,"credit":1234.5678}' },
    refused: { method: 'POST', path: '/clients.update', body: '{"id":7,"credit":"much"}' },
    answer: { result: { data: updated } },
  },
]
