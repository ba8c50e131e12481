import type { Client as Client1_0 } from '@billing/api/1.0.0'
import type { Client } from '@billing/api/1.1.0'
import type { Adapter } from 'duet-runtime'

/** How 1.1.0 serves the operations of 1.0.0. */
export const adapter1_0: Adapter = {
  'clients.get': { result: withoutVersion },
  'clients.update': { result: withoutVersion },
}

function withoutVersion({ version: _, ...client }: Client): Client1_0 {
  return client
}
