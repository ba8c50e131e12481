// The measured operations, each as a REST and as a JSON-RPC request.

/**
 * @typedef {{ clients: number }} Rows
 * @typedef {{ operation: string, protocol: string, request: (host: string) => string }} Call
 */

/** @param {string} apiKey @param {Rows} rows @returns {Call[]} */
export function callsOf(apiKey, { clients }) {
  // The rows of the sample come first.
  const anyId = () => 7 + Math.floor(Math.random() * clients)
  const anyCredit = () => Math.floor(Math.random() * 1_000_000) / 100
  /** @param {string} host @param {string} line @param {string} [body] */
  const write = (host, line, body) =>
    `${line} HTTP/1.1\r\nHost: ${host}\r\nX-Api-Key: ${apiKey}\r\n${
      body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
    }\r\n${body ?? ''}`
  /** @param {string} host @param {string} method @param {object} params */
  const rpc = (host, method, params) =>
    write(host, 'POST /', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  return [
    {
      operation: 'clients.get',
      protocol: 'REST',
      request: (host) => write(host, `GET /clients/${anyId()}`),
    },
    {
      operation: 'clients.get',
      protocol: 'JSON-RPC',
      request: (host) => rpc(host, 'clients.get', { id: anyId() }),
    },
    {
      operation: 'lnp.gateways.search',
      protocol: 'REST',
      request: (host) => write(host, 'GET /lnp/gateways?limit=20&editable=true&order=name'),
    },
    {
      operation: 'lnp.gateways.search',
      protocol: 'JSON-RPC',
      request: (host) => rpc(host, 'lnp.gateways.search', { limit: 20, editable: true, order: ['name'] }),
    },
    {
      operation: 'clients.update',
      protocol: 'REST',
      request: (host) => write(host, `PATCH /clients/${anyId()}`, JSON.stringify({ credit: anyCredit() })),
    },
    {
      operation: 'clients.update',
      protocol: 'JSON-RPC',
      request: (host) => rpc(host, 'clients.update', { id: anyId(), credit: anyCredit() }),
    },
    {
      operation: 'accounting.currencies.get_rate',
      protocol: 'REST',
      request: (host) => write(host, 'GET /accounting/currencies/exchange-rate?from=EUR&to=USD'),
    },
    {
      operation: 'accounting.currencies.get_rate',
      protocol: 'JSON-RPC',
      request: (host) => rpc(host, 'accounting.currencies.get_rate', { from: 'EUR', to: 'USD' }),
    },
  ]
}
