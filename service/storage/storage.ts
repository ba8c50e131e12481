import { type ClientStore, clientStore } from './clients.js'
import { type CurrencyStore, currencyStore } from './currencies.js'
import type { Queryable } from './database.js'
import { type GatewayStore, gatewayStore } from './gateways.js'
import type { Scope } from './scope.js'

export type { ClientSearch } from './clients.js'
export type { GatewaySearch } from './gateways.js'

/** All that handlers get of the database: nothing can be read without saying for whom. */
export interface Storage {
  /**
   * What the principal may see and change.
   * @throws ProblemError `unauthenticated` where there is none
   */
  as(principal: Scope | undefined): ScopedStorage
}

interface ScopedStorage {
  readonly clients: ClientStore
  readonly currencies: CurrencyStore
  readonly gateways: GatewayStore
}

export function createStorage(database: Queryable): Storage {
  const currencies = currencyStore(database)
  const gateways = gatewayStore(database)
  return {
    as: (principal) => ({ clients: clientStore(database, principal), currencies, gateways }),
  }
}
