import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ProblemError } from 'duet-runtime'
import { checkedSignIn, credentialIn, passkeyHost, signInOptions } from '../../identity/passkey.js'
import { recoveryDigest } from '../../identity/recovery-codes.js'
import { acceptedStep } from '../../identity/totp.js'
import type { SignInUser } from '../../storage/tables/identity/users.js'
import { localPath } from '../form.js'
import { openTotp } from '../security/app.js'
import { stepCookieOf, stepIn } from '../session-cookie.js'
import type { Area, PageResult, Visit } from '../visit.js'
import { limited, waitIn } from './limited.js'
import { openSession } from './open-session.js'
import { signInPath } from './sign-in-path.js'

/** Leads a user with a right password to the second step. The cookie says who it is, for five minutes. */
export function toSecondStep(
  { signer }: Area,
  { isSecure }: Visit,
  { user, passwordHash }: SignInUser,
  next: string,
): PageResult {
  const step = signer.sign(stepPurpose, JSON.stringify({ id: user.id, password: markOf(passwordHash) }))
  return { to: pathOf(next), headers: { 'set-cookie': stepCookieOf(step, isSecure) } }
}

export async function showSecondStep(area: Area, visit: Visit): Promise<PageResult> {
  const next = localPath(visit.query.get('next'))
  const found = await userOfStep(area, visit)
  if (found === undefined) return { to: signInPath(next, 'late') }
  const wait = waitIn(visit.query)
  if (wait !== undefined) {
    const page = await secondStepPage(area, visit, found, next, { status: 429, fault: wait.fault })
    return { ...page, headers: wait.headers, isAgain: true }
  }
  const fault = faults.get(visit.query.get('done') ?? '')
  if (fault === undefined) return secondStepPage(area, visit, found, next, {})
  return { ...(await secondStepPage(area, visit, found, next, { status: 403, fault })), isAgain: true }
}

/** Checks a code of the app, a recovery code or a passkey, and opens the session. */
export async function takeSecondStep(area: Area, visit: Visit): Promise<PageResult> {
  const next = localPath(visit.form.get('next'))
  const found = await userOfStep(area, visit)
  if (found === undefined) return { to: signInPath(next, 'late') }
  const { user } = found
  const passkey = visit.form.get('passkey') ?? ''
  const code = (visit.form.get('code') ?? '').replace(/\s/g, '')
  try {
    const by = await area.attempt(
      visit.request,
      { subject: `second step ${user.id}`, login: user.login },
      () => (passkey === '' ? codeOf(area, visit, found, code) : passkeyOf(area, visit, found, passkey)),
    )
    const opened = by && (await openSession(area, visit, found, next, by))
    if (opened !== undefined) return opened
    return { to: pathOf(next, passkey === '' ? 'code' : 'passkey'), status: 403 }
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'rate_limited') throw error
    return limited(pathOf(next, 'limited'), error)
  }
}

const stepPurpose = 'second step'

/** What the page says after a refusal. Its reload sends no code again. */
const faults = new Map([
  ['code', 'This code is wrong, or was used already.'],
  ['passkey', 'This passkey was not accepted.'],
])

/** The active user whose password was right, unless it has changed since. */
async function userOfStep(area: Area, { request, isSecure }: Visit): Promise<SignInUser | undefined> {
  const text = area.signer.open(stepPurpose, stepIn(request as IncomingMessage, isSecure) ?? '')
  if (text === undefined) return undefined
  const { id, password } = JSON.parse(text) as { readonly id: number; readonly password: string }
  const found = await area.userOf(id)
  return found !== undefined && markOf(found.passwordHash) === password ? found : undefined
}

async function codeOf(area: Area, visit: Visit, { user }: SignInUser, code: string) {
  if (/^\d{6}$/.test(code)) {
    const secret = await area.factors.secretOf(user.id)
    if (secret?.isConfirmed !== true) return undefined
    const step = acceptedStep(openTotp(area, user.id, secret.sealed), code, Date.now(), secret.lastStep)
    return step !== undefined && (await area.factors.useStep(user.id, step)) ? 'app' : undefined
  }
  const actor = { ...visit.actorOf(user), operation: 'admin.recovery-codes.use' }
  return (await area.factors.useCode(actor, user.id, recoveryDigest(user.id, code)))
    ? 'recovery code'
    : undefined
}

async function passkeyOf(area: Area, { origin }: Visit, { user }: SignInUser, answer: string) {
  const passkey = await area.passkeys.find(credentialIn(answer) ?? '')
  if (passkey === undefined || passkey.userId !== user.id) return undefined
  const checked = await checkedSignIn(answer, passkey, `second step ${user.id}`, origin, area.signer)
  if (checked === undefined) return undefined
  return (await area.passkeys.used(passkey.id, checked.counter, checked.challenge)) ? 'passkey' : undefined
}

async function secondStepPage(
  area: Area,
  { origin }: Visit,
  { user }: SignInUser,
  next: string,
  { status = 200, fault }: { readonly status?: number; readonly fault?: string },
) {
  const [{ hasApp }, known] = await Promise.all([area.factors.of(user.id), area.passkeys.list(user.id)])
  const rpId = passkeyHost(origin)
  const usable = known.filter((passkey) => passkey.rpId === rpId)
  return {
    page: 'second-step',
    title: 'Second step',
    status,
    data: {
      next,
      fault,
      // Only then is it what was typed.
      isWrong: status === 403,
      hasApp,
      needsPasskeys: usable.length > 0,
      ...(rpId !== undefined &&
        usable.length > 0 && {
          options: await signInOptions(rpId, `second step ${user.id}`, area.signer, usable),
        }),
      ...(known.length > usable.length && usable.length === 0 && { elsewhere: known[0]?.rpId }),
    },
  }
}

function pathOf(next: string, done?: 'code' | 'passkey' | 'limited'): string {
  const query = new URLSearchParams({ ...(done && { done }), ...(next !== '/admin/' && { next }) })
  return query.size === 0 ? '/admin/sign-in/second-step' : `/admin/sign-in/second-step?${query}`
}

/** Tells one password's hash from the next, and reveals nothing of it. */
function markOf(passwordHash: string | null): string {
  return createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url')
}
