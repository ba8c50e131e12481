import type { Queryable } from './database/database.js'
import { type AuditStore, auditStore } from './tables/audit.js'
import { type ClientStore, clientStore } from './tables/clients.js'
import { type CurrencyStore, currencyStore } from './tables/currencies.js'
import { type GatewayStore, gatewayStore } from './tables/gateways.js'
import type { Recent } from './tables/recent.js'
import { type Scope, within } from './tables/scope.js'

export type { ClientSearch } from './tables/clients.js'
export type { GatewaySearch } from './tables/gateways.js'

/** The handlers' only access to the database. Every access needs a principal's scope. */
export interface Storage {
  /**
   * The data that the principal may see and change.
   * @throws ProblemError `unauthenticated` without a principal
   */
  as(principal: Scope | undefined): ScopedStorage
}

interface ScopedStorage {
  readonly audit: AuditStore
  readonly clients: ClientStore
  readonly currencies: CurrencyStore
  readonly gateways: GatewayStore
}

/** @param recent caches; undefined: none */
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
