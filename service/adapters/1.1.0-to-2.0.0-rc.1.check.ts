import type { SignedIn } from '../identity/identity.js'
import { adapter as adapterFor } from './1.1.0-to-2.0.0-rc.1.js'
import type { SenderIdentity } from './jwt.js'

const issued: SignedIn = {
  token: 'token',
  expiresAt: '2026-01-01T00:00:00Z',
  principal: { userId: 1, login: 'one', role: 'user', resellerId: null, timezone: undefined },
}

const identity = {
  login: () => Promise.resolve(issued),
  refresh: () => Promise.resolve(issued),
} satisfies SenderIdentity

/** What `duet adapt --check` and the gate of reviews try. */
export const adapter = adapterFor(identity)

export const context = { request: { method: 'POST', headers: {}, address: '127.0.0.1' } }
