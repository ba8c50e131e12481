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
  /** Rejects if the database does not answer or is read-only. */
  readonly ping: () => Promise<void>
  /** Receives each refused request, in the form of the API's call events. */
  readonly onRefusal: (event: CallEvent<never>) => void
}

/**
 * Answers /healthz (the process is up), /readyz (it accepts calls, has not refused all of them for a second, and its
 * database serves) and /metrics, in every state of the server. Returns false for any other path.
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

/** Lets a page of any origin see that an answer exists (Fetch, section 3.7). Without CORS it cannot read it. */
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
        unready('The database is unavailable.')
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

/** A readiness check waits only a few seconds, so a late answer counts as no. */
const pingMs = 2_000

/** Shares one run of the work among concurrent callers, so that frequent probes do not load the database. */
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
    timer = setTimeout(() => reject(new Error('No response in time')), pingMs)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
