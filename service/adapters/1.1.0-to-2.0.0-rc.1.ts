import type { Adapter } from 'duet-runtime'
import type { Identity } from '../identity/identity.js'
import { jwtHandlers } from './jwt.js'
import { inPages } from './pages.js'

/** How 2.0.0-rc.1 serves the operations of 1.1.0. */
export function adapter1_1(identity: Identity): Adapter {
  const { authenticate, refresh } = jwtHandlers(identity)
  return {
    'accounting.currencies.list': { to: 'accounting.currencies.search' },
    'clients.search': inPages('clients.search'),
    'lnp.gateways.search': inPages('lnp.gateways.search'),
    'iam.auth.jwt.authenticate': { handle: authenticate },
    'iam.auth.jwt.refresh': { handle: refresh },
  }
}
