import type { IncomingMessage } from 'node:http'
import { type Contract, ProblemError } from 'duet-runtime'

/** The behaviour that a caller requests by headers, for every call of one request. */
export interface RequestedBehaviour {
  /** Milliseconds to wait before reading the request: `X-Mock-Delay`. */
  readonly delay: number
  /** The error for all calls: `X-Mock-Error`, a code of the error catalogue; or an error for an invalid header. */
  readonly error: ProblemError | undefined
}

/** Maximum milliseconds that a caller can request. */
const longestDelay = 60_000

export function requestedBehaviour({ headers }: IncomingMessage, { errors }: Contract): RequestedBehaviour {
  const asked = headers['x-mock-delay']
  const delay = typeof asked === 'string' && /^\d{1,6}$/.test(asked) ? Number(asked) : 0
  if (asked !== undefined && (asked !== String(delay) || delay > longestDelay)) {
    return {
      delay: 0,
      error: wrong(`X-Mock-Delay is not a number of milliseconds from 0 to ${longestDelay}.`),
    }
  }
  const code = headers['x-mock-error']
  if (code === undefined || code === '') return { delay, error: undefined }
  const known = typeof code === 'string' && Object.hasOwn(errors, code)
  const codes = Object.keys(errors).sort().join(', ')
  const error = known
    ? new ProblemError(code, { detail: 'Requested by X-Mock-Error.' })
    : wrong(`X-Mock-Error is not a code of the catalogue: ${codes}.`)
  return { delay, error }
}

function wrong(detail: string): ProblemError {
  return new ProblemError('invalid_request', { detail })
}
