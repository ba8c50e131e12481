import type { Client as Client1_0 } from '@billing/api/1.0.0'
import type { Client } from '@billing/api/1.1.0'
import type { Adapter } from 'duet-runtime'
import type { Identity } from '../identity/identity.js'
import { adapter as from1_0 } from './1.0.0-to-1.1.0.js'
import { adapter as from1_1 } from './1.1.0-to-2.0.0-rc.1.js'

/** How each version is served by the next one. */
export function createAdapters(identity: Identity): Readonly<Record<string, Adapter>> {
  return {
    '1.0.0': {
      ...from1_0,
      // Open results may have more members, but callers of 1.0.0 see what they always saw.
      'clients.get': { result: withoutVersion },
      'clients.update': { ...from1_0['clients.update'], result: withoutVersion },
    },
    '1.1.0': from1_1(identity),
  }
}

function withoutVersion({ version: _, ...client }: Client): Client1_0 {
  return client
}
