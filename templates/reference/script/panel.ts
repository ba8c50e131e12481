import type { ClientProtocol } from 'duet-runtime'
import { type Attempt, attempt } from './attempt.js'
import type { Batch } from './batch.js'
import { Complaints, violationsOf } from './complaints.js'
import type { Connection } from './connection.js'
import { editorOf } from './editor.js'
import { isSchema } from './editor-part.js'
import { membersOf } from './editor-structure.js'
import { button, element } from './element.js'
import { type Outcome, sent } from './exchange.js'
import type { Tried } from './page.js'
import { paramsEditor } from './params-editor.js'
import { type Call, type Prepared, prepared, requestText } from './request.js'

const names: Readonly<Record<ClientProtocol, string>> = { rest: 'REST', jsonrpc: 'JSON-RPC' }

/** The form of one operation, its requests, and their responses, both protocols side by side. */
export function panelOf(tried: Tried, connection: Connection, batch: Batch): HTMLElement {
  const { operation } = tried
  const protocols: readonly ClientProtocol[] = [
    ...(tried.unrouted ? [] : (['rest'] as const)),
    ...(operation.rpc === false ? [] : (['jsonrpc'] as const)),
  ]
  const form = paramsEditor(tried.params, tried.example)
  const timezone = membersOf(
    { properties: { __tz: { type: 'string', description: 'IANA time zone' } } },
    {},
    { depth: 0, editorOf },
  )
  const sides = new Map(protocols.map((protocol) => [protocol, new Side(protocol, operation.name)]))
  const complaints = new Complaints([form, timezone])

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
  const send = async (chosen: readonly ClientProtocol[]) => {
    const asked = await attempt(async () => call())
    if ('value' in asked) complaints.clear()
    await Promise.all(
      chosen.map(async (protocol) => {
        const side = sides.get(protocol)
        const ready =
          'value' in asked ? await attempt(() => prepared(protocol, asked.value, connection)) : asked
        if (side === undefined) return
        if ('reason' in ready) {
          side.answer({ failure: `Not sent. ${ready.reason}` })
          if (ready.violations.length > 0) complaints.put(protocol, ready.violations)
          return
        }
        side.wait()
        const outcome = await sent(ready.value)
        side.answer(outcome)
        if (!('failure' in outcome)) complaints.put(protocol, violationsOf(outcome.json))
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
    ...(tried.unrouted ? [element('p', { class: 'notice' }, unroutedReason)] : []),
    actions,
    element('div', { class: 'sides' }, ...Array.from(sides.values(), (side) => side.element)),
  )
  panel.addEventListener('input', () => void update())
  panel.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    if (event.ctrlKey || event.metaKey) void send(protocols)
    else if (isTyped(event)) enter(event, actions.querySelector('button'), operation.rest.method)
  })
  connection.onChange(() => {
    if (panel.isConnected) void update()
  })
  void update()
  return panel
}

const unroutedReason = 'Nothing can be sent over REST: another operation matches every request of this one.'

/** Whether a key was pressed in a text input, and not to end the composition of a character. */
function isTyped({ target, isComposing }: KeyboardEvent): boolean {
  return target instanceof HTMLInputElement && ['text', 'password'].includes(target.type) && !isComposing
}

/**
 * Enter in a text input presses the first button (HTML, implicit submission) if the method is safe (RFC 9110
 * section 9.2.1). Otherwise the button only gets the focus: a request sent by accident may be irreversible.
 */
function enter(event: Event, first: HTMLButtonElement | null, method: string): void {
  event.preventDefault()
  if (['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method)) first?.click()
  else first?.focus()
}

/** One protocol's request and response. */
class Side {
  readonly element: HTMLElement
  readonly #request = element('pre', { tabindex: '0' })
  readonly #status = element('p', { class: 'status', role: 'status' })
  readonly #headers = element('pre', { tabindex: '0' })
  readonly #body = element('pre', { tabindex: '0', class: 'body' })
  readonly #answer: HTMLElement

  constructor(protocol: ClientProtocol, operation: string) {
    this.#request.setAttribute('aria-label', `Request over ${names[protocol]}`)
    this.#body.setAttribute('aria-label', `Response over ${names[protocol]}`)
    this.#headers.setAttribute('aria-label', `Response headers over ${names[protocol]}`)
    this.#answer = element(
      'div',
      { class: 'answer', hidden: true },
      this.#body,
      element('details', {}, element('summary', {}, 'Headers'), this.#headers),
    )
    this.element = element(
      'section',
      { 'aria-label': `${operation} over ${names[protocol]}`, 'data-side': protocol },
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

/** The code of a JSON-RPC error, which may come with HTTP 200. */
function rpcError(json: unknown): string | undefined {
  return isSchema(json) && 'jsonrpc' in json && isSchema(json.error) ? String(json.error.code) : undefined
}
