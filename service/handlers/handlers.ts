import type { Storage } from '../storage/storage.js'
import type { Handlers } from './api.js'
import { clientsHandlers } from './clients.js'
import { currenciesHandlers } from './currencies.js'
import { gatewaysHandlers } from './gateways.js'

/** Every operation of the newest version. */
export function createHandlers(storage: Storage): Handlers {
  return {
    'accounting.currencies': currenciesHandlers(storage),
    clients: clientsHandlers(storage),
    'lnp.gateways': gatewaysHandlers(storage),
  }
}
