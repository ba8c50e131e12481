import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { builtInErrors, type CallEvent, endConnection, ProblemError, pathOf, requestIdOf } from 'duet-runtime'
import { answerOptions, answer as answerText } from '../http/answer.js'
import type { Principal } from '../identity/principal.js'
import { toPrincipal } from '../identity/principal.js'
import { isSecure } from '../limits/client-address.js'
import type { ErrorCode } from '../problem.js'
import type { User } from '../storage/tables/identity/users.js'
import { isSameOrigin, readForm } from './form.js'
import { refusal, refusedPage, signedRefusal, signedRefusedPage } from './refused.js'
import { type Action, formPage, type Route, routes } from './routes.js'
import { digestOf, formTokenOf, isFormTokenOf, tokenOf } from './session-cookie.js'
import { signInPath } from './sign-in/sign-in-path.js'
import { createView } from './view.js'
import { type Area, message, noSuchPage, type PageResult, type SignedIn, type Visit } from './visit.js'

/**
 * Serves the administration area, `/admin/` and all paths below. Returns false for any other path. `onCall` receives
 * each request, in the form of the API's call events.
 */
export function createAdministration(
  area: Area,
  onCall: (event: CallEvent<Principal>) => void,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const view = createView()

  const send = (served: Served, { visit, token, answer }: Outcome) => {
    const { request, response, requestId } = served
    const headers: OutgoingHttpHeaders = { ...pageHeaders, 'x-request-id': requestId, ...answer.headers }
    if ('to' in answer) {
      answerText(request, response, 303, 'text/plain', '', { ...headers, location: answer.to })
      return
    }
    if ('file' in answer) {
      const { name, text } = answer.file
      const disposition = { 'content-disposition': `attachment; filename="${name}"` }
      answerText(request, response, 200, 'text/csv; charset=utf-8', text, { ...headers, ...disposition })
      return
    }
    if (answer.status === 429 || answer.status === 503) endConnection(request)
    const html = view.render(answer.page, {
      ...answer.data,
      title: answer.title,
      ...(visit !== undefined && { viewer: visit.user, isAdministrator: visit.isAdmin }),
      ...(token !== undefined && { formToken: formTokenOf(token) }),
      requestId,
    })
    answerText(request, response, answer.status ?? 200, 'text/html; charset=utf-8', html, headers)
  }

  const serve = async (served: Served) => {
    const { request, path, requestId } = served
    const start = performance.now()
    const answered = await answerTo(area, served).catch((caught: unknown) => {
      const failure = failed(caught, requestId)
      if (request.method !== 'POST') return failure
      return { ...failure, answer: signedRefusal(area.signer, path, failure.answer) }
    })
    send(served, answered)
    const { operation, visit, answer, error } = answered
    onCall({
      operation,
      protocol: 'rest',
      requestId,
      principal: visit && toPrincipal(visit.user),
      request,
      durationMs: performance.now() - start,
      ...codeOf(answer),
      ...(error !== undefined && { error }),
    })
  }

  return (request, response) => {
    const path = pathOf(request.url ?? '/')
    if (path !== '/admin' && !path.startsWith('/admin/')) return false
    const route = routeOf(path)
    if (request.method === 'OPTIONS' && route !== undefined) {
      answerOptions(request, response, allowOf(route))
      return true
    }
    const asset = view.assets.get(path)
    if (asset !== undefined && (request.method === 'GET' || request.method === 'HEAD')) {
      answerText(request, response, 200, asset.type, asset.text, {
        'cache-control': 'public, max-age=31536000, immutable',
      })
    } else {
      const requestId = requestIdOf(request.headers['x-request-id'])
      serve({ request, response, path, requestId }).catch(() => response.destroy())
    }
    return true
  }
}

interface Served {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
  readonly requestId: string
}

interface Outcome {
  readonly answer: PageResult
  readonly operation?: string
  /** Undefined: not signed in. */
  readonly visit?: Pick<SignedIn, 'user' | 'isAdmin'>
  readonly token?: string
  /** An error that no caller caused. */
  readonly error?: unknown
}

