import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import {
  type BuiltInErrorCode,
  builtInErrors,
  type FailurePage,
  failurePage,
  isPageRequest,
  type Problem,
  ProblemError,
  type Protocol,
  pathOf,
  requestIdOf,
  toProblem,
} from 'duet-runtime'

/** Answers with text, and a HEAD without it. Closes the connection if a long request body is still due. */
export function answer(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  contentType: string,
  body: string,
  headers: OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, {
    ...headers,
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    ...(leavesBody(request) && { connection: 'close' }),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/**
 * Answers with a problem of the runtime's catalogue (RFC 9457), a POST to the JSON-RPC address with a JSON-RPC error, and
 * a person with a page.
 * @param status if it differs from the code's own
 * @returns the request id
 */
export function answerProblem(
  request: IncomingMessage,
  response: ServerResponse,
  code: keyof typeof builtInErrors,
  detail: string,
  headers: OutgoingHttpHeaders = {},
  status: number = builtInErrors[code].status,
): string {
  const requestId = requestIdOf(request.headers['x-request-id'])
  const retryAfter = headers['retry-after'] === undefined ? undefined : Number(headers['retry-after'])
  const problem = toProblem(new ProblemError(code, { detail, retryAfter }), builtInErrors, requestId)
  const page = isPageRequest(request) ? pageOf(problem) : undefined
  const { contentType, text } = page ?? contentOf({ ...problem, status }, protocolOf(request))
  answer(request, response, status, contentType, text, {
    'cache-control': 'no-store',
    ...page?.headers,
    ...headers,
    'x-request-id': requestId,
    // Like the runtime: an answer without a body gives its code in a header.
    ...(request.method === 'HEAD' && { 'problem-code': code }),
  })
  return requestId
}

function pageOf({ code, title, detail = '', retryAfter }: Problem): FailurePage {
  const heading = code === 'unknown_operation' ? 'Page not found' : title
  const again = retryAfter === undefined ? [] : [`Try again in ${retryAfter} s.`]
  return failurePage(heading, [detail, ...again].join(' '), links)
}

/** Absolute, since the service has the whole of its host: sessions, passkeys and forms of `/admin/` belong to it too. */
const links = {
  '/': { name: 'API reference', text: 'Every operation, over REST and JSON-RPC.' },
  '/admin/': { name: 'Administration', text: 'Users, API keys and who calls what.' },
}

/** A problem in the form of the protocol. Over JSON-RPC the id is null, since it is unknown. */
export function contentOf(
  problem: Problem,
  protocol: Protocol,
): { readonly contentType: string; readonly text: string } {
  const [contentType, value] = problemForms[protocol](problem)
  return { contentType, text: JSON.stringify(value) }
}

const problemForms: {
  readonly [protocol in Protocol]: (problem: Problem) => readonly [string, object]
} = {
  rest: (problem) => ['application/problem+json', problem],
  jsonrpc(problem) {
    const { rpc } = builtInErrors[problem.code as BuiltInErrorCode]
    const error = { code: rpc, message: problem.title, data: problem }
    return ['application/json', { jsonrpc: '2.0', id: null, error }]
  },
  mcp(problem) {
    const { rpc } = builtInErrors[problem.code as BuiltInErrorCode]
    // MCP has these for itself.
    const isReserved = rpc <= -32020 && rpc >= -32099
    const error = {
      code: isReserved ? builtInErrors.invalid_request.rpc : rpc,
      message: problem.title,
      data: problem,
    }
    return ['application/json', { jsonrpc: '2.0', error }]
  },
}

/** The protocol of a request, by its method and path. REST has all that no endpoint of another protocol has. */
export function protocolOf({ method, url = '/' }: IncomingMessage): Protocol {
  const address = `${method} ${pathOf(url).replace(versionOfPath, '/')}`
  return endpointProtocols.find((protocol) => endpoints[protocol] === address) ?? 'rest'
}

/** Each version has its own addresses: /1.1.0 is as `/`. */
const versionOfPath = /^\/v?\d[^/]*(\/|$)/
/** The address of each protocol whose calls all have one. */
const endpoints: Readonly<Record<Exclude<Protocol, 'rest'>, string>> = {
  jsonrpc: 'POST /',
  mcp: 'POST /mcp',
}
const endpointProtocols = Object.keys(endpoints) as readonly (keyof typeof endpoints)[]

/** Answers OPTIONS with the methods of a path (RFC 9110 section 9.3.7). */
export function answerOptions(request: IncomingMessage, response: ServerResponse, allow: string): void {
  const headers: OutgoingHttpHeaders = { allow, 'x-request-id': requestIdOf(request.headers['x-request-id']) }
  if (leavesBody(request)) headers.connection = 'close'
  response.writeHead(204, headers).end()
}

const longBody = 1024 * 1024

/** Whether a request body is still due that may be too long to read and discard. */
function leavesBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > longBody
}
