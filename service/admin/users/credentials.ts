import { hashPassword } from '../../identity/password.js'
import type { AccountRecord, Outcome } from '../../storage/tables/identity/accounts.js'
import { cookieOf } from '../session-cookie.js'
import { type Area, noSuchPage, type PageResult, type SignedIn } from '../visit.js'
import { currentFault, readPasswordForm } from './password-form.js'
import { accountOf, type UserPageState, userPage } from './user-page.js'
import { isDone, refusal } from './users.js'

/** Sets a password. The database ends all sessions of the user. */
export async function changePassword(area: Area, visit: SignedIn): Promise<PageResult> {
  const account = await accountOf(area, visit)
  if (account === undefined) return noSuchPage
  const isOwn = account.id === visit.user.id
  const { password, faults } = readPasswordForm(visit.form)
  const passwordFaults = { ...(isOwn && (await currentFault(area, visit, account))), ...faults }
  if (Object.keys(passwordFaults).length > 0)
    return userPage(area, visit, account, { status: 422, passwordFaults })
  const hash = await hashPassword(password)
  const outcome: Outcome = await area.accounts.setPassword(visit.actor, account.id, versionOf(visit), hash)
  if (!isDone(outcome)) return afterwards(area, visit, account, refusal(outcome))
  return isOwn ? signedOut('password', visit) : { to: `/admin/users/${account.id}?done=password` }
}

/** Ends the session in the path, or all sessions of the user. */
export async function endSessions(area: Area, visit: SignedIn): Promise<PageResult> {
  const account = await accountOf(area, visit)
  if (account === undefined) return noSuchPage
  const { session } = visit.named
  const { id, login, role, resellerId } = account
  await area.sessions.revoke(visit.actor, { id, login, role, resellerId, timezone: undefined }, session)
  const isThis = session === undefined ? id === visit.user.id : session === visit.sessionId
  const done = session === undefined ? 'all-ended' : 'ended'
  return isThis ? signedOut(done, visit) : { to: `/admin/users/${id}?done=${done}` }
}

function versionOf({ form }: SignedIn): string {
  return form.get('version') ?? ''
}

async function afterwards(
  area: Area,
  visit: SignedIn,
  { id }: AccountRecord,
  state: UserPageState,
): Promise<PageResult> {
  return userPage(area, visit, await area.accounts.get(id), state)
}

function signedOut(why: string, { isSecure }: SignedIn): PageResult {
  return { to: `/admin/sign-in?done=${why}`, headers: { 'set-cookie': cookieOf(undefined, isSecure) } }
}
