// An attacking process: `callers` connections, each of which sends again as soon as it has a response, until
// told to end.
import { Agent, request as ask } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { attacks } from './attacks.mjs'

/** @typedef {{ requests: number, bytesIn: number, bytesOut: number, largest: number, statuses: Record<string, number> }} Tally */

const [url = '', name = '', callers = '4', seconds = '5', apiKey = ''] = process.argv.slice(2)
const attack = attacks.find((one) => one.name === name)
if (attack === undefined) throw new Error(`There is no attack ${name}`)
const { request, bytes } = attack
const { host, hostname, port } = new URL(url)
const deadline = Date.now() + Number(seconds) * 1000
/** @type {Tally} */
const tally = { requests: 0, bytesIn: 0, bytesOut: 0, largest: 0, statuses: {} }

const caller = bytes === undefined ? inTurn : asBytes
await Promise.race([
  Promise.all(Array.from({ length: Number(callers) }, (_, index) => caller(index))),
  delay(Number(seconds) * 1000 + 500),
])
console.log(JSON.stringify(tally))
process.exit(0)

/** @param {number} index */
async function inTurn(index) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let turn = index; Date.now() < deadline; turn += Number(callers)) await send(agent, turn)
}

/** @param {Agent} agent @param {number} turn @returns {Promise<void>} */
function send(agent, turn) {
  const { method = 'GET', path = '/', headers, body } = request?.(turn) ?? {}
  const own = {
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }),
    ...(apiKey !== '' && { 'x-api-key': apiKey }),
    ...headers,
  }
  return new Promise((resolve) => {
    const sent = ask({ hostname, port, method, path, headers: own, agent }, (response) => {
      let length = 0
      response.on('data', (chunk) => {
        length += chunk.length
      })
      response.once('close', () => {
        note(String(response.statusCode), Buffer.byteLength(body ?? path), length)
        resolve()
      })
    })
    sent.once('error', (error) => {
      note(/** @type {NodeJS.ErrnoException} */ (error).code ?? 'error', 0, 0)
      setTimeout(resolve, 5)
    })
    sent.end(body)
  })
}

async function asBytes() {
  const credential = apiKey === '' ? '' : `X-Api-Key: ${apiKey}\r\n`
  const { head = '', again = '', everyMs = 0, unread = false } = bytes?.(host, credential) ?? {}
  while (Date.now() < deadline) {
    const socket = connect(Number(port), hostname)
    let open = true
    if (unread) socket.pause()
    else {
      socket.on('data', (chunk) => {
        tally.bytesOut += chunk.length
        for (const [, status = ''] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g))
          note(status, 0, 0)
      })
    }
    socket.on('error', () => {})
    socket.once('close', () => {
      open = false
    })
    socket.write(head)
    while (open && Date.now() < deadline) {
      // A socket whose buffer is full makes this side wait, like any other sender.
      if (!socket.writableNeedDrain) {
        socket.write(again)
        tally.bytesIn += again.length
      }
      await delay(everyMs)
    }
    socket.destroy()
  }
}

/** @param {string} status @param {number} sent @param {number} answered bytes */
function note(status, sent, answered) {
  tally.requests += 1
  tally.bytesIn += sent
  tally.bytesOut += answered
  tally.largest = Math.max(tally.largest, answered)
  tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
}
