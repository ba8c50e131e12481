import { compare, lte } from 'semver'
import type { Identity } from '../identity/identity.js'
import type { Storage } from '../storage/storage.js'
import type { Handlers, HandlersByVersion } from './api.js'
import { clientsBefore1_1, clientsHandlers } from './clients.js'
import { currenciesHandlers } from './currencies.js'
import { gatewaysHandlers } from './gateways.js'
import { jwtHandlers } from './jwt.js'

/**
 * Every operation of every version. A handler is written once, for the newest version that has its operation.
 * Older versions only translate names and shapes. The compiler checks each against its own package.
 */
export function createHandlers(storage: Storage, identity: Identity): HandlersByVersion {
  const clients = clientsHandlers(storage)
  const currencies = currenciesHandlers(storage)
  const gateways = gatewaysHandlers(storage)
  const before2 = {
    'accounting.currencies': { get_rate: currencies.get_rate, list: currencies.search },
    clients,
    'iam.auth.jwt': jwtHandlers(identity),
    'lnp.gateways': gateways,
  }
  return {
    '1.0.0': { ...before2, clients: clientsBefore1_1(clients) },
    '1.1.0': before2,
    '2.0.0-rc.1': { 'accounting.currencies': currencies, clients, 'lnp.gateways': gateways },
  }
}

/**
 * The handlers of one version. A generated version without handlers gets those of the version before it: common
 * operations are served, new ones answer `not_implemented`.
 */
export function handlersOf(handlers: HandlersByVersion, version: string): Handlers {
  const known = Object.entries<Handlers>(handlers).sort(([a], [b]) => compare(a, b))
  const [, found] = known.findLast(([name]) => lte(name, version)) ?? known[0] ?? []
  if (found === undefined) throw new Error('There are no handlers')
  return found
}
