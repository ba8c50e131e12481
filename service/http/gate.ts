import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import {
  type CallEvent,
  endConnection,
  hasTooManyFields,
  type Protocol,
  requestIdOf,
  tooManyFields,
} from 'duet-runtime'
import type { Admission } from '../limits/admission.js'
import { clientAddress, type Sender, subjectOf, type TrustedProxies } from '../limits/client-address.js'
import { type AllowedOrigins, answerCors, isPreflight } from '../settings/cors.js'
import { type AllowedHosts, hostOfTarget, isAllowedHost } from '../settings/hosts.js'
import { withoutSecrets } from '../settings/log.js'
import { answerProblem, protocolOf } from './answer.js'
import type { Refusal } from './malformed.js'
import type { Overload, Overloaded } from './overload.js'
import { keepResponse, responseOf } from './response-of.js'
import { setSecurityHeaders } from './security-headers.js'
import { type BodyBounds, UnfinishedBodies } from './unfinished-bodies.js'
import { type ReadTimes, UnreadResponses } from './unread-answers.js'

/** The checks that every request passes, in every state of the server. */
export interface Gate {
  /** Sets the headers of every answer. True: it has answered the request. */
  prepare(request: IncomingMessage, response: ServerResponse): boolean
  /**
   * Accepts the request. Else returns a function that refuses it: the node is overloaded, or the address has reached a
   * limit.
   */
  enter(request: IncomingMessage, response: ServerResponse): (() => void) | undefined
  /** Answers 503 with `Retry-After: 1`. */
  turnAway(request: IncomingMessage, response: ServerResponse, detail: string): void
  /** Receives messages that were no valid request. */
  malformed(refusal: Refusal, socket: Socket): void
  /** Receives each complete answer, read or not. */
  answered(request: IncomingMessage, response: ServerResponse): void
}

export interface GateOptions {
  readonly overload: Overload
  readonly trustedProxies: TrustedProxies
  readonly maxConnections: number
  readonly hosts: AllowedHosts
  readonly origins: AllowedOrigins | undefined
  /** Receives each refused request, in the form of the API's call events. */
  readonly onRefusal: (event: CallEvent<never>, sender: Sender) => void
  readonly onShed: (why: Overloaded) => void
  /** Undefined while the service starts, which accepts no requests then. */
  readonly admission: () => Pick<Admission, 'enter' | 'count' | 'isAuthenticated'> | undefined
}

