import { ProblemError } from '@duet/runtime'
import type { Principal } from '../identity/principal.js'
import type { Storage } from '../storage/storage.js'
import type { ClientsHandlers } from './api.js'

/** Clients of the caller's Reseller; any other answers `not_found`, as one that does not exist. */
export function clientsHandlers(storage: Storage): ClientsHandlers<Principal> {
  return {
    search: (search, { principal }) => storage.as(principal).clients.search(search),
    async get({ id }, { principal }) {
      const client = await storage.as(principal).clients.get(id)
      if (client === undefined) throw noClient(id)
      return client
    },
    async update({ id, ...changes }, { principal }) {
      const client = await storage.as(principal).clients.update(id, changes)
      if (client === undefined) throw noClient(id)
      return client
    },
  }
}

function noClient(id: number): ProblemError {
  return new ProblemError('not_found', { detail: `There is no client ${id}.` })
}
