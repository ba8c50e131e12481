// The servers of the benchmark.

/**
 * `file`: its module under peers/. `validates`: whether it refuses invalid params. `env`: of its process. `isOnBun`: it
 * runs on Bun instead of Node.
 * @typedef {{ name: string, file: string, validates: boolean, protocols: readonly import('./jobs.mjs').Protocol[],
 *   env?: Record<string, string>, isOnBun?: boolean }} Peer
 */

const rest = /** @type {const} */ (['rest'])
const restAndPost = /** @type {const} */ (['rest', 'post'])
const jsonrpc = /** @type {const} */ (['jsonrpc'])
const both = /** @type {const} */ (['rest', 'jsonrpc'])

/** @type {readonly Peer[]} */
export const peers = [
  { name: 'node:http', file: 'bare', validates: false, protocols: both },
  { name: 'fastify', file: 'fastify', validates: true, protocols: restAndPost },
  { name: 'fastify, same work', file: 'fastify-checked', validates: true, protocols: restAndPost },
  { name: 'jayson', file: 'jayson', validates: true, protocols: jsonrpc },
  { name: 'json-rpc-2.0', file: 'json-rpc-2.0', validates: true, protocols: jsonrpc },
  { name: 'duet', file: 'duet', validates: true, protocols: both },
  { name: 'duet, older version, identity', file: 'duet-identity', validates: true, protocols: both },
  { name: 'duet, older version, derived', file: 'duet-derived', validates: true, protocols: both },
  { name: 'duet, tried on the next version', file: 'duet-shadow', validates: true, protocols: both },
  { name: 'express', file: 'express', validates: true, protocols: rest },
  { name: 'express-openapi-validator', file: 'express-openapi-validator', validates: true, protocols: rest },
  { name: 'hono', file: 'hono', validates: true, protocols: restAndPost },
  { name: 'orpc', file: 'orpc', validates: true, protocols: ['rest', 'orpc'] },
  { name: 'trpc', file: 'trpc', validates: true, protocols: ['trpc'] },
  { name: 'hono on Bun', file: 'hono-app', validates: true, protocols: restAndPost, isOnBun: true },
  { name: 'orpc on Bun', file: 'orpc-bun', validates: true, protocols: ['rest', 'orpc'], isOnBun: true },
  { name: 'duet on Bun', file: 'duet-bun', validates: true, protocols: both, isOnBun: true },
  { name: 'duet-express', file: 'duet-express', validates: true, protocols: both },
]

/**
 * The target for one server, relative to another: `factor` times as many calls a second.
 * @typedef {{ own: string, than: string, factor: number, protocol?: 'rest' | 'jsonrpc' }} Target
 */

/** @type {readonly Target[]} */
export const targets = [
  { own: 'duet', than: 'fastify, same work', factor: 1 },
  { own: 'duet', than: 'hono', factor: 1 },
  { own: 'duet', than: 'orpc', factor: 1.2 },
  { own: 'duet', than: 'trpc', factor: 1 },
  { own: 'duet on Bun', than: 'hono on Bun', factor: 1 },
  { own: 'duet on Bun', than: 'orpc on Bun', factor: 1.2 },
  { own: 'duet', than: 'jayson', factor: 1, protocol: 'jsonrpc' },
  { own: 'duet, older version, identity', than: 'duet', factor: 0.98 },
  { own: 'duet, older version, derived', than: 'duet', factor: 0.9 },
  { own: 'duet, tried on the next version', than: 'duet', factor: 0.9 },
  { own: 'duet-express', than: 'express', factor: 1.2 },
  { own: 'duet-express', than: 'express-openapi-validator', factor: 1.7 },
]
