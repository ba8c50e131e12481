import type { Admission } from '../limits/admission.js'
import type { Data } from '../server/data.js'
import type { Settings } from '../settings.js'
import { accountStore, findLogin } from '../storage/accounts.js'
import { adminSessionStore } from '../storage/admin-sessions.js'
import { auditStore } from '../storage/audit.js'
import { resellerStore } from '../storage/resellers.js'
import { digestOf } from './session-cookie.js'
import type { Area } from './visit.js'

/** The administration area over an opened database. Its administrators are limited by no Reseller. */
export function areaOf(
  { database, vault }: Pick<Data, 'database' | 'vault'>,
  admission: Pick<Admission, 'verify' | 'find'>,
  { systemTimezone, trustedProxies }: Pick<Settings, 'systemTimezone' | 'trustedProxies'>,
): Area {
  const sessions = adminSessionStore(database)
  return {
    accounts: accountStore(database),
    resellers: resellerStore(database),
    sessions,
    sessionOf: (request, token) => admission.find(request, token, () => sessions.use(digestOf(token))),
    audit: auditStore(database, { resellerId: null }),
    findLogin: (login) => findLogin(database, login),
    vault,
    verify: (request, ...credentials) => admission.verify(request, ...credentials),
    systemTimezone,
    trustedProxies,
  }
}
