import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { builtInErrors, ProblemError, toProblem } from '@duet/runtime'
import { securityHeaders } from './security-headers.js'

/**
 * Answers what is no HTTP request, or came in too slowly, with a problem, and ends the connection.
 * @returns the request id that the problem carries; undefined where nothing could be answered
 */
export function answerMalformed(
  error: { readonly code?: string | undefined },
  socket: Socket,
): string | undefined {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return undefined
  }
  const { status, detail } = refusals[error.code ?? ''] ?? malformed
  const requestId = randomUUID()
  const problem = toProblem(new ProblemError('invalid_request', { detail }), builtInErrors, requestId)
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
  return requestId
}

const malformed = { status: 400, detail: 'The request is no well-formed HTTP/1.1.' }

/** By the code of the error that node:http has for it; CONNECT is none. */
const refusals: Readonly<Record<string, typeof malformed>> = {
  CONNECT: { status: 501, detail: 'This is no proxy.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'The request did not come in whole in time.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, detail: 'The chunk extensions are too long.' },
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'The header fields are too large.' },
}
