import { type AuditStore, auditStore } from './audit.js'
import { type ClientStore, clientStore } from './clients.js'
import { type CurrencyStore, currencyStore } from './currencies.js'
import type { Queryable } from './database.js'
import { type GatewayStore, gatewayStore } from './gateways.js'
import type { Recent } from './recent.js'
import { type Scope, within } from './scope.js'

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
  readonly audit: AuditStore
  readonly clients: ClientStore
  readonly currencies: CurrencyStore
  readonly gateways: GatewayStore
}

/** @param recent what may be answered from memory; undefined: nothing */
export function createStorage(database: Queryable, recent?: Recent): Storage {
  const currencies = currencyStore(database, recent?.rates)
  const gateways = gatewayStore(database)
  return {
    as(principal) {
      const scoped = within(database, principal)
      return {
        audit: auditStore(scoped, principal),
        clients: clientStore(scoped, principal),
        currencies,
        gateways,
      }
    },
  }
}
