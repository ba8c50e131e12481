import type { OutgoingHeaders } from '../../contract/reply.js'
import type { Exchange } from '../../http/exchange.js'
import type { Answer } from '../../server/answer.js'
import type { Failure } from '../../server/outcome.js'
import { jsonText } from '../../values/json-text.js'

/** Answers with a result's JSON text; a status that has no body (RFC 9110 section 15.3.5) goes without. */
export function sendResult<P>(
  exchange: Exchange<P>,
  status: number,
  type: string,
  text: string,
  headers: Readonly<OutgoingHeaders>,
): void {
  if (status === 204 || status === 205 || status === 304) exchange.send(status, { ...headers })
  else exchange.send(status, { 'Content-Type': type, ...headers }, text)
}

/** Answers with a file, a text or a stream. */
export async function sendAnswer<P>(
  exchange: Exchange<P>,
  status: number,
  { type, content }: Answer,
  headers: Readonly<OutgoingHeaders>,
): Promise<void> {
  const typed = { 'Content-Type': type, ...headers }
  if (typeof content === 'string') exchange.send(status, typed, content)
  else await exchange.stream(status, typed, content)
}

/**
 * Answers with a problem document (RFC 9457), or the body that the document has in its place. That need not tell the code,
 * and an answer to HEAD has no body, so a header does.
 */
export function sendProblem<P>(
  exchange: Exchange<P>,
  { problem, bodyOf }: Failure,
  headers: Readonly<OutgoingHeaders>,
): void {
  const body = bodyOf?.(problem)
  exchange.send(
    problem.status,
    {
      'Content-Type': body?.type ?? 'application/problem+json',
      ...((body !== undefined || exchange.request.method === 'HEAD') && { 'Problem-Code': problem.code }),
      ...headers,
    },
    body?.text ?? jsonText(problem),
  )
}
