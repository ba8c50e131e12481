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

/** @param {unknown} body @returns {Request} */
const post = (body, path = '/') => ({ method: 'POST', path, body: JSON.stringify(body) })

/** @param {string} method @param {object} params */
const call = (method, params) => ({ jsonrpc: '2.0', id: 1, method, params })

/** @param {unknown} result */
const answered = (result) => ({ jsonrpc: '2.0', id: 1, result })

/** @param {Protocol} protocol @param {(limit: unknown) => Request} request @returns {Job} */
const list = (protocol, request, answer = /** @type {unknown} */ (page)) => ({
  ...{ name: 'list', protocol, calls: 1, answer },
  ...{ request: request(20), refused: request('many') },
})

/** @param {Protocol} protocol @param {(credit: unknown) => Request} request @returns {Job} */
const update = (protocol, request, answer = /** @type {unknown} */ (updated)) => ({
  ...{ name: 'update', protocol, calls: 1, answer },
  ...{ request: request(1234.5678), refused: request('much') },
})

/** @param {unknown} credit */
const updateCall = (credit) => call('clients.update', { id: 7, credit })

/** @param {object} input */
const inQuery = (input) => `input=${encodeURIComponent(JSON.stringify(input))}`

/** @type {readonly Job[]} */
export const jobs = [
  list('rest', (limit) => ({ method: 'GET', path: `/lnp/gateways?limit=${limit}` })),
  update('rest', (credit) => ({ method: 'PATCH', path: '/clients/7', body: JSON.stringify({ credit }) })),
  // The list with its params in a body, to compare with JSON-RPC if a peer only has REST.
  list('post', (limit) => post({ limit }, '/lnp/gateways/search')),
  list('jsonrpc', (limit) => post(call('lnp.gateways.search', { limit })), answered(page)),
  update('jsonrpc', (credit) => post(updateCall(credit)), answered(updated)),
  {
    name: 'batch of 100 updates',
    protocol: 'jsonrpc',
    calls: 100,
    request: post(Array.from({ length: 100 }, () => updateCall(1234.5678))),
    refused: post([updateCall('much')]),
    answer: Array.from({ length: 100 }, () => answered(updated)),
  },
  // The same in the own protocols of two peers.
  list('orpc', (limit) => post({ json: { limit } }, '/rpc/lnp/gateways/search'), { json: page }),
  update('orpc', (credit) => post({ json: { id: 7, credit } }, '/rpc/clients/update'), { json: updated }),
  list('trpc', (limit) => ({ method: 'GET', path: `/lnp.gateways.search?${inQuery({ limit })}` }), {
    result: { data: page },
  }),
  update('trpc', (credit) => post({ id: 7, credit }, '/clients.update'), { result: { data: updated } }),
]
