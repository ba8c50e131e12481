import { ProblemError } from 'duet-runtime'
import { makeApiKey } from '../identity/api-key.js'
import { hashPassword } from '../identity/password.js'
import type { AccountRecord, Outcome } from '../storage/tables/accounts.js'
import type { Faults } from './form.js'
import { readPasswordForm } from './password-form.js'
import { cookieOf } from './session-cookie.js'
import { shownWait } from './shown.js'
import { accountOf, openKey, type UserPageState, userPage } from './user-page.js'
import { isDone, refusal } from './users.js'
import { type Area, noSuchPage, type PageResult, type SignedIn } from './visit.js'

/** Shows the key, and records that in the audit trail. */
export async function showKey(area: Area, visit: SignedIn): Promise<PageResult> {
  const account = await accountOf(area, visit)
  if (account === undefined) return noSuchPage
  const sealed = await area.accounts.readKey(visit.actor, account.id)
  return userPage(area, visit, account, sealed === undefined ? {} : { apiKey: openKey(area, sealed) })
}

/** Replaces the key, if any, with a new one and shows it. */
export async function rotateKey(area: Area, visit: SignedIn): Promise<PageResult> {
  const account = await accountOf(area, visit)
  if (account === undefined) return noSuchPage
  const apiKey = makeApiKey()
  const sealed = { digest: area.vault.digest(apiKey), ciphertext: area.vault.seal(apiKey) }
  const outcome = await area.accounts.setKey(visit.actor, account.id, versionOf(visit), sealed)
  const notice = account.hasApiKey
    ? 'The key is replaced. Calls with the old one now get 401.'
    : 'The user has a key now.'
  if (isDone(outcome)) return afterwards(area, visit, account, { apiKey, notice })
  const earlier = outcome === 'stale' ? await sentBefore(area, visit, account) : undefined
  if (earlier === undefined) return afterwards(area, visit, account, refusal(outcome))
  return afterwards(area, visit, account, {
    notice: earlier.before?.has_api_key
      ? 'You have already replaced the key. It was not replaced again. Show the key to see it.'
      : 'You have already created a key. No other was created. Show the key to see it.',
  })
}

/**
 * The entry of an earlier submission of this form, for a browser that reloads the answer. Undefined if there was none
 * or something has changed since.
 */
async function sentBefore({ audit }: Area, visit: SignedIn, { id, version }: AccountRecord) {
  const entity = { name: 'user', id: String(id) }
  const entries = await audit.search({ limit: 25, entity, userId: visit.user.id })
  return entries.find(
    ({ operation, before, after }) =>
      operation === visit.actor.operation &&
      before?.version === versionOf(visit) &&
      after?.version === version,
  )
}

export async function revokeKey(area: Area, visit: SignedIn): Promise<PageResult> {
  const account = await accountOf(area, visit)
  if (account === undefined) return noSuchPage
  const outcome = await area.accounts.setKey(visit.actor, account.id, versionOf(visit), null)
  return isDone(outcome)
    ? { to: `/admin/users/${account.id}?done=revoked` }
    : afterwards(area, visit, account, refusal(outcome))
}

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

async function currentFault(area: Area, visit: SignedIn, { login }: AccountRecord): Promise<Faults> {
  const current = visit.form.get('current') ?? ''
  if (current === '') return { current: 'Enter your current password.' }
  try {
    await area.verify(visit.request, login, current)
    return {}
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    if (error.code === 'invalid_credentials') return { current: 'This is not your password.' }
    if (error.code !== 'rate_limited') throw error
    return { current: `Too many attempts. Try again in ${shownWait(error.retryAfter ?? 60)}.` }
  }
}
