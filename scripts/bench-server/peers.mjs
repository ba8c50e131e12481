// The servers of the benchmark.

/**
 * `file`: its module under peers/. `validates`: whether it refuses invalid params. `env`: of its process.
 * @typedef {{ name: string, file: string, validates: boolean, protocols: readonly ('rest' | 'jsonrpc')[],
 *   env?: Record<string, string> }} Peer
 */

const rest = /** @type {const} */ (['rest'])
const jsonrpc = /** @type {const} */ (['jsonrpc'])
const both = /** @type {const} */ (['rest', 'jsonrpc'])

/** @type {readonly Peer[]} */
export const peers = [
  { name: 'node:http', file: 'bare', validates: false, protocols: both },
  { name: 'fastify', file: 'fastify', validates: true, protocols: rest },
  { name: 'jayson', file: 'jayson', validates: true, protocols: jsonrpc },
  { name: 'json-rpc-2.0', file: 'json-rpc-2.0', validates: true, protocols: jsonrpc },
  { name: 'duet', file: 'duet', validates: true, protocols: both },
  { name: 'express', file: 'express', validates: true, protocols: rest },
  { name: 'express-openapi-validator', file: 'express-openapi-validator', validates: true, protocols: rest },
  { name: 'duet-express', file: 'duet-express', validates: true, protocols: both },
]

/**
 * What one server has to do of what another does: `factor` times as many calls a second.
 * @typedef {{ own: string, than: string, factor: number, protocol?: 'rest' | 'jsonrpc' }} Target
 */

/** @type {readonly Target[]} */
export const targets = [
  { own: 'duet', than: 'fastify', factor: 1 },
  { own: 'duet', than: 'jayson', factor: 1, protocol: 'jsonrpc' },
  { own: 'duet-express', than: 'express', factor: 1.2 },
  { own: 'duet-express', than: 'express-openapi-validator', factor: 1.7 },
]
