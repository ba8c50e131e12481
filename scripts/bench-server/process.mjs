// The processes of the benchmark: servers and load.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** @typedef {{ cpu: number, memory: number, uptime: number }} Usage CPU time in microseconds, bytes, milliseconds */
/**
 * @typedef {{ name: string, url: string, started: Usage, usage: () => Promise<Usage>, stop: () => Promise<unknown> }} Server
 */
/** @typedef {{ requests: number, seconds: number, p50: number, p99: number, failures: number }} Load */

/**
 * Starts a server.
 * @param {import('./peers.mjs').Peer} peer @param {string[]} execArgv of node @returns {Promise<Server>}
 */
export async function start({ name, file, env = {}, isOnBun }, execArgv = []) {
  const runtime = isOnBun ? { execPath: bun() } : { execArgv }
  const production = { ...process.env, NODE_ENV: 'production' }
  const child = fork(module('serve.mjs'), [file], { env: { ...production, ...env }, ...runtime })
  const exit = once(child, 'exit')
  const ask = asker(child)
  const { port, ...started } = await ask()
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    started,
    usage: () => ask({}),
    stop: () => {
      child.disconnect()
      return exit
    },
  }
}

/** Starts the load process. */
export function startLoad() {
  const child = fork(module('peers/load.mjs'))
  const ask = asker(child)
  return {
    /** @param {object} order @returns {Promise<Load>} */
    run: (order) => ask(order),
    stop: () => child.disconnect(),
  }
}

/** Sends a message and waits for the reply. @param {import('node:child_process').ChildProcess} child */
function asker(child) {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${child.spawnargs.slice(2).join(' ')} ended with ${code}`)
  })
  ended.catch(() => {})
  return async (/** @type {object | undefined} */ message) => {
    const answer = once(child, 'message')
    if (message !== undefined) child.send(message)
    const [value] = await Promise.race([answer, ended])
    return value
  }
}

/** The Bun executable, from the package for this machine. */
function bun() {
  const folder = module('peers/node_modules/@oven')
  const name = readdirSync(folder).find((each) => !/musl|baseline/.test(each)) ?? ''
  return join(folder, name, 'bin/bun')
}

/** @param {string} file */
function module(file) {
  return fileURLToPath(new URL(file, import.meta.url))
}
