import { randomUUID } from 'node:crypto'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type BuiltInErrorCode, builtInErrors, ProblemError, requestIdOf, toProblem } from 'duet-runtime'
import { contentOf, protocolOf } from './answer.js'
import { securityHeaders } from './security-headers.js'

/** The parts of a problem that its line in the log repeats. */
export interface Refusal {
  readonly requestId: string
  readonly code: BuiltInErrorCode
}

/** The error of node:http for a message that it rejects. */
export interface ParseError {
  readonly code?: string | undefined
}

/**
 * Answers a malformed or slow request with a problem and ends the connection.
 * @param request the request whose body is at fault; undefined if no head has arrived
 * @returns undefined if no answer was possible
 */
export function answerMalformed(
  error: ParseError,
  socket: Socket,
  request: IncomingMessage | undefined,
): Refusal | undefined {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return undefined
  }
  const { requestId, code } = refusalOf(error, request)
  const { detail, status = builtInErrors[code].status } = faultOf(error)
  const problem = toProblem(new ProblemError(code, { detail }), builtInErrors, requestId)
  const { contentType, text } = contentOf({ ...problem, status }, request ? protocolOf(request) : 'rest')
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Cache-Control: no-store',
    `Content-Type: ${contentType}`,
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${requestId}`,
    ...securityHeaders.map(([name, value]) => `${name}: ${value}`),
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
  return { requestId, code }
}

/** The refusal of a message. Only logged: earlier responses are pending, so no answer may be sent. */
export function refusalOf(error: ParseError, request?: IncomingMessage): Refusal {
  const requestId = request === undefined ? randomUUID() : requestIdOf(request.headers['x-request-id'])
  return { requestId, code: faultOf(error).code }
}

function faultOf({ code = '' }: ParseError): Fault {
  return faults[code] ?? notHttp
}

interface Fault {
  readonly code: BuiltInErrorCode
  readonly detail: string
  /** A status that no code of the catalogue has. Default: the code's own. */
  readonly status?: number
}

const notHttp: Fault = {
  code: 'invalid_request',
  detail: 'The request is not well-formed HTTP/1.1.',
}

/** By the error code of node:http; `CONNECT` is our own. */
const faults: Readonly<Record<string, Fault>> = {
  CONNECT: { code: 'not_implemented', detail: 'This is not a proxy.' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'invalid_request',
    detail: 'The request did not arrive completely in time.',
    status: 408,
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    code: 'payload_too_large',
    detail: 'The chunk extensions are too long.',
  },
  HPE_HEADER_OVERFLOW: {
    code: 'invalid_request',
    detail: 'The target and the header fields are too large.',
    status: 431,
  },
}
