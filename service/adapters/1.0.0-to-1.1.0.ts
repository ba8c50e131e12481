import type { Client as Client1_0 } from '@billing/api/1.0.0'
import type { Client } from '@billing/api/1.1.0'
import { derived, type Written } from './1.0.0-to-1.1.0.derived.js'

const written: Written = {}

/** How 1.1.0 serves calls of 1.0.0. Its open results may have more members, but callers see what they always saw. */
export const adapter = {
  ...derived,
  ...written,
  'clients.get': { result: withoutVersion },
  'clients.update': { ...derived['clients.update'], result: withoutVersion },
}

function withoutVersion({ version: _, ...client }: Client): Client1_0 {
  return client
}
