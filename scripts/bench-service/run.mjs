// npm run bench:service -- [options]
//
// Measures the service as processes on a real PostgreSQL, for each number of nodes and of callers, who wait
// for each response before the next request. Reports calls per second and latencies, and the processor time
// per call of the nodes and PostgreSQL, which depends less on the machine's other load. Prints Markdown
// tables.
//
//   --seconds N      how long each figure is measured (default 1)
//   --nodes LIST     numbers of nodes (default 1,2,4)
//   --callers LIST   numbers of callers at the same time (default 1,8,32,128)
//   --operation NAME only operations whose name holds this, such as clients.get
//   --clients N      rows of clients (default 100000)
//   --gateways N     rows of gateways (default 10000)
//   --cache N        CACHE_SECONDS of the nodes (default 5; 0: nothing is remembered)
//   --pool N         DATABASE_POOL of the nodes (default 10)
//
// The load, the nodes and PostgreSQL share this machine: compare figures of one run with each other.
import '../help.mjs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { refuse } from '../help.mjs'
import { cpuOf } from '../measure/cpu.mjs'
import { callsOf } from './calls.mjs'
import { startDatabase } from './database.mjs'
import { run } from './load.mjs'
import { startNodes } from './nodes.mjs'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '1' },
    nodes: { type: 'string', default: '1,2,4' },
    callers: { type: 'string', default: '1,8,32,128' },
    operation: { type: 'string', default: '' },
    clients: { type: 'string', default: '100000' },
    gateways: { type: 'string', default: '10000' },
    cache: { type: 'string', default: '5' },
    pool: { type: 'string', default: '10' },
  },
})
const numbersOf = (/** @type {string} */ list) => list.split(',').map(Number)
const [seconds = 0, clients = 0, gateways = 0] = [values.seconds, values.clients, values.gateways].map(Number)
const nodeNumbers = numbersOf(values.nodes)
const callerNumbers = numbersOf(values.callers)
const given = [seconds, clients, gateways, ...nodeNumbers, ...callerNumbers]
if (!given.every((number) => number > 0)) refuse()

const rows = { clients, gateways }
const database = await startDatabase(rows, ['shared_buffers=512MB'])
try {
  const calls = callsOf(database.apiKey, rows).filter(({ operation }) => operation.includes(values.operation))
  /** @type {Map<string, string[]>} */
  const table = new Map()
  /** @type {Map<string, string[]>} */
  const costs = new Map()
  let failed = 0
  for (const number of nodeNumbers) {
    const { urls, pids, stop } = await startNodes(number, {
      DATABASE_URL: database.url,
      BILLING_SECRET: database.secret,
      API_VERSION: '1.1.0',
      RATE_LIMIT: '0',
      PROCESSOR_SHARE: '0',
      CACHE_SECONDS: values.cache,
      DATABASE_POOL: values.pool,
    })
    try {
      // New processes are slow until their code is compiled.
      for (const { request } of calls)
        await run({ urls, callers: 8 * number, seconds: 0.5 * number, request })
      for (const { operation, protocol, request } of calls) {
        await run({ urls, callers: 8 * number, seconds: 0.5, request })
        const before = await usage()
        let made = 0
        for (const callers of callerNumbers) {
          const outcome = await run({ urls, callers, seconds, request })
          made += outcome.calls
          failed += outcome.failed
          add(table, `${operation} | ${protocol} | ${callers}`, cellOf(outcome))
        }
        const after = await usage()
        const cells = after.map((ms, index) => (((ms ?? Number.NaN) - (before[index] ?? 0)) * 1000) / made)
        add(costs, `${operation} | ${protocol}`, cells.map((cell) => cell.toFixed(0)).join(' + '))
      }
    } finally {
      await stop()
    }

    /** Processor time of the nodes and of PostgreSQL so far, in ms. */
    async function usage() {
      /** @type {{ pid: number }[]} */
      const servers = await database.database.query('select pid from pg_stat_activity')
      return [cpuOf(pids), cpuOf(servers.map(({ pid }) => pid))]
    }
  }
  const headings = nodeNumbers.map((number) => (number === 1 ? '1 node' : `${number} nodes`))
  console.log(
    `${clients} clients, ${gateways} gateways; ${cpus().length} cores for the load, the nodes and PostgreSQL together; ${seconds} s a figure.`,
  )
  console.log('Calls in a second, and milliseconds that half and 99 of 100 calls took at most:\n')
  print(['operation', 'protocol', 'callers', ...headings], table)
  console.log('\nMicroseconds of processor time for a call, of the nodes and of PostgreSQL:\n')
  print(['operation', 'protocol', ...headings], costs)
  console.log(`\n${failed} calls failed`)
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  await database.stop()
}

/** @param {Map<string, string[]>} rows @param {string} key @param {string} cell */
function add(rows, key, cell) {
  rows.set(key, [...(rows.get(key) ?? []), cell])
}

/** @param {string[]} headings @param {Map<string, string[]>} rows */
function print(headings, rows) {
  console.log(`| ${headings.join(' | ')} |\n|${' --- |'.repeat(headings.length)}`)
  for (const [key, cells] of rows) console.log(`| ${key} | ${cells.join(' | ')} |`)
}

/** @param {import('./load.mjs').Outcome} outcome */
function cellOf({ perSecond, p50, p99 }) {
  return `${Math.round(perSecond)} (${p50.toFixed(1)}, ${p99.toFixed(1)})`
}
