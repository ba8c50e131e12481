import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { builtInErrors, ProblemError, toProblem } from '@duet/runtime'

/** Answers with text, without its body to a HEAD. */
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
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** Answers with a problem of the runtime's catalogue (RFC 9457). */
export function answerProblem(
  request: IncomingMessage,
  response: ServerResponse,
  code: keyof typeof builtInErrors,
  detail: string,
  headers: OutgoingHttpHeaders = {},
): void {
  const problem = toProblem(new ProblemError(code, { detail }), builtInErrors)
  answer(request, response, problem.status, 'application/problem+json', JSON.stringify(problem), headers)
}

/** Path of a request, without its query. */
export function pathOf(request: IncomingMessage): string {
  const target = request.url ?? '/'
  const end = target.search(/[?#]/)
  return end === -1 ? target : target.slice(0, end)
}
