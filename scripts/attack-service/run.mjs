// npm run attack:service -- [options]
//
// Starts a node and runs each attack of attacks.mjs against it, with four callers without credentials and
// four with a valid key, while another user calls as usual. Prints that user's latencies and what the attack
// cost the node. `turn` is the longest time without a turn for others, in milliseconds of processor time,
// which does not depend on the machine's other load.
//
//   --seconds N     how long each attack goes on (default 5)
//   --callers N     callers of each kind (default 4)
//   --attack TEXT   only attacks whose name contains this; repeatable
//   --users         only callers with a good key
//   --anonymous     only callers without credentials
//   --p99 N         milliseconds that 99 of 100 calls of the other user may take (default 250)
//   --json          one object for each attack, instead of a table
//
// Ends with 1 where a call of the other user failed, where its p99 is above the limit, or where the node ended.
import '../help.mjs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startNodes } from '../bench-service/nodes.mjs'
import { refuse } from '../help.mjs'
import { cpuOf } from '../measure/cpu.mjs'
import { attacks } from './attacks.mjs'
import { beginTurns, watchTurns } from './turns.mjs'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    callers: { type: 'string', default: '4' },
    attack: { type: 'string', multiple: true, default: [''] },
    users: { type: 'boolean', default: false },
    anonymous: { type: 'boolean', default: false },
    p99: { type: 'string', default: '250' },
    json: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
const attackerFile = fileURLToPath(new URL('attacker.mjs', import.meta.url))
const chosen = attacks.filter(({ name }) => values.attack.some((text) => name.includes(text)))
if (!(seconds > 0) || !(Number(values.callers) > 0) || chosen.length === 0) refuse()

/** @typedef {{ calls: number, failed: number, p50: number, p99: number, longest: number }} Fared in milliseconds */

const dataDirectory = mkdtempSync(join(tmpdir(), 'duet-attack-'))
const turns = watchTurns(join(dataDirectory, 'turn'))
let bad = 0
try {
  const quiet = await withNode(({ url, keyOf }) =>
    callAsVictim(url, keyOf('reseller-b'), delay(seconds * 1000)),
  )
  if (!values.json) {
    console.log(
      `Without an attack: p50 ${ms(quiet.p50)}, p99 ${ms(quiet.p99)}, longest ${ms(quiet.longest)} ms.\n`,
    )
    const columns = [
      'attack',
      'calls',
      'failed',
      'p50',
      'p99',
      'longest',
      'requests',
      'MB in',
      'MB out',
      'largest answer',
      'CPU s',
      'turn',
      'MB',
      'answers',
    ]
    console.log(`| ${columns.join(' | ')} |\n|${' --- |'.repeat(columns.length)}`)
  }
  for (const { name } of chosen) await report(name)
} finally {
  rmSync(dataDirectory, { recursive: true, force: true })
}
console.log(`\n${chosen.length - bad} attacks held, ${bad} not`)
process.exitCode = bad === 0 ? 0 : 1

/** @param {string} name */
async function report(name) {
  const outcome = await withNode(async ({ url, pid, keyOf, ended }) => {
    // Loading and compiling during the first calls must not count as the attack's cost.
    await callAsVictim(url, keyOf('reseller-b'), delay(1000))
    if (pid !== undefined) beginTurns(pid)
    const before = cpuOf([pid]) ?? 0
    const attackers = [
      ...(values.users ? [] : [attackAs(url, name, '')]),
      ...(values.anonymous ? [] : [attackAs(url, name, keyOf('reseller-a'))]),
    ]
    const all = Promise.all(attackers)
    const fared = await callAsVictim(url, keyOf('reseller-b'), all)
    const tallies = await all
    return { fared, tallies, cpu: ((cpuOf([pid]) ?? 0) - before) / 1000, memory: peakOf(pid), ended: ended() }
  })
  const { fared, tallies, cpu, memory, ended } = outcome
  const turn = turns.longest()
  const holds = !ended && fared.failed === 0 && fared.p99 <= Number(values.p99)
  if (!holds) bad += 1
  const sum = (/** @type {'requests' | 'bytesIn' | 'bytesOut'} */ key) =>
    tallies.reduce((total, tally) => total + tally[key], 0)
  const largest = Math.max(...tallies.map((tally) => tally.largest))
  const answers = tallies.map(({ statuses }) =>
    Object.entries(statuses)
      .map((pair) => pair.join(' x '))
      .join(', '),
  )
  if (values.json) {
    console.log(JSON.stringify({ name, holds, ended, ...fared, cpu, turn, memory, tallies }))
    return
  }
  const cells = [
    holds ? name : `**${name}**${ended ? ' (the node ended)' : ''}`,
    ...[fared.calls, fared.failed, ms(fared.p50), ms(fared.p99), ms(fared.longest)],
    ...[sum('requests'), mb(sum('bytesIn')), mb(sum('bytesOut')), largest, cpu.toFixed(1)],
    ...[ms(turn), memory.toFixed(0)],
    answers.join('; '),
  ]
  console.log(`| ${cells.join(' | ')} |`)
}

