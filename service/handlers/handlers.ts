import type { Identity } from '../identity/identity.js'
import type { Principal } from '../identity/principal.js'
import type { Storage } from '../storage/storage.js'
import type { Handlers } from './api.js'
import { clientsHandlers } from './clients.js'
import { currenciesHandlers } from './currencies.js'
import { gatewaysHandlers } from './gateways.js'
import { jwtHandlers } from './jwt.js'

/** Every operation of the API. */
export function createHandlers(storage: Storage, identity: Identity): Handlers<Principal> {
  return {
    'accounting.currencies': currenciesHandlers(storage),
    clients: clientsHandlers(storage),
    'iam.auth.jwt': jwtHandlers(identity),
    'lnp.gateways': gatewaysHandlers(storage),
  }
}
