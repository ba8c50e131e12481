import type { User } from '../../storage/tables/identity/users.js'
import { cookieOf, digestOf, makeToken } from '../session-cookie.js'
import type { Area, PageResult, Visit } from '../visit.js'
import { signInPath } from './sign-in-path.js'

/**
 * Opens a session for a user who has proved to be the one. Undefined if the user was deactivated or got another password
 * meanwhile.
 * @param by the factor besides a password
 */
export async function openSession(
  { sessions }: Area,
  visit: Visit,
  { user, passwordHash }: { readonly user: User; readonly passwordHash: string | null },
  next: string,
  by?: 'app' | 'passkey' | 'recovery code',
): Promise<PageResult | undefined> {
  const token = makeToken()
  const agent = [...(visit.request.headers['user-agent'] ?? '').replace(/[^\x20-\x7e]/g, '')]
    .slice(0, 200)
    .join('')
  const actor = { ...visit.actorOf(user), operation: 'admin.sessions.open' }
  if (!(await sessions.open(actor, digestOf(token), passwordHash, agent, by))) return undefined
  return { to: signInPath(next, 'in'), headers: { 'set-cookie': cookieOf(token, visit.isSecure) } }
}
