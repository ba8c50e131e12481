import type { OutgoingHeaders } from '../../contract/reply.js'
import type { Exchange } from '../../http/exchange.js'
import type { Failure } from '../../server/outcome/outcome.js'
import type { MediaResult } from '../../server/result/media-result.js'
import { jsonText } from '../../values/json-text.js'

/** Sends a result's JSON text; omits it for a status without a body (RFC 9110 section 15.3.5). */
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

/** Sends a file, a text or a stream. */
export async function sendAnswer<P>(
  exchange: Exchange<P>,
  status: number,
  { type, kind, content }: MediaResult,
  headers: Readonly<OutgoingHeaders>,
): Promise<void> {
  const typed = { 'Content-Type': type, ...headers }
  if (typeof content === 'string') exchange.send(status, typed, content)
  else if (kind !== 'events' || content instanceof Blob) await exchange.stream(status, typed, content)
  else await exchange.events(status, typed, content)
}

/**
 * Sends a problem document (RFC 9457), or the document's own error body. That body need not contain the code,
 * and a response to HEAD has no body, so a header carries the code.
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
