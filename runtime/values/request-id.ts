import { randomUUID } from 'node:crypto'

/** The caller's own request id (`X-Request-Id`) where it is fit for a log and a header, else a fresh one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID()
}

const REQUEST_ID = /^[\w.:-]{1,128}$/