/** @param {number} milliseconds */
function ms(milliseconds) {
  return milliseconds.toFixed(1)
}

/** @param {number} bytes */
function mb(bytes) {
  return (bytes / 1e6).toFixed(1)
}

/**
 * Each attack has a node of its own, so that no attack affects the next.
 * @template Result
 * @param {(node: { url: string, pid: number | undefined, keyOf: (login: string) => string, ended: () =>
 * boolean }) => Promise<Result>} use
 */
async function withNode(use) {
  const { urls, pids, stop } = await startNodes(
    1,
    { DATA_DIR: join(dataDirectory, 'data'), LOG_LEVEL: 'info', ...turns.environment },
    'ignore',
  )
  const { users } = JSON.parse(readFileSync(join(dataDirectory, 'data/credentials.json'), 'utf8'))
  const keyOf = (/** @type {string} */ login) =>
    users.find((/** @type {{ login: string }} */ user) => user.login === login).apiKey
  const pid = pids[0]
  try {
    return await use({ url: urls[0] ?? '', pid, keyOf, ended: () => peakOf(pid) === 0 })
  } finally {
    await stop()
  }
}

/**
 * @param {string} url @param {string} name @param {string} apiKey
 * @returns {Promise<{ requests: number, bytesIn: number, bytesOut: number, largest: number, statuses: Record<string, number> }>}
 */
async function attackAs(url, name, apiKey) {
  const child = spawn(process.execPath, [attackerFile, url, name, values.callers, values.seconds, apiKey], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (data) => {
    output += data
  })
  await once(child, 'close')
  return JSON.parse(output)
}

/**
 * One ordinary caller: alternates between both protocols and pauses between calls.
 * @param {string} url @param {string} apiKey @param {Promise<unknown>} end @returns {Promise<Fared>}
 */
async function callAsVictim(url, apiKey, end) {
  let isOver = false
  end.then(() => {
    isOver = true
  })
  /** @type {number[]} */
  const latencies = []
  let failed = 0
  for (let turn = 0; !isOver; turn += 1) {
    const began = performance.now()
    if (!(await call(url, apiKey, turn % 2 === 0))) failed += 1
    latencies.push(performance.now() - began)
    await delay(10)
  }
  latencies.sort((a, b) => a - b)
  const at = (/** @type {number} */ share) => latencies[Math.ceil(share * latencies.length) - 1] ?? Number.NaN
  return { calls: latencies.length, failed, p50: at(0.5), p99: at(0.99), longest: at(1) }
}

/** @param {string} url @param {string} apiKey @param {boolean} overRest @returns {Promise<boolean>} */
function call(url, apiKey, overRest) {
  const body = overRest
    ? undefined
    : '{"jsonrpc":"2.0","id":1,"method":"lnp.gateways.search","params":{"limit":5}}'
  const headers = { 'x-api-key': apiKey, ...(body !== undefined && { 'content-type': 'application/json' }) }
  return new Promise((resolve) => {
    const sent = request(
      new URL(overRest ? '/lnp/gateways?limit=5' : '/', url),
      { method: overRest ? 'GET' : 'POST', headers },
      (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.once('close', () => resolve(response.statusCode === 200 && !text.includes('"error"')))
      },
    )
    sent.once('error', () => resolve(false))
    sent.setTimeout(30_000, () => sent.destroy())
    sent.end(body)
  })
}

/**
 * A process's peak memory in megabytes (Linux, proc(5)); 0 if it has ended. @param {number | undefined} pid
 */
function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
