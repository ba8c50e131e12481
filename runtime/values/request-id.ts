import { randomUUID } from 'node:crypto'

/** The caller's request id (`X-Request-Id`) if it is safe for a log and a header, else a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID()
}

const REQUEST_ID = /^[\w.:-]{1,128}$/