async function answerTo(area: Area, served: Served): Promise<Outcome> {
  const { request, path, requestId } = served
  const route = routeOf(path)
  if (route === undefined) return withViewer(area, request, noSuchPage)
  const isPost = request.method === 'POST'
  const action = isPost
    ? route.post
    : request.method === 'GET' || request.method === 'HEAD'
      ? route.get
      : undefined
  if (action === undefined) return { answer: wrongMethod(route, served) }
  const [operation] = action
  if (isPost && !isSameOrigin(request))
    return { operation, answer: signedRefusal(area.signer, path, foreign) }
  const secure = isSecure(request, area.trustedProxies)
  const visit: Visit = {
    request,
    query: new URLSearchParams(request.url?.split('?').slice(1).join('?') ?? ''),
    form: isPost ? await readForm(request) : new URLSearchParams(),
    named: route.path.exec(path)?.groups ?? {},
    actorOf: ({ id, resellerId }) => ({ userId: id, resellerId, operation, protocol: 'admin', requestId }),
    isSecure: secure,
    origin: originOf(request, secure),
  }
  const refused = isPost ? undefined : signedRefusedPage(area, visit, path)
  if (refused !== undefined) return { operation, ...(await withViewer(area, request, refused)) }
  if (route.who === 'anybody') return { operation, answer: await runOf<Visit>(action)(area, visit) }
  const token = tokenOf(request, secure)
  const session = token === undefined ? undefined : await area.sessionOf(request, token)
  if (token === undefined || session === undefined) {
    const page = isPost ? formPage(path) : (request.url ?? path)
    return {
      operation,
      answer: { to: signInPath(page, isPost && path !== '/admin/sign-out' ? 'lost' : undefined) },
    }
  }
  const signedIn = signedInAs(area, visit, token, session)
  const known = { operation, visit: signedIn, token }
  const answering = async (): Promise<PageResult> => {
    if (isPost && !isFormTokenOf(token, visit.form.get('form_token')))
      return await refusal(area, signedIn, path, foreign)
    const isHidden = route.who === 'admin' && !signedIn.isAdmin
    if (isHidden) return isPost ? await refusal(area, signedIn, path, noSuchPage) : noSuchPage
    const again = isPost ? undefined : await refusedPage(area, signedIn, path)
    if (again !== undefined) return again
    const answer = await runOf<SignedIn>(action)(area, signedIn)
    return isPost ? await refusal(area, signedIn, path, answer) : answer
  }
  return answering().then(
    (answer) => ({ ...known, answer }),
    // The page keeps the navigation.
    async (caught: unknown) => {
      const failure = failed(caught, requestId)
      const answer = isPost ? await refusal(area, signedIn, path, failure.answer) : failure.answer
      return { ...known, ...failure, answer }
    },
  )
}

/** A page for anybody, with the navigation of a signed-in user. It needs no database. */
async function withViewer(area: Area, request: IncomingMessage, answer: PageResult): Promise<Outcome> {
  const token = tokenOf(request, isSecure(request, area.trustedProxies))
  if (token === undefined) return { answer }
  const session = await area.sessionOf(request, token).catch(() => undefined)
  if (session === undefined) return { answer }
  const { user } = session
  return { answer, visit: { user, isAdmin: user.role === 'admin' }, token }
}

/** The origin of the page, as browsers write it. The gate has accepted the host. */
function originOf({ headers }: IncomingMessage, isSecure: boolean): string {
  const url = `${isSecure ? 'https' : 'http'}://${headers.host ?? ''}`
  return URL.canParse(url) ? new URL(url).origin : 'http://invalid.invalid'
}

function routeOf(path: string): Route | undefined {
  return routes.find(({ path: pattern }) => pattern.test(path))
}

function runOf<Who extends Visit>(action: Action<never>) {
  return action[1] as Action<Who>[1]
}

function signedInAs(
  area: Area,
  visit: Visit,
  token: string,
  {
    user,
    sessionId,
    isFresh,
  }: { readonly user: User; readonly sessionId: string; readonly isFresh: boolean },
): SignedIn {
  return {
    ...visit,
    user,
    sessionId,
    isFresh,
    isAdmin: user.role === 'admin',
    actor: visit.actorOf(user),
    digest: digestOf(token),
    timezone: user.timezone ?? area.systemTimezone,
  }
}

const foreign = message(
  403,
  'Nothing was changed',
  'The form came from a session that has ended, or from another site. Send it again from its page.',
)

function allowOf(route: Route): string {
  return ['GET', 'HEAD', ...(route.post ? ['POST'] : [])].join(', ')
}

function wrongMethod(route: Route, { request, path }: Served): PageResult {
  // A browser that loads the address of a form's answer gets the page with the form.
  if (request.method === 'GET' || request.method === 'HEAD') return { to: formPage(path) }
  const allow = allowOf(route)
  return { ...message(405, 'Method not allowed', `Only ${allow}.`), headers: { allow } }
}

function failed(caught: unknown, requestId: string): Outcome {
  const answer = failure(caught, requestId)
  return caught instanceof ProblemError ? { answer } : { answer, error: caught }
}

/** The page for an error. */
function failure(error: unknown, requestId: string): PageResult {
  if (!(error instanceof ProblemError) || !Object.hasOwn(builtInErrors, error.code)) {
    return message(500, 'Something went wrong', `The log has details under ${requestId}.`)
  }
  const { title, status } = builtInErrors[error.code as keyof typeof builtInErrors]
  const page = message(status, title, error.detail ?? 'Try again in a moment.')
  if (error.retryAfter === undefined) return page
  return { ...page, headers: { 'retry-after': String(error.retryAfter) } }
}

/** The code of a result in the log. */
function codeOf(answer: PageResult): { readonly code?: string } {
  const status = 'file' in answer || ('page' in answer && answer.isAgain) ? 200 : (answer.status ?? 200)
  const found = Object.entries(builtInErrors).find(([, { status: known }]) => known === status)
  if (status < 400) return {}
  return { code: codes.get(status) ?? found?.[0] ?? 'internal_error' }
}

const codes = new Map<number, ErrorCode>([
  [403, 'forbidden'],
  [404, 'not_found'],
  [422, 'validation_failed'],
])

const pageHeaders = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  // Without any referrer a browser would send forms with the origin null.
  'referrer-policy': 'same-origin',
}
