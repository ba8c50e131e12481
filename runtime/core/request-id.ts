import { randomUUID } from 'node:crypto'

/** The caller's own request id (`X-Request-Id`) where it is fit for a log and a header, else a fresh one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID()
}

// What begins as an API key or a JWT does is hidden by logs, and may be one in the wrong header.
const REQUEST_ID = /^(?!bk_|eyJ)[\w.:-]{1,128}$/
