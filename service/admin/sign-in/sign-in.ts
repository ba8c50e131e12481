import { ProblemError } from 'duet-runtime'
import { passkeyHost, signInOptions } from '../../identity/passkey.js'
import { nameLength } from '../../identity/rules.js'
import { localPath } from '../form.js'
import { cookieOf, tokenOf, typedCookieOf, typedIn } from '../session-cookie.js'
import type { Area, PageResult, SignedIn, Visit } from '../visit.js'
import { limited, waitIn } from './limited.js'
import { openSession } from './open-session.js'
import { signInPurpose } from './passkey-sign-in.js'
import { toSecondStep } from './second-step.js'
import { signInPath } from './sign-in-path.js'

/** The page for signing in. Redirects a signed-in user. */
export async function showSignIn(area: Area, visit: Visit): Promise<PageResult> {
  const token = tokenOf(visit.request, visit.isSecure)
  const next = localPath(visit.query.get('next'))
  if (token !== undefined && (await area.sessionOf(visit.request, token)) !== undefined) return { to: next }
  if (visit.query.get('done') === 'in') return signInPage(area, visit, next, '', { fault: unkept })
  if (visit.query.get('done') === 'wrong') {
    const login = typedIn(visit.request, visit.isSecure)
    return { ...(await signInPage(area, visit, next, login, wrong)), isAgain: true }
  }
  const wait = waitIn(visit.query)
  if (wait !== undefined) {
    const login = typedIn(visit.request, visit.isSecure)
    const page = await signInPage(area, visit, next, login, { status: 429, fault: wait.fault })
    return { ...page, headers: wait.headers, isAgain: true }
  }
  if (visit.query.get('done') === 'key') return signInPage(area, visit, next, '', { fault: refusedKey })
  const text = words.get(visit.query.get('done') ?? '')
  return signInPage(area, visit, next, '', {
    text: text ?? (visit.query.has('next') ? 'Sign in to continue.' : undefined),
  })
}

export async function signIn(area: Area, visit: Visit): Promise<PageResult> {
  const login = visit.form.get('login') ?? ''
  const next = localPath(visit.form.get('next'))
  try {
    const found = await area.verify(visit.request, login, visit.form.get('password') ?? '')
    const { hasApp, passkeys } = await area.factors.of(found.user.id)
    if (hasApp || passkeys > 0) return toSecondStep(area, visit, found, next)
    return (await openSession(area, visit, found, next)) ?? refused(visit, next, login)
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    if (error.code === 'invalid_credentials') return refused(visit, next, login)
    if (error.code !== 'rate_limited') throw error
    return limited(signInPath(next, 'limited'), error, typedCookie(visit, login))
  }
}

export async function signOut({ sessions }: Area, visit: SignedIn): Promise<PageResult> {
  await sessions.close(visit.digest)
  return {
    to: '/admin/sign-in?done=signed-out',
    headers: { 'set-cookie': cookieOf(undefined, visit.isSecure) },
  }
}

/** Leads to the page that says so, whose reload sends no password again. */
function refused(visit: Visit, next: string, login: string): PageResult {
  const cookie = typedCookie(visit, login)
  return { to: signInPath(next, 'wrong'), status: wrong.status, headers: { 'set-cookie': cookie } }
}

function typedCookie({ isSecure }: Visit, login: string): string {
  return typedCookieOf(login.slice(0, nameLength.login), isSecure)
}

const wrong = { status: 403, fault: 'The login or the password is wrong.' }

const unkept =
  'You have signed in, but your browser has not kept the session. Let it keep the cookies of this site, and sign in again.'

const refusedKey = 'This passkey was not accepted here. Try again, or sign in with your password.'

const words = new Map([
  ['late', 'That took too long, or your password has changed. Sign in again.'],
  ['lost', 'Your session had ended, and nothing was saved. Sign in to continue.'],
  ['signed-out', 'You are signed out.'],
  ['ended', 'Your session has ended.'],
  ['all-ended', 'All your sessions have ended.'],
  ['password', 'Your password is changed, and all your sessions have ended. Sign in with the new one.'],
])

interface SignInState {
  readonly status?: number
  readonly fault?: string
  readonly text?: string | undefined
}

async function signInPage(
  area: Area,
  { origin }: Visit,
  next: string,
  login: string,
  { status = 200, fault, text }: SignInState,
) {
  const rpId = passkeyHost(origin)
  return {
    page: 'sign-in',
    title: 'Sign in',
    status,
    data: {
      next,
      // No login is longer, and anonymous callers can send any text.
      login: login.slice(0, nameLength.login),
      fault,
      // Only then is it what was typed.
      isWrong: status === 403,
      text,
      isNew: login === '',
      ...(rpId !== undefined && {
        needsPasskeys: true,
        options: await signInOptions(rpId, signInPurpose, area.signer),
      }),
    },
  }
}
