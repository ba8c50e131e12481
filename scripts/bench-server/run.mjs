// npm run bench:server -- [PEER...] [--rounds N] [--seconds N] [--connections N] [--large DOCUMENT] [--profile]
//
// Sends the same jobs to each server, alternating, from another process; each server has its own process.
// Checks the responses before it measures. Prints medians: requests per second, the server's CPU time per
// request, latency, and duet's throughput relative to its peers'.
//
//   PEER           only these, by their names in peers.mjs
//   --rounds       how often each job is measured on each server; default 5
//   --seconds      how long, each time; default 3
//   --connections  how many callers there are; default 32
//   --large        an OpenAPI document with many operations, such as GitHub's, that duet serves the jobs within
//   --profile      prints where the time of each server went; profiling itself takes some
import '../help.mjs'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { refuse } from '../help.mjs'
import { installPeers } from '../measure/process.mjs'
import { check, headersOf } from './check.mjs'
import { jobs } from './jobs.mjs'
import { largePackage } from './large.mjs'
import { peers } from './peers.mjs'
import { start, startLoad } from './process.mjs'
import { topOf } from './profile.mjs'
import { report, startReport } from './report.mjs'

const names = peers.map(({ name }) => name)
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32' },
    large: { type: 'string' },
    profile: { type: 'boolean', default: false },
  },
})
const unknown = positionals.filter((name) => !names.includes(name))
if (unknown.length > 0) refuse(`There are only these peers: ${names.join(', ')}`)
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const connections = Number(values.connections)

installPeers(new URL('./peers/', import.meta.url).pathname)
const chosen = peers.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
const scratch = mkdtempSync(join(tmpdir(), 'bench-server-'))
if (values.large === undefined) console.error('without --large DOCUMENT, many operations are not measured')
else chosen.push(largePeer(values.large))
const servers = new Map()
for (const peer of chosen) servers.set(peer.name, await start(peer, profiling(peer)))
const load = startLoad()

/** @typedef {import('./peers.mjs').Peer} Peer */
/** @typedef {{ job: import('./jobs.mjs').Job, peer: Peer, runs: Run[] }} Measured */
/** @typedef {import('./process.mjs').Load & { cpu: number }} Run */

/** @type {Measured[]} */
const measured = jobs.flatMap((job) =>
  chosen.filter(({ protocols }) => protocols.includes(job.protocol)).map((peer) => ({ job, peer, runs: [] })),
)
try {
  for (const { job, peer } of measured) await check(servers.get(peer.name), job, peer.validates)
  for (const each of measured) await run(each, 1)
  for (let round = 1; round <= rounds; round += 1) {
    // Alternates the order, so that no server always follows the same one.
    for (const each of round % 2 === 0 ? measured.toReversed() : measured) {
      if (process.stderr.isTTY)
        process.stderr.write(`${round}/${rounds} ${each.job.name} ${each.peer.name}\r\x1b[K`)
      each.runs.push(await run(each, seconds))
    }
  }
  console.log(report(measured, rounds))
  console.log(startReport(await startUps()))
} finally {
  load.stop()
  await Promise.all(Array.from(servers.values(), (server) => server.stop()))
  if (values.profile) for (const { name } of chosen) console.log(profileOf(name))
  rmSync(scratch, { recursive: true, force: true })
}

/**
 * Duet with a document's operations in addition to those of the jobs. @param {string} path @returns {Peer}
 */
function largePeer(path) {
  console.error(`generating the package of ${path} …`)
  const { module, operations } = largePackage(path, scratch)
  const env = { BENCH_PACKAGE: module }
  return { name: `duet of ${operations}`, file: 'duet', validates: true, protocols: ['rest', 'jsonrpc'], env }
}

/** Options that make node write a profile. @param {Peer} peer */
function profiling({ name }) {
  return values.profile ? ['--cpu-prof', `--cpu-prof-dir=${join(scratch, 'profile', name)}`] : []
}

/** @param {string} name of a server that has ended */
function profileOf(name) {
  const folder = join(scratch, 'profile', name)
  const [file = ''] = readdirSync(folder)
  return `\n${name}\n\n${topOf(JSON.parse(readFileSync(join(folder, file), 'utf8')), 20)}`
}

/** Starts each server once per round. */
async function startUps() {
  /** @type {Map<string, import('./process.mjs').Usage[]>} */
  const started = new Map(chosen.map(({ name }) => [name, []]))
  for (let round = 1; round <= rounds; round += 1) {
    for (const peer of chosen) {
      const server = await start(peer)
      started.get(peer.name)?.push(server.started)
      await server.stop()
    }
  }
  return started
}

/** One measurement of one server. @param {Measured} measured @param {number} duration @returns {Promise<Run>} */
async function run({ job, peer }, duration) {
  const server = servers.get(peer.name)
  const { request } = job
  const before = await server.usage()
  const result = await load.run({
    url: server.url + request.path,
    request,
    headers: headersOf(request),
    seconds: duration,
    connections: job.calls > 1 ? Math.ceil(connections / 4) : connections,
  })
  const after = await server.usage()
  if (result.failures > 0)
    throw new Error(`${peer.name}, ${job.protocol} ${job.name}: ${result.failures} failed`)
  return { ...result, cpu: (after.cpu - before.cpu) / result.requests }
}
