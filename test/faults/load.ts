import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type Answered, call, type Protocol, protocols } from './call.js'

/** One update: whose credit is no other's, so that the audit trail shows what became of it. */
export interface Update {
  readonly clientId: number
  readonly credit: number
  readonly key: string
}

/** What callers saw of a load. */
export interface Report {
  readonly acknowledged: readonly Update[]
  /** Answered with 503, or its answer was lost: it may have been made or not. */
  readonly open: readonly Update[]
  /** Open ones whose answer never came. */
  readonly lost: readonly Update[]
  readonly refusals: number
  /** Answers that no fault excuses, and calls that outran the deadline. */
  readonly wrong: readonly string[]
  readonly longestMs: number
}

export interface Load {
  /** Resolves when so many more updates are acknowledged. */
  progress(updates: number): Promise<void>
  /** Resolves when one more call has been answered with 503. */
  refusal(): Promise<void>
  stop(): Promise<Report>
}

export interface LoadOptions {
  /** Where the nodes are at this moment. */
  readonly urls: () => readonly string[]
  readonly apiKey: string
  readonly workers?: number
  /** No call may take longer. */
  readonly deadlineMs?: number
  /** How long a caller that is refused keeps away. */
  readonly pauseMs?: number
}

/**
 * Callers that update clients and read others, over both protocols, each as soon as its last call is answered.
 * Every update carries a key of its own.
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
      // Each node is asked over both, whatever the number of nodes.
      const protocol = protocols[Math.floor(sent / targets.length) % protocols.length] as Protocol
      const answered =
        sent % 4 === 0
          ? await read(url, protocol, apiKey, deadlineMs)
          : await change({ clientId: 1 + (index % 3), credit: index, key: `load-${index}` }, url, protocol)
      longestMs = Math.max(longestMs, answered.ms)
      if (answered.kind === 'wrong') wrong.push(`${protocol}: ${answered.why}`)
      if (answered.kind === 'refused') refusals += 1
      // Whoever is refused does not come back at once.
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
      await until(() => acknowledged.length >= goal, 'The load stands still')
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

/** Sends an update; done means that the answer has what was sent. */
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

/** Credits of updates, whole numbers from 1000 on: no two loads of a process share one. */
const loads = {
  last: 1_000,
  next() {
    this.last += 1
    return this.last
  },
}