export function createGate(options: GateOptions): Gate {
  const { overload, trustedProxies, maxConnections, hosts, origins, onRefusal, onShed, admission } = options
  const tell = (sender: Sender, protocol: Protocol, requestId: string, code: string) =>
    onRefusal(
      { operation: undefined, protocol, requestId, principal: undefined, durationMs: 0, code },
      sender,
    )
  const refuse = (
    request: IncomingMessage,
    response: ServerResponse,
    code: 'invalid_request' | 'rate_limited' | 'unavailable',
    detail: string,
    headers: OutgoingHttpHeaders = {},
    status?: number,
  ) =>
    tell(request, protocolOf(request), answerProblem(request, response, code, detail, headers, status), code)
  const turnAway: Gate['turnAway'] = (request, response, detail) =>
    refuse(request, response, 'unavailable', detail, { 'retry-after': '1' })
  const giveWay = (request: IncomingMessage) => {
    admission()?.count(request)
    const response = responseOf(request)
    const socket = response?.socket
    if (response === undefined || response.headersSent || !socket) {
      request.destroy()
      return
    }
    // Otherwise the rest of the body would stay in memory uncounted.
    response.shouldKeepAlive = false
    turnAway(request, response, 'The body arrives too slowly while others wait.')
    if (socket.writableLength > 0) request.destroy()
  }
  const most = {
    // A connection with a request in progress is never closed for a new one.
    bodies: Math.min(mostUnfinished.bodies, Math.ceil(maxConnections / 2)),
    bytes: mostUnfinished.bytes,
  }
  const addressOf = (request: IncomingMessage) => subjectOf(clientAddress(request, trustedProxies))
  const bodies = new UnfinishedBodies(most, addressOf, giveWay)
  const unread = new UnreadResponses(readTimes)
  return {
    prepare(request, response) {
      keepResponse(request, response)
      setSecurityHeaders(request, response, trustedProxies)
      const given = request.headers['x-request-id']
      // The log hides ids that look like secrets, so such an id could not be found there.
      const isHidden = typeof given === 'string' && withoutSecrets(given) !== given
      // The handler and the log use the same id.
      const id = requestIdOf(isHidden ? undefined : given)
      request.headers['x-request-id'] = id
      response.setHeader('X-Request-Id', id)
      const asked = [...hostsOf(request), hostOfTarget(request.url ?? '') ?? '']
      const isForeign = !asked.every((host) => isAllowedHost(host, hosts))
      if (!isForeign && origins !== undefined && answerCors(request, response, origins)) return true
      // It gets the answer of any OPTIONS, without the headers that would let the page call.
      if (isPreflight(request)) tell(request, 'rest', id, 'forbidden')
      const fault = faultOfHead(request) ?? (isForeign ? foreignHost : undefined)
      if (fault === undefined) return false
      admission()?.count(request)
      // A proxy in front may disagree about where the next request starts.
      response.shouldKeepAlive = false
      refuse(request, response, 'invalid_request', fault.detail, {}, fault.status)
      return true
    },
    enter(request, response) {
      const why = overload.look(request)
      if (why !== undefined) {
        if (why === 'in_flight') unread.giveWay()
        return () => {
          onShed(why)
          endConnection(request)
          turnAway(request, response, 'The service is overloaded.')
        }
      }
      const limited = admission()?.enter(request)
      if (limited !== undefined) {
        return () => {
          const { detail = '', retryAfter } = limited()
          endConnection(request)
          refuse(request, response, 'rate_limited', detail, { 'retry-after': String(retryAfter) })
        }
      }
      // A request counts towards the load only when its body is complete. Otherwise slow bodies would keep all others
      // out.
      bodies.add(request, () => overload.take(request, response))
      return undefined
    },
    turnAway,
    malformed({ requestId, code }, socket) {
      const sender = { socket, headers: {} }
      admission()?.count(sender)
      tell(sender, 'rest', requestId, code)
    },
    answered(request, response) {
      const isKnown = admission()?.isAuthenticated(request) === true
      unread.add(response, isKnown ? undefined : addressOf(request))
    },
  }
}

const mostUnfinished: BodyBounds = { bodies: 1_000, bytes: 67_108_864 }

// The longest answer to an anonymous caller has some 70 KB, which a connection of 60 kbit/s reads in this time.
const readTimes: ReadTimes = { known: 90_000, anonymous: 10_000, spared: 1_000 }

interface HeadFault {
  readonly detail: string
  /** A status that no code of the catalogue has. Default: the code's own. */
  readonly status?: number
}

const foreignHost: HeadFault = {
  detail: 'This host is not in ALLOWED_HOSTS.',
}

/** Finds what a proxy and this server could read differently, or not to its end. Undefined: nothing. */
function faultOfHead(request: IncomingMessage): HeadFault | undefined {
  if (hasTooManyFields(request)) return { detail: tooManyFields().message, status: 431 }
  const isOld = request.httpVersion === '1.0'
  const hosts = hostsOf(request)
  // RFC 9112 section 3.2.
  if (!(hosts.length === 1 || (isOld && hosts.length === 0)) || !hosts.every((host) => hostText.test(host)))
    return { detail: 'The request needs exactly one Host header with a valid host.' }
  // RFC 9112 section 6.1.
  if (isOld && request.headers['transfer-encoding'] !== undefined)
    return { detail: 'HTTP/1.0 has no Transfer-Encoding.' }
  return undefined
}

function hostsOf({ rawHeaders }: IncomingMessage): string[] {
  const hosts: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts.push(rawHeaders[i + 1] ?? '')
  }
  return hosts
}

/** RFC 3986 section 3.2.2 and a port. Empty if the target has no authority. */
const hostText = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i
