import type { Data } from '../data/data.js'
import { createStepSigner } from '../identity/step-signer.js'
import type { Admission } from '../limits/admission.js'
import type { Settings } from '../settings/settings.js'
import { auditStore } from '../storage/tables/audit.js'
import { accountStore } from '../storage/tables/identity/accounts.js'
import { adminSessionStore } from '../storage/tables/identity/admin-sessions.js'
import { apiKeyStore } from '../storage/tables/identity/api-keys.js'
import { factorStore } from '../storage/tables/identity/factors.js'
import { passkeyStore } from '../storage/tables/identity/passkeys.js'
import { findActive } from '../storage/tables/identity/users.js'
import { resellerStore } from '../storage/tables/resellers.js'
import type { UsageArea } from '../usage/area.js'
import type { Overview } from '../usage/overview.js'
import { digestOf } from './session-cookie.js'
import { beginningOf } from './users/shown-key.js'
import type { Area } from './visit.js'

/** The administration area over an open database. No Reseller limits its administrators. */
export function areaOf(
  { database, secret, vault, sealer }: Pick<Data, 'database' | 'secret' | 'vault' | 'sealer'>,
  admission: Pick<Admission, 'verify' | 'find' | 'attempt'>,
  { systemTimezone, trustedProxies }: Pick<Settings, 'systemTimezone' | 'trustedProxies'>,
  { usage, overview }: { readonly usage: UsageArea; readonly overview: Overview },
): Area {
  const sessions = adminSessionStore(database)
  return {
    accounts: accountStore(database),
    resellers: resellerStore(database),
    sessions,
    sessionOf: (request, token) => admission.find(request, token, () => sessions.use(digestOf(token))),
    audit: auditStore(database, { resellerId: null }),
    userOf: (id) => findActive(database, id),
    keys: apiKeyStore(database, (key) => beginningOf({ vault }, key)),
    factors: factorStore(database),
    passkeys: passkeyStore(database),
    vault,
    sealer,
    signer: createStepSigner(secret),
    verify: (request, ...credentials) => admission.verify(request, ...credentials),
    attempt: (...attempt) => admission.attempt(...attempt),
    usage,
    overview,
    systemTimezone,
    trustedProxies,
  }
}
