import { jsonText } from 'duet-runtime/json'
import { attempt, Refused } from './attempt.js'
import type { Authorize } from './authorize.js'
import type { Batch } from './batch.js'
import { chosenProtocol, onChoice } from './choices.js'
import { Complaints, violationsOf } from './complaints.js'
import { type Connection, isSilent, limitsOf, schemesOf } from './connection.js'
import { inOrder, paramsEditor } from './editor/params-editor.js'
import { withStandIns } from './editor/stand-ins.js'
import { button, element } from './element.js'
import { examplePicker } from './example-picker.js'
import { type Outcome, sent } from './exchange.js'
import { isSchema, type Schema, type Settings, type Tried } from './page.js'
import { type Call, type Over, prepared } from './request.js'
import type { Responses } from './responses.js'
import type { WriteSamples } from './samples.js'
import { asksForCredentials, resultOf, Side } from './side.js'
import { withUnsentNotes } from './unsent.js'

/** What a panel needs besides its operation. */
export interface Surroundings {
  readonly connection: Connection
  readonly authorize: Authorize
  readonly batch: Batch
  readonly settings: Settings
}

/** A panel, its requests for the card of samples, and its responses for the card of responses. */
export interface Panel {
  readonly form: HTMLElement
  readonly requests: readonly HTMLElement[]
  readonly responses: readonly HTMLElement[]
}

/**
 * The form of one operation. It sends over the chosen protocol, or a read over both to compare.
 */
