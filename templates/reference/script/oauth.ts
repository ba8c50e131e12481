import { button, element, freshId } from './element.js'
import type { Flow, Scheme } from './page.js'

/** A form to sign in with. */
export interface SignIn {
  readonly elements: readonly HTMLElement[]
  /** Chooses scopes that a call needs, besides those that are chosen. */
  choose(scopes: readonly string[]): void
}

/**
 * Signing in by OAuth 2: with a code and PKCE (RFC 7636) in another window, or with the credentials of a client (RFC
 * 6749, 4.4). The token stays in memory.
 *
 * @param put receives the access token
 */
export function signInOf(name: string, { flows }: Scheme, put: (token: string) => void): SignIn | undefined {
  const [code, client] = [flows?.authorizationCode, flows?.clientCredentials]
  if (code === undefined && client === undefined) return undefined
  const id = textField(`${name} client id`, 'text')
  const secret = textField(`${name} client secret`, 'password')
  const scopes = scopeBoxes(new Map([code, client].flatMap((flow) => Object.entries(flow?.scopes ?? {}))))
  const told = element('p', { class: 'hint-line', role: 'status' })
  const wrong = element('p', { class: 'wrong', role: 'alert' })
  const run = (work: () => Promise<string>) => async () => {
    told.textContent = 'Waiting…'
    wrong.textContent = ''
    try {
      put(await work())
      told.textContent = 'Signed in.'
    } catch (error) {
      told.textContent = ''
      wrong.textContent = error instanceof Error ? error.message : String(error)
    }
  }
  const given = () => ({ id: id.input.value.trim(), secret: secret.input.value, scope: scopes.chosen() })
  const buttons = [
    ...(code === undefined
      ? []
      : [
          button(
            'Sign in',
            run(() => signedIn(code, given())),
          ),
        ]),
    ...(client === undefined
      ? []
      : [
          button(
            'Get a token',
            run(() => clientToken(client, given())),
          ),
        ]),
  ]
  const content = [
    ...[id.element, ...(client === undefined ? [] : [secret.element]), ...scopes.elements],
    ...[element('div', { class: 'actions' }, ...buttons), told, wrong],
  ]
  const panel = element('div', { class: 'panel' }, ...content)
  // Enter in a field would close the dialog. Only the credentials of a client have a secret.
  panel.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing || event.repeat) return
    if (event.target !== id.input && event.target !== secret.input) return
    event.preventDefault()
    buttons.at(event.target === secret.input ? -1 : 0)?.click()
  })
  const folded = element(
    'details',
    { class: 'sign-in' },
    element('summary', {}, `Sign in for ${name}`),
    panel,
  )
  return { elements: [folded], choose: scopes.choose }
}

interface Client {
  readonly id: string
  readonly secret: string
  readonly scope: string
}

/** The page that the authorization server leads back to: one of this origin, whose address this page may read. */
const returnPath = 'index.html'
/** Milliseconds between looks at the other window. */
const between = 200

async function signedIn(flow: Flow, { id, scope }: Client): Promise<string> {
  if (!/^https?:$/.test(location.protocol))
    throw new Error('Open this page from a server to sign in: a file has no address to return to.')
  const [verifier, state] = [randomText(), randomText()]
  const redirect = new URL(returnPath, document.baseURI).href
  const url = webAddress('authorizationUrl', flow.authorization)
  const asked = {
    ...{ response_type: 'code', client_id: id, redirect_uri: redirect, state },
    ...{ code_challenge: await challengeOf(verifier), code_challenge_method: 'S256' },
    ...(scope !== '' && { scope }),
  }
  for (const [key, value] of Object.entries(asked)) url.searchParams.set(key, value)
  const other = open(url, '_blank', 'popup,width=520,height=680')
  if (other === null) throw new Error('The browser opened no window. Allow this page to open windows.')
  const answer = await returned(other, redirect)
  other.close()
  if (answer.get('state') !== state) throw new Error('The answer belongs to another sign-in.')
  const code = answer.get('code')
  if (code === null)
    throw new Error(answer.get('error_description') ?? answer.get('error') ?? 'No code came back.')
  return await tokenOf(flow.token, {
    ...{ grant_type: 'authorization_code', code, client_id: id },
    ...{ redirect_uri: redirect, code_verifier: verifier },
  })
}

async function clientToken(flow: Flow, { id, secret, scope }: Client): Promise<string> {
  const form = { grant_type: 'client_credentials', ...(scope !== '' && { scope }) }
  return await tokenOf(flow.token, form, { authorization: basicOf(id, secret) })
}

/** RFC 6749, 2.3.1: each part is form-urlencoded first. */
function basicOf(id: string, secret: string): string {
  const [user, password] = [id, secret].map((text) => String(new URLSearchParams({ '': text })).slice(1))
  return `Basic ${btoa(`${user}:${password}`)}`
}

/** An address of the document. One of another scheme, such as `javascript:`, would run as this page. */
function webAddress(name: string, written = ''): URL {
  const url = URL.canParse(written) ? new URL(written) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Error(`The document's ${name} is not an http or https address: ${written}`)
  return url
}

/** The parameters with which the other window came back. Its address is unreadable while it is elsewhere. */
async function returned(other: Window, redirect: string): Promise<URLSearchParams> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, between))
    if (other.closed) throw new Error('The window was closed before you signed in.')
    try {
      const { origin, pathname, search } = other.location
      if (origin + pathname === redirect && search !== '') return new URLSearchParams(search)
    } catch {
      // Another origin: not back yet.
    }
  }
}

/** RFC 6749, 5.1 and 5.2. */
async function tokenOf(
  url: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const response = await fetch(webAddress('tokenUrl', url), {
    method: 'POST',
    headers: { accept: 'application/json', ...headers },
    body: new URLSearchParams(form),
    credentials: 'omit',
    signal: AbortSignal.timeout(30_000),
  })
  const body: unknown = await response.json().catch(() => undefined)
  const { access_token, error, error_description } = (body ?? {}) as Readonly<Record<string, unknown>>
  if (response.ok && typeof access_token === 'string') return access_token
  throw new Error(`${response.status}: ${error_description ?? error ?? 'no token came back'}`)
}

/** RFC 7636, 4.1: 43 characters. */
function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}

async function challengeOf(verifier: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

function textField(
  label: string,
  type: 'text' | 'password',
): { readonly element: HTMLElement; readonly input: HTMLInputElement } {
  const input = element('input', { type, id: freshId(), autocomplete: 'off', spellcheck: 'false' })
  return {
    input,
    element: element('div', { class: 'field' }, element('label', { for: input.id }, label), input),
  }
}

/** @param scopes their descriptions, by name */
function scopeBoxes(scopes: ReadonlyMap<string, string>): Pick<SignIn, 'elements' | 'choose'> & {
  chosen(): string
} {
  const boxes = Array.from(scopes, ([name, text]) => ({
    ...{ name, text },
    box: element('input', { type: 'checkbox' }),
  }))
  const labels = boxes.map(({ name, text, box }) =>
    element(
      'label',
      { class: 'null' },
      box,
      name,
      element('span', { class: 'about-scope', dir: 'auto' }, text),
    ),
  )
  const legend = element('legend', {}, 'Scopes')
  return {
    elements: scopes.size === 0 ? [] : [element('fieldset', { class: 'field scopes' }, legend, ...labels)],
    choose(names) {
      for (const { name, box } of boxes) box.checked ||= names.includes(name)
    },
    chosen: () =>
      boxes
        .filter(({ box }) => box.checked)
        .map(({ name }) => name)
        .join(' '),
  }
}
