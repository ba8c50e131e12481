import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type BuiltInErrorCode, builtInErrors, ProblemError, toProblem } from '@duet/runtime'
import { securityHeaders } from './security-headers.js'

/** What a problem and its line in the log have in common. */
export interface Refusal {
  readonly requestId: string
  readonly code: BuiltInErrorCode
}

/**
 * Answers what is no HTTP request, or came in too slowly, with a problem, and ends the connection.
 * @returns undefined where nothing could be answered
 */
export function answerMalformed(
  error: { readonly code?: string | undefined },
  socket: Socket,
): Refusal | undefined {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return undefined
  }
  const { code, detail, status = builtInErrors[code].status } = refusals[error.code ?? ''] ?? malformed
  const requestId = randomUUID()
  const problem = toProblem(new ProblemError(code, { detail }), builtInErrors, requestId)
  const body = JSON.stringify({ ...problem, status })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Cache-Control: no-store',
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...securityHeaders.map(([name, value]) => `${name}: ${value}`),
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  return { requestId, code }
}

interface Malformed {
  readonly code: BuiltInErrorCode
  readonly detail: string
  /** A status that no code of the catalogue has; absent: the code's own. */
  readonly status?: number
}

const malformed: Malformed = {
  code: 'invalid_request',
  detail: 'The request is no well-formed HTTP/1.1.',
}

/** By the code of the error that node:http has for it; CONNECT is none. */
const refusals: Readonly<Record<string, Malformed>> = {
  CONNECT: { code: 'not_implemented', detail: 'This is no proxy.' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'invalid_request',
    detail: 'The request did not come in whole in time.',
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
