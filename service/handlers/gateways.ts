import type { Principal } from '../identity/principal.js'
import type { Storage } from '../storage/storage.js'
import type { LnpGatewaysHandlers } from './api.js'

/** Number portability gateways. */
export function gatewaysHandlers(storage: Storage): LnpGatewaysHandlers<Principal> {
  return {
    search: (search, { principal }) => storage.as(principal).gateways.search(search),
  }
}
