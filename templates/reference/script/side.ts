import type { Attempt } from './attempt.js'
import { isToolError, problemOf } from './complaints.js'
import { element } from './element.js'
import type { Outcome } from './exchange.js'
import { highlight } from './highlight.js'
import { copyButton } from './menus.js'
import { isSchema } from './page.js'
import { type Over, type Prepared, requestText } from './request.js'

const names: Readonly<Record<Over, string>> = { rest: 'REST', jsonrpc: 'JSON-RPC', mcp: 'MCP' }

/** One protocol's request and response. */
export class Side {
  /** The request as it is sent, a block of the card of samples. */
  readonly request: HTMLElement
  /** The response, for the card of responses. */
  readonly response: HTMLElement
  readonly #request = element('pre', { tabindex: '0' })
  readonly #status = element('p', { class: 'status', role: 'status' })
  readonly #headers = element('pre', { tabindex: '0' })
  readonly #body = element('code')
  readonly #save = element('a', { class: 'save', hidden: true }, 'Save file')
  readonly #answer: HTMLElement
  #refusal = ''

  constructor(
    readonly protocol: Over,
    operation: string,
  ) {
    const name = names[protocol]
    this.#request.setAttribute('aria-label', `Request over ${name}`)
    this.#headers.setAttribute('aria-label', `Response headers over ${name}`)
    const body = element(
      'pre',
      { tabindex: '0', class: 'body', 'aria-label': `Response over ${name}` },
      this.#body,
    )
    this.#answer = element(
      'div',
      { class: 'answer', hidden: true },
      body,
      this.#save,
      element('details', {}, element('summary', {}, 'Headers'), this.#headers),
    )
    const attributes = { 'data-over': protocol }
    this.request = element(
      'div',
      { class: 'block', 'data-sample': 'http', ...attributes },
      this.#request,
      copyButton(this.#request),
    )
    this.response = element(
      'section',
      { class: 'live', 'aria-label': `${operation} over ${name}`, 'data-side': protocol, ...attributes },
      element('p', { class: 'side-name' }, name),
      this.#status,
      this.#answer,
    )
  }

  preview(shown: Attempt<Prepared>, secrets: readonly string[]): void {
    this.#request.textContent = 'reason' in shown ? shown.reason : requestText(shown.value, secrets)
    this.#request.classList.toggle('wrong', 'reason' in shown)
    if ('value' in shown) highlight(this.#request)
  }

  /** Another call has been made since. */
  clear(): void {
    this.#status.textContent = ''
    this.#answer.hidden = true
  }

  /** Nothing is sent until the params are others. */
  refuse(reason: string): void {
    this.#refusal = reason
    this.answer({ failure: reason })
  }

  /** The params were edited, so that a refusal may be wrong by now. */
  edited(): void {
    if (this.#status.textContent === this.#refusal) this.clear()
  }

  wait(): void {
    this.#status.textContent = 'Waiting…'
    this.#status.className = 'status'
  }

  /** @param lead a button that leads to what the answer asks for */
  answer(outcome: Outcome, lead?: HTMLElement): void {
    if ('failure' in outcome) {
      this.#status.textContent = outcome.failure
      this.#status.className = 'status wrong'
      this.#answer.hidden = true
      return
    }
    const { status, milliseconds, headers, body, json, file } = outcome
    const error = rpcError(json)
    const [said, code] = [isToolError(json) ? 'Error' : status, error === undefined ? '' : `, error ${error}`]
    this.#status.textContent = `${said} in ${Math.round(milliseconds)} ms${code}`
    this.#status.className = `status ${isFine(outcome) ? 'fine' : 'wrong'}`
    if (lead !== undefined) this.#status.append(' ', lead)
    this.#headers.textContent = headers.map(([name, value]) => `${name}: ${value}`).join('\n')
    this.#body.textContent = body === '' ? 'No content' : body
    highlight(this.#body)
    this.#offer(file)
    this.#answer.hidden = false
  }

  /** A link that saves what the page does not show. */
  #offer(file: File | undefined): void {
    URL.revokeObjectURL(this.#save.href)
    this.#save.hidden = file === undefined
    if (file === undefined) return
    this.#save.href = URL.createObjectURL(file)
    this.#save.download = file.name
  }
}

/** The result over a protocol, without its envelope. Undefined if the call failed. */
export function resultOf(protocol: Over, outcome: Outcome): { readonly value: unknown } | undefined {
  if ('failure' in outcome || !isFine(outcome)) return undefined
  if (protocol === 'rest') return { value: outcome.json ?? null }
  return { value: isSchema(outcome.json) ? (outcome.json.result ?? null) : null }
}

/** Whether the service asks for credentials: over JSON-RPC with its own code too. */
export function asksForCredentials(outcome: Outcome): boolean {
  if ('failure' in outcome) return false
  const { status, json } = outcome
  const problem = problemOf(json)
  return status === 401 || (isSchema(problem) && problem.status === 401)
}

function isFine({ status, json }: Exclude<Outcome, { failure: string }>): boolean {
  return status < 400 && rpcError(json) === undefined && !isToolError(json)
}

/** The code of a JSON-RPC error, which may come with HTTP 200. */
function rpcError(json: unknown): string | undefined {
  return isSchema(json) && 'jsonrpc' in json && isSchema(json.error) ? String(json.error.code) : undefined
}
