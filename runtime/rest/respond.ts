import type { Failure } from '../core/outcome.js'
import type { Exchange } from '../http/exchange.js'

/** Answers with a result's JSON text; a status that has no body (RFC 9110 section 15.3.5) goes without. */
export function sendResult<P>(
  exchange: Exchange<P>,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>>,
): void {
  if (status === 204 || status === 205 || status === 304) exchange.send(status, { ...headers })
  else exchange.send(status, { 'Content-Type': 'application/json', ...headers }, text)
}

/** Answers with a problem document (RFC 9457). */
export function sendProblem<P>(
  exchange: Exchange<P>,
  { problem }: Failure,
  headers: Readonly<Record<string, string>>,
): void {
  exchange.send(
    problem.status,
    { 'Content-Type': 'application/problem+json', ...headers },
    JSON.stringify(problem),
  )
}
