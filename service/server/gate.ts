import type { IncomingMessage, ServerResponse } from 'node:http'
import { type CallEvent, requestIdOf } from '@duet/runtime'
import type { TrustedProxies } from '../limits/client-address.js'
import { withoutSecrets } from '../log.js'
import { answerProblem, protocolOf } from './answer.js'
import { type AllowedOrigins, answerCors, isPreflight } from './cors.js'
import type { Refusal } from './malformed.js'
import type { Overload, Overloaded } from './overload.js'
import { keepResponse, responseOf } from './response-of.js'
import { setSecurityHeaders } from './security-headers.js'
import { type BodyBounds, UnfinishedBodies } from './unfinished-bodies.js'

/** What every request passes, whatever the state of the server. */
export interface Gate {
  /** Sets the headers that every answer carries. True: the request is answered. */
  prepare(request: IncomingMessage, response: ServerResponse): boolean
  /** Takes the request. Answers why where the node bears no more. */
  enter(request: IncomingMessage, response: ServerResponse): Overloaded | undefined
  /** Answers 503, to be tried again after a second. */
  turnAway(request: IncomingMessage, response: ServerResponse, detail: string): void
  /** Is told of what was no request. */
  malformed(refusal: Refusal): void
}

export interface GateOptions {
  readonly overload: Overload
  readonly trustedProxies: TrustedProxies
  readonly origins: AllowedOrigins | undefined
  /** Is told of each request that is refused, as the API tells of its calls. */
  readonly onRefusal: (event: CallEvent<never>) => void
  readonly onShed: (why: Overloaded) => void
}

export function createGate({ overload, trustedProxies, origins, onRefusal, onShed }: GateOptions): Gate {
  const tell = (protocol: 'rest' | 'jsonrpc', requestId: string, code: string) =>
    onRefusal({ operation: undefined, protocol, requestId, principal: undefined, durationMs: 0, code })
  const turnAway: Gate['turnAway'] = (request, response, detail) => {
    const requestId = answerProblem(request, response, 'unavailable', detail, { 'retry-after': '1' })
    tell(protocolOf(request), requestId, 'unavailable')
  }
  const bodies = new UnfinishedBodies(mostUnfinished, (request) => {
    const response = responseOf(request)
    if (response === undefined || response.headersSent) request.destroy()
    else turnAway(request, response, 'The body comes too slowly while others wait.')
  })
  return {
    prepare(request, response) {
      keepResponse(request, response)
      setSecurityHeaders(request, response, trustedProxies)
      const given = request.headers['x-request-id']
      // One that the log hides, since it may be a key in the wrong header, could not be found there.
      const isHidden = typeof given === 'string' && withoutSecrets(given) !== given
      // Whoever answers and logs takes up the same one.
      const id = requestIdOf(isHidden ? undefined : given)
      request.headers['x-request-id'] = id
      response.setHeader('X-Request-Id', id)
      if (origins !== undefined && answerCors(request, response, origins)) return true
      // Answered as any OPTIONS is, and the page that asked is kept out.
      if (isPreflight(request)) tell('rest', id, 'forbidden')
      if (!isCodingKnown(request)) {
        const detail = 'Bodies have no transfer coding but chunked.'
        tell(
          protocolOf(request),
          answerProblem(request, response, 'not_implemented', detail),
          'not_implemented',
        )
        return true
      }
      const hosts = hostsOf(request)
      const isSound = hosts.length === 1 || (request.httpVersion === '1.0' && hosts.length === 0)
      if (isSound && hosts.every((host) => hostText.test(host))) return false
      // RFC 9112 section 3.2: else two readers of the request may see two hosts.
      const detail = 'Exactly one Host is needed, and it has to be the name of one.'
      const requestId = answerProblem(request, response, 'invalid_request', detail)
      tell(protocolOf(request), requestId, 'invalid_request')
      return true
    },
    enter(request, response) {
      const why = overload.look(request)
      // Until its body is here a request counts for nothing, or slow ones would keep all others out.
      if (why === undefined) bodies.add(request, () => overload.take(request, response))
      else onShed(why)
      return why
    },
    turnAway,
    malformed: ({ requestId, code }) => tell('rest', requestId, code),
  }
}

/** RFC 9112 section 6.1: a body in another coding could not be read, though node:http finds its end. */
function isCodingKnown({ headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding']
  return coding === undefined || coding.toLowerCase() === 'chunked'
}

const mostUnfinished: BodyBounds = { bodies: 256, bytes: 67_108_864 }

function hostsOf({ rawHeaders }: IncomingMessage): string[] {
  const hosts: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts.push(rawHeaders[i + 1] ?? '')
  }
  return hosts
}

/** RFC 3986 section 3.2.2, and a port; empty where the target has no authority. */
const hostText = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i
