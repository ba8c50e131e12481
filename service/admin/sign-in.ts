import { ProblemError } from 'duet-runtime'
import { nameLength } from '../identity/rules.js'
import { localPath } from './form.js'
import { cookieOf, digestOf, makeToken, tokenOf } from './session-cookie.js'
import { shownWait } from './shown.js'
import type { Area, PageResult, SignedIn, Visit } from './visit.js'

/**
 * The path of the sign-in page, which returns to `next`. `lost`: typed data was not saved. `in`: the user has just
 * signed in, and the page redirects at once if the browser stored the session.
 */
export function signInPath(next: string, done?: 'lost' | 'in'): string {
  const path = localPath(next)
  const query = new URLSearchParams({ ...(done && { done }), ...(path !== '/admin/' && { next: path }) })
  return query.size === 0 ? '/admin/sign-in' : `/admin/sign-in?${query}`
}

export async function showSignIn({ sessionOf }: Area, visit: Visit): Promise<PageResult> {
  const token = tokenOf(visit.request, visit.isSecure)
  const next = localPath(visit.query.get('next'))
  if (token !== undefined && (await sessionOf(visit.request, token)) !== undefined) return { to: next }
  if (visit.query.get('done') === 'in') return signInPage(next, '', { fault: unkept })
  const text = words.get(visit.query.get('done') ?? '')
  return signInPage(next, '', {
    text: text ?? (visit.query.has('next') ? 'Sign in to continue.' : undefined),
  })
}

export async function signIn({ sessions, verify }: Area, visit: Visit): Promise<PageResult> {
  const login = visit.form.get('login') ?? ''
  const next = localPath(visit.form.get('next'))
  try {
    const { user, passwordHash } = await verify(visit.request, login, visit.form.get('password') ?? '')
    const token = makeToken()
    const agent = [...(visit.request.headers['user-agent'] ?? '').replace(/[^\x20-\x7e]/g, '')]
      .slice(0, 200)
      .join('')
    if (await sessions.open(visit.actorOf(user), digestOf(token), passwordHash, agent)) {
      return { to: signInPath(next, 'in'), headers: { 'set-cookie': cookieOf(token, visit.isSecure) } }
    }
    return signInPage(next, login, wrong)
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    if (error.code === 'invalid_credentials') return signInPage(next, login, wrong)
    if (error.code !== 'rate_limited') throw error
    const seconds = error.retryAfter ?? 60
    return {
      ...signInPage(next, login, {
        status: 429,
        fault: `Too many attempts. Try again in ${shownWait(seconds)}.`,
      }),
      headers: { 'retry-after': String(seconds) },
    }
  }
}

export async function signOut({ sessions }: Area, visit: SignedIn): Promise<PageResult> {
  await sessions.close(visit.digest)
  return {
    to: '/admin/sign-in?done=signed-out',
    headers: { 'set-cookie': cookieOf(undefined, visit.isSecure) },
  }
}

const wrong = { status: 403, fault: 'The login or the password is wrong.' }

const unkept =
  'You have signed in, but your browser has not kept the session. Let it keep the cookies of this site, and sign in again.'

const words = new Map([
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

function signInPage(next: string, login: string, { status = 200, fault, text }: SignInState) {
  return {
    page: 'sign-in',
    title: 'Sign in',
    status,
    // No login is longer, and anonymous callers can send any text.
    data: { next, login: login.slice(0, nameLength.login), fault, text, isNew: login === '' },
  }
}
