import { derived, type Written } from './1.1.0-to-2.0.0-rc.1.derived.js'
import { jwtHandlers, type SenderIdentity } from './jwt.js'
import { inPages } from './pages.js'

const written = (identity: SenderIdentity): Written => {
  const { authenticate, refresh } = jwtHandlers(identity)
  return {
    'clients.search': {
      handle: (params, _context, call) => inPages(params, (page) => call('clients.search', page)),
    },
    'iam.auth.jwt.authenticate': { handle: authenticate },
    'iam.auth.jwt.refresh': { handle: refresh },
    'lnp.gateways.search': {
      handle: (params, _context, call) => inPages(params, (page) => call('lnp.gateways.search', page)),
    },
  }
}

/** How 2.0.0-rc.1 serves calls of 1.1.0. */
export const adapter = (identity: SenderIdentity) => ({ ...derived, ...written(identity) })
