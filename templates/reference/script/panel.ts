import { type Attempt, attempt } from './attempt.js'
import type { Batch } from './batch.js'
import type { Connection } from './connection.js'
import { isSchema } from './editor.js'
import { type Members, membersOf } from './editor-structure.js'
import { button, element } from './element.js'
import { type Outcome, sent } from './exchange.js'
import type { Tried } from './page.js'
import { type Call, type Prepared, type Protocol, prepared, requestText } from './request.js'

const names: Readonly<Record<Protocol, string>> = { rest: 'REST', jsonrpc: 'JSON-RPC' }

/** The form of one operation, the requests that it makes, and what came of them, protocol beside protocol. */
export function panelOf(tried: Tried, connection: Connection, batch: Batch): HTMLElement {
  const { operation } = tried
  const protocols: readonly Protocol[] = operation.rpc === false ? ['rest'] : ['rest', 'jsonrpc']
  const form = membersOf(tried.params, tried.example, 0)
  const timezone = membersOf(
    { properties: { __tz: { type: 'string', description: 'IANA time zone' } } },
    {},
    0,
  )
  const sides = new Map(protocols.map((protocol) => [protocol, new Side(protocol)]))

  const call = (): Call => ({ operation, params: { ...form.read(), ...timezone.read() } })
  let latest = 0
  const update = async () => {
    latest += 1
    const mine = latest
    for (const [protocol, side] of sides) {
      const shown = await attempt(() => prepared(protocol, call(), connection))
      if (mine === latest) side.preview(shown, connection.secrets)
    }
  }
  const send = async (chosen: readonly Protocol[]) => {
    await Promise.all(
      chosen.map(async (protocol) => {
        const side = sides.get(protocol)
        const ready = await attempt(() => prepared(protocol, call(), connection))
        if (side === undefined) return
        if ('reason' in ready) {
          side.answer({ failure: `Not sent. ${ready.reason}` })
          return
        }
        for (const part of [form, timezone]) part.forgive()
        side.wait()
        const outcome = await sent(ready.value)
        side.answer(outcome)
        if (!('failure' in outcome)) complain([form, timezone], outcome.json)
      }),
    )
  }
  const add = async () => {
    const ready = await attempt(async () => call())
    if ('value' in ready) batch.add(ready.value)
    else sides.get('jsonrpc')?.answer({ failure: `Not added. ${ready.reason}` })
  }
  const actions = element(
    'div',
    { class: 'actions' },
    ...protocols.map((protocol) => button(`Send over ${names[protocol]}`, () => void send([protocol]))),
  )
  if (protocols.length > 1) {
    actions.prepend(button('Send over both', () => void send(protocols), 'primary'))
    actions.append(button('Add to batch', () => void add()))
  }
  const panel = element(
    'div',
    { class: 'panel' },
    connection.fields(operation),
    element('div', { class: 'params' }, ...form.elements, ...timezone.elements),
    connection.notice(),
    actions,
    element('div', { class: 'sides' }, ...Array.from(sides.values(), (side) => side.element)),
  )
  panel.addEventListener('input', () => void update())
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send(protocols)
  })
  connection.onChange(() => {
    if (panel.isConnected) void update()
  })
  void update()
  return panel
}

/** Puts the violations of a problem beside their fields, whichever protocol it came over. */
function complain(forms: readonly Members[], json: unknown): void {
  const answer = json as { errors?: unknown; error?: { data?: { errors?: unknown } } } | null | undefined
  const errors = answer?.errors ?? answer?.error?.data?.errors
  if (!Array.isArray(errors)) return
  for (const form of forms) form.forgive()
  for (const { path, message } of errors as { path?: unknown; message?: unknown }[]) {
    const parts = String(path ?? '')
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    const missing = /^must have required property '(.*)'$/.exec(String(message))?.[1]
    const place = missing === undefined || parts.at(-1) === missing ? parts : [...parts, missing]
    for (const form of forms) if (form.complain(place, String(message))) break
  }
}

/** One protocol's request and answer. */
class Side {
  readonly element: HTMLElement
  readonly #request = element('pre', { tabindex: '0' })
  readonly #status = element('p', { class: 'status', role: 'status' })
  readonly #headers = element('pre', { tabindex: '0' })
  readonly #body = element('pre', { tabindex: '0', class: 'body' })
  readonly #answer: HTMLElement

  constructor(protocol: Protocol) {
    this.#request.setAttribute('aria-label', `Request over ${names[protocol]}`)
    this.#body.setAttribute('aria-label', `Answer over ${names[protocol]}`)
    this.#headers.setAttribute('aria-label', `Answer's headers over ${names[protocol]}`)
    this.#answer = element(
      'div',
      { class: 'answer', hidden: true },
      this.#body,
      element('details', {}, element('summary', {}, 'Headers'), this.#headers),
    )
    this.element = element(
      'section',
      { 'aria-label': names[protocol], 'data-side': protocol },
      element('h4', {}, names[protocol]),
      this.#request,
      this.#status,
      this.#answer,
    )
  }

  preview(shown: Attempt<Prepared>, secrets: readonly string[]): void {
    this.#request.textContent = 'reason' in shown ? shown.reason : requestText(shown.value, secrets)
    this.#request.classList.toggle('wrong', 'reason' in shown)
  }

  wait(): void {
    this.#status.textContent = 'Waiting…'
    this.#status.className = 'status'
  }

  answer(outcome: Outcome): void {
    if ('failure' in outcome) {
      this.#status.textContent = outcome.failure
      this.#status.className = 'status wrong'
      this.#answer.hidden = true
      return
    }
    const { status, milliseconds, headers, body, json } = outcome
    const error = rpcError(json)
    this.#status.textContent = `${status} in ${Math.round(milliseconds)} ms${error === undefined ? '' : `, error ${error}`}`
    this.#status.className = `status ${status < 400 && error === undefined ? 'fine' : 'wrong'}`
    this.#headers.textContent = headers.map(([name, value]) => `${name}: ${value}`).join('\n')
    this.#body.textContent = body === '' ? 'no content' : body
    this.#answer.hidden = false
  }
}

/** The code of a JSON-RPC error, which comes with HTTP 200 too. */
function rpcError(json: unknown): string | undefined {
  return isSchema(json) && 'jsonrpc' in json && isSchema(json.error) ? String(json.error.code) : undefined
}
