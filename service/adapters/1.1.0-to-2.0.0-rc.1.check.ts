import type { Identity, IssuedToken } from '../identity/identity.js'
import { adapter as adapterFor } from './1.1.0-to-2.0.0-rc.1.js'

const issued: IssuedToken = { token: 'token', expiresAt: '2026-01-01T00:00:00Z' }

const identity = {
  login: () => Promise.resolve(issued),
  refresh: () => Promise.resolve(issued),
} satisfies Partial<Identity>

/** What `duet adapt --check` and the gate of reviews try. */
export const adapter = adapterFor(identity as unknown as Identity)
