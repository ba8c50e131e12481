import type { ProblemError } from 'duet-runtime'
import type { Principal } from '../identity/principal.js'
import { problem } from '../problem.js'
import type { Storage } from '../storage/storage.js'
import type { ClientsHandlers } from './api.js'

/** Clients of the caller's Reseller. All others are `not_found`, like clients that do not exist. */
export function clientsHandlers(storage: Storage): ClientsHandlers<Principal> {
  return {
    search: (search, { principal }) => storage.as(principal).clients.search(search),
    async get({ id }, { principal }) {
      const client = await storage.as(principal).clients.get(id)
      if (client === undefined) throw noClient(id)
      return client
    },
    async update({ id, expected_version, idempotency_key, ...changes }, context) {
      const { operation, principal, protocol, requestId } = context
      const client = await storage.as(principal).clients.update(id, changes, {
        author: { userId: principal.userId, operation, protocol, requestId },
        expectedVersion: expected_version === anyVersion ? undefined : expected_version,
        idempotencyKey: idempotency_key,
      })
      if (client === undefined) throw noClient(id)
      return client
    },
  }
}

/** RFC 9110 section 13.1.1. */
const anyVersion = '*'

function noClient(id: number): ProblemError {
  return problem('not_found', { detail: `There is no client ${id}.` })
}
