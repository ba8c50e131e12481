import type { Principal } from '../identity/principal.js'
import { problem } from '../problem.js'
import type { Storage } from '../storage/storage.js'
import type { LnpGatewaysHandlers } from './api.js'

/** Number portability gateways. */
export function gatewaysHandlers(storage: Storage): LnpGatewaysHandlers<Principal> {
  return {
    search: (search, { principal }) => storage.as(principal).gateways.search(search),
    async get({ id }, { principal }) {
      const gateway = await storage.as(principal).gateways.get(id)
      if (gateway === undefined) throw problem('not_found', { detail: `There is no gateway ${id}.` })
      return gateway
    },
  }
}
