import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { type CallEvent, pathOf } from 'duet-runtime'
import { answer, answerOptions, answerProblem } from '../http/answer.js'
import type { HttpServer } from '../http/http-server.js'
import type { Overload } from '../http/overload.js'
import type { Metrics } from './metrics.js'

export interface ProbeOptions {
  readonly metrics: Metrics
  readonly state: () => HttpServer['state']
  readonly overload: Pick<Overload, 'isLasting'>
  /** Rejects when the database does not answer or takes no changes. */
  readonly ping: () => Promise<void>
  /** Is told of each request that is refused, as the API tells of its calls. */
  readonly onRefusal: (event: CallEvent<never>) => void
}

/**
 * Answers /healthz (the process is up), /readyz (it takes calls, has not turned away all of them for a second, and
 * its database serves) and /metrics, in every state of the server; false for any other path.
 */
export function createProbe(
  options: ProbeOptions,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const shared = { ...options, ping: once(options.ping) }
  return (request, response) => {
    const probe = probes.get(pathOf(request.url ?? '/'))
    if (probe === undefined) return false
    const start = performance.now()
    const refuse: Refuse = (code, detail, headers) => {
      const requestId = answerProblem(request, response, code, detail, headers)
      const durationMs = performance.now() - start
      const protocol = 'rest'
      options.onRefusal({
        operation: undefined,
        protocol,
        requestId,
        principal: undefined,
        request,
        durationMs,
        code,
      })
    }
    if (request.method === 'GET' || request.method === 'HEAD') {
      probe(request, response, shared, refuse).catch(() => response.destroy())
    } else if (request.method === 'OPTIONS') {
      answerOptions(request, response, 'GET, HEAD')
    } else {
      refuse('method_not_allowed', 'Only GET and HEAD.', { allow: 'GET, HEAD' })
    }
    return true
  }
}

type Refuse = (
  code: 'unavailable' | 'method_not_allowed',
  detail: string,
  headers: OutgoingHttpHeaders,
) => void

type Probe = (
  request: IncomingMessage,
  response: ServerResponse,
  options: ProbeOptions,
  refuse: Refuse,
) => Promise<void>

const noStore = { 'cache-control': 'no-store' }

/** A page of any origin may see that there is an answer (Fetch, section 3.7), which without CORS it still can't read. */
const askable = { ...noStore, 'cross-origin-resource-policy': 'cross-origin' }

const probes: ReadonlyMap<string, Probe> = new Map<string, Probe>([
  [
    '/healthz',
    async (request, response) =>
      answer(request, response, 200, 'application/json', '{"status":"ok"}', askable),
  ],
  [
    '/readyz',
    async (request, response, { state, overload, ping }, refuse) => {
      const unready = (detail: string) => refuse('unavailable', detail, { 'retry-after': '1' })
      const now = state()
      if (now !== 'serving') {
        unready(`The service is ${now}.`)
        return
      }
      if (overload.isLasting) {
        unready('The service is overloaded.')
        return
      }
      try {
        await inTime(ping())
      } catch {
        unready('The database does not serve.')
        return
      }
      answer(request, response, 200, 'application/json', '{"status":"ready"}', noStore)
    },
  ],
  [
    '/metrics',
    async (request, response, { metrics }) =>
      answer(request, response, 200, metrics.contentType, await metrics.text(), noStore),
  ],
])

/** Whoever asks whether a node is ready waits no longer than a few seconds: too late is no. */
const pingMs = 2_000

/** Work that is asked for while it is being done is done once: whoever asks very often asks the database no more for it. */
function once(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined
  return () => {
    underWay ??= work().finally(() => {
      underWay = undefined
    })
    return underWay
  }
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('No answer in time')), pingMs)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