export function panelOf(
  tried: Tried,
  surroundings: Surroundings,
  writeSamples: WriteSamples,
  responses: Responses,
): Panel {
  const { operation, tool } = tried
  const { connection, authorize, batch, settings } = surroundings
  const offered: readonly Over[] = [
    ...(tried.unrouted ? [] : (['rest'] as const)),
    ...(operation.rpc === false ? [] : (['jsonrpc'] as const)),
    ...(tool === undefined ? [] : (['mcp'] as const)),
  ]
  const form = paramsEditor(
    withTimezone(withUnsentNotes(tried.params, operation)),
    withStandIns(tried.example, tried.open),
    operation.binaries !== undefined,
  )
  const sides = new Map(offered.map((protocol) => [protocol, new Side(protocol, operation.name)]))
  const complaints = new Complaints([form])
  const verdict = element('p', { class: 'verdict', role: 'status' })
  const callWith = (params: Call['params']): Call => ({ operation, params, ...(tool && { tool }) })
  /** The call to send: that of the samples, once nothing in it stands for what a reader has yet to enter. */
  const call = (): Call => {
    const missing = form.missing()
    if (missing.length > 0) throw new Refused(missing)
    return callWith(form.read())
  }
  /** The call as previews and samples show it. */
  const draft = (): Call => callWith(form.read())
  const current = (): Over =>
    offered.find((protocol) => protocol === chosenProtocol()) ?? offered[0] ?? 'rest'

  let latest = 0
  const update = async () => {
    latest += 1
    const mine = latest
    const drafted = await attempt(async () => draft())
    writeSamples(
      'value' in drafted ? drafted.value.params : undefined,
      connection.requirementFor(operation.security),
    )
    for (const [protocol, side] of sides) {
      const shown =
        'value' in drafted ? await attempt(() => prepared(protocol, drafted.value, connection)) : drafted
      if (mine === latest) side.preview(shown, connection.secrets)
    }
  }
  const exchange = async (protocol: Over, asked: Awaited<ReturnType<typeof attempt<Call>>>) => {
    const side = sides.get(protocol)
    const ready = 'value' in asked ? await attempt(() => prepared(protocol, asked.value, connection)) : asked
    if ('reason' in ready) {
      const failure = `Not sent. ${ready.reason}`
      side?.refuse(failure)
      if (ready.violations.length > 0) complaints.put(protocol, ready.violations)
      return { failure }
    }
    side?.wait()
    const outcome = await sent(ready.value, (begun) => side?.answer(begun))
    const lead = asksForCredentials(outcome) && schemes.length > 0 ? addCredentials() : undefined
    side?.answer(outcome, lead)
    // A keyboard goes on there, unless the reader has gone elsewhere meanwhile.
    if (actions.contains(document.activeElement)) lead?.focus({ preventScroll: true })
    if (!('failure' in outcome)) complaints.put(protocol, violationsOf(outcome.json))
    return outcome
  }
  /** Once the dialog is closed, the focus is on what sends the call again. */
  const addCredentials = () =>
    button('Add credentials', () => {
      actions.querySelector('button')?.focus({ preventScroll: true })
      authorize.open(operation.security)
    })
  let isSending = false
  /** One call for each press, however slow the answer is: it may change something. */
  const send = async (chosen: readonly Over[]) => {
    if (isSending) return
    isSending = true
    actions.setAttribute('aria-busy', 'true')
    try {
      await exchangeAll(chosen)
    } finally {
      isSending = false
      actions.removeAttribute('aria-busy')
    }
  }
  const exchangeAll = async (chosen: readonly Over[]) => {
    const pressed = document.activeElement
    const asked = await attempt(async () => call())
    if ('value' in asked) complaints.clear()
    verdict.textContent = ''
    batch.fold()
    responses.showLive()
    for (const [protocol, side] of sides) {
      const isChosen = chosen.includes(protocol)
      side.response.classList.toggle('compared', chosen.length > 1 && isChosen)
      if (chosen.length > 1 && !isChosen) side.clear()
    }
    const outcomes = await Promise.all(chosen.map((protocol) => exchange(protocol, asked)))
    if (chosen.length > 1) verdict.textContent = comparison(chosen, outcomes)
    const [first] = chosen.flatMap((protocol) => sides.get(protocol)?.response ?? [])
    const wrong = complaints.first(panel)
    if (wrong === undefined) first?.scrollIntoView({ block: 'nearest' })
    else {
      wrong.scrollIntoView({ block: 'center' })
      // Unless the reader has gone elsewhere meanwhile.
      if (document.activeElement === pressed) wrong.focus({ preventScroll: true })
    }
  }
  const add = async () => {
    const ready = await attempt(async () => call())
    if ('value' in ready) batch.add(ready.value)
    else {
      responses.showLive()
      sides.get(current())?.refuse(`Not added. ${ready.reason}`)
    }
  }

  const schemes = schemesOf(operation.security).filter((name) => {
    const scheme = settings.securitySchemes[name]
    return scheme !== undefined && !isSilent(scheme)
  })
  const isRead = ['GET', 'HEAD'].includes(operation.rest.method)
  const actions = element(
    'div',
    { class: 'actions' },
    // The second click of a double click asks for nothing new.
    button('Send', ({ detail }) => void (detail < 2 && send([current()])), 'primary'),
  )
  if (isRead && sides.has('rest') && sides.has('jsonrpc'))
    actions.append(button('Compare REST and JSON-RPC', () => void send(['rest', 'jsonrpc'])))
  if (sides.has('jsonrpc')) actions.append(button('Add to batch', () => void add()))
  const notice = connection.notice()
  const panel = element(
    'div',
    { class: 'panel' },
    authorize.line(operation.security),
    ...limitsOf(operation.security, settings).map((text) => element('p', { class: 'hint-line' }, text)),
    ...examplePicker(tried.examples, ({ params, name }) => {
      form.put(withStandIns(params, tried.open))
      responses.showExample(name)
    }),
    element('div', { class: 'params' }, ...form.elements),
    notice.element,
    ...(tried.unrouted ? [element('p', { class: 'notice' }, unroutedReason)] : []),
    actions,
  )
  panel.addEventListener('focusin', () => notice.update(), { once: true })
  // Before the editors, which may complain of what is typed.
  panel.addEventListener('input', ({ target }) => complaints.edited(target), { capture: true })
  panel.addEventListener('input', () => {
    for (const side of sides.values()) side.edited()
    void update()
  })
  panel.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.repeat) return
    if (event.ctrlKey || event.metaKey) void send([current()])
    else if (isTyped(event)) enter(event, actions.querySelector('button'), operation.rest.method)
  })
  connection.onChange(() => {
    if (panel.isConnected) void update()
  })
  onChoice(() => {
    for (const { response } of sides.values()) response.classList.remove('compared')
    verdict.textContent = ''
  })
  void update()
  const all = [...sides.values()]
  return {
    form: panel,
    requests: all.map(({ request }) => request),
    responses: [verdict, ...all.map(({ response }) => response)],
  }
}

const unroutedReason = 'Nothing can be sent over REST: another operation matches every request of this one.'

/** The params with the time zone that every call may have. */
function withTimezone(params: Schema): Schema {
  const __tz = { type: 'string', description: 'IANA time zone' }
  return { ...params, properties: { ...(isSchema(params.properties) ? params.properties : {}), __tz } }
}

function comparison(protocols: readonly Over[], outcomes: readonly Outcome[]): string {
  const results = outcomes.map((outcome, index) => resultOf(protocols[index] ?? 'rest', outcome))
  const [first, second] = results
  if (first === undefined || second === undefined) return ''
  const isSame = jsonText(inOrder(first.value)) === jsonText(inOrder(second.value))
  return isSame ? 'Both return the same result.' : 'The results differ.'
}

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
