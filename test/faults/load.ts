import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type Answered, call, type Protocol, protocols } from './call.js'

/** One update with a unique credit, so that the audit trail shows its outcome. */
export interface Update {
  readonly clientId: number
  readonly credit: number
  readonly key: string
}

/** The results of a load, as its callers saw them. */
export interface Report {
  readonly acknowledged: readonly Update[]
  /** Updates with a 503 or a lost answer, which may or may not have been made. */
  readonly open: readonly Update[]
  /** Open updates without an answer. */
  readonly lost: readonly Update[]
  readonly refusals: number
  /** Wrong answers, and calls beyond the deadline. */
  readonly wrong: readonly string[]
  readonly longestMs: number
}

export interface Load {
  /** Resolves when `updates` more are acknowledged. */
  progress(updates: number): Promise<void>
  /** Resolves when one more call has been answered with 503. */
  refusal(): Promise<void>
  stop(): Promise<Report>
}

export interface LoadOptions {
  /** The present URLs of the nodes. */
  readonly urls: () => readonly string[]
  readonly apiKey: string
  readonly workers?: number
  /** Longest time of a call. */
  readonly deadlineMs?: number
  /** How long a refused caller waits. */
  readonly pauseMs?: number
}

/**
 * Callers that update clients and read others over both protocols, without a pause after each answer. Every update has
 * a unique idempotency key.
 */
export function startLoad({
  urls,
  apiKey,
  workers = 8,
  deadlineMs = 20_000,
  pauseMs = 50,
}: LoadOptions): Load {
  let running = true
  let sent = 0
  let refusals = 0
  let longestMs = 0
  const acknowledged: Update[] = []
  const open: Update[] = []
  const lost: Update[] = []
  const wrong: string[] = []

  const work = async () => {
    while (running) {
      const index = loads.next()
      sent += 1
      const targets = urls()
      const url = targets[sent % targets.length] ?? ''
      // Each node gets calls over both protocols, for any number of nodes.
      const protocol = protocols[Math.floor(sent / targets.length) % protocols.length] as Protocol
      const answered =
        sent % 4 === 0
          ? await read(url, protocol, apiKey, deadlineMs)
          : await change({ clientId: 1 + (index % 3), credit: index, key: `load-${index}` }, url, protocol)
      longestMs = Math.max(longestMs, answered.ms)
      if (answered.kind === 'wrong') wrong.push(`${protocol}: ${answered.why}`)
      if (answered.kind === 'refused') refusals += 1
      // A refused caller waits before its next call.
      if (answered.kind !== 'done') await delay(pauseMs)
    }
  }
  const change = async (update: Update, url: string, protocol: Protocol): Promise<Answered> => {
    const answered = await sendUpdate(update, url, protocol, apiKey, deadlineMs)
    if (answered.kind === 'done') acknowledged.push(update)
    else open.push(update)
    if (answered.kind === 'lost') lost.push(update)
    return answered
  }
  const all = Promise.all(Array.from({ length: workers }, work))
  onTestFinished(async () => {
    running = false
    await all
  })
  const until = async (reached: () => boolean, what: string) => {
    const deadline = Date.now() + patienceMs
    while (!reached()) {
      if (Date.now() > deadline) throw new Error(`${what}: ${wrong.join('; ').slice(0, 2000)}`)
      await delay(20)
    }
  }
  return {
    async progress(updates) {
      const goal = acknowledged.length + updates
      await until(() => acknowledged.length >= goal, 'The load has stopped')
    },
    async refusal() {
      const before = refusals
      await until(() => refusals > before, 'Nothing is refused')
    },
    async stop() {
      running = false
      await all
      return { acknowledged, open, lost, refusals, wrong, longestMs }
    },
  }
}

/** Sends an update. Done means that the answer has the sent values. */
export async function sendUpdate(
  { clientId: id, credit, key }: Update,
  url: string,
  protocol: Protocol,
  apiKey: string,
  deadlineMs = 20_000,
): Promise<Answered> {
  const params = { id, credit, idempotency_key: key }
  return call(url, protocol, { operation: 'clients.update', params, apiKey, deadlineMs }, (result) =>
    result.id === id && result.credit === credit ? undefined : `update ${id} to ${credit}`,
  )
}

/** Reads a client whose name and currency no load changes. */
function read(url: string, protocol: Protocol, apiKey: string, deadlineMs: number): Promise<Answered> {
  const call_ = { operation: 'clients.get', params: { id: 2 }, apiKey, deadlineMs } as const
  return call(url, protocol, call_, ({ id, name, currency }) =>
    id === 2 && name === 'Blue Harbor Telecom' && currency === 'USD' ? undefined : 'get 2',
  )
}

const patienceMs = 90_000

/** Credits of updates, whole numbers from 1000, unique among all loads of a process. */
const loads = {
  last: 1_000,
  next() {
    this.last += 1
    return this.last
  },
}
