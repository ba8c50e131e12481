import { element } from './element.js'
import { highlight } from './highlight.js'
import type { ErrorEntry, Settings } from './page.js'

/** The responses of an operation, by status: the document's examples, the catalogue's problems, the last answer. */
export interface Responses {
  /** Shows the answers of calls, and no example. */
  showLive(): void
  /** Opens the document's response that belongs to one of its requests, if it has one. */
  showExample(name: string): void
}

/** Prepares the tabs of a card. A problem's example is made when a reader first asks for it. */
export function responsesOf(
  card: HTMLElement,
  codes: readonly string[],
  settings: Settings | undefined,
): Responses {
  const tabs = [...card.querySelectorAll<HTMLElement>('[data-choose-status]')]
  const show = (status: string | undefined): void => {
    if (status !== undefined) addProblem(status)
    card.toggleAttribute('data-live', status === undefined)
    for (const tab of tabs) tab.setAttribute('aria-pressed', String(tab.dataset.chooseStatus === status))
    for (const block of card.querySelectorAll<HTMLElement>('.example'))
      block.hidden = block.dataset.status !== status
    for (const live of card.querySelectorAll<HTMLElement>('.live')) live.hidden = status !== undefined
  }
  const addProblem = (status: string): void => {
    if (card.querySelector(`.example[data-status="${CSS.escape(status)}"]`) !== null) return
    const found = codes
      .map((code) => [code, settings?.errors[code]] as const)
      .filter(([, entry]) => String(entry?.status) === status)
    card.append(
      ...found.flatMap(([code, entry]) => (entry === undefined ? [] : problemBlocks(status, code, entry))),
    )
  }
  for (const tab of tabs) tab.addEventListener('click', () => show(tab.dataset.chooseStatus))
  show(tabs[0]?.dataset.chooseStatus ?? '')
  return {
    showLive: () => show(undefined),
    showExample(name) {
      const named = [...card.querySelectorAll<HTMLElement>('[data-example]')]
      const found = named.find(({ dataset }) => dataset.example === name)
      if (found === undefined) return
      show(found.dataset.status)
      for (const one of named) if (one instanceof HTMLDetailsElement) one.open = one === found
    },
  }
}

/** A problem (RFC 9457) over each protocol. */
function problemBlocks(
  status: string,
  code: string,
  { title, status: number, rpc }: ErrorEntry,
): HTMLElement[] {
  const problem = { type: `urn:problem-type:${code}`, title, status: number, code }
  const tool = { content: [{ type: 'text', text: `${title} (${code})` }], isError: true }
  const bodies = {
    rest: problem,
    jsonrpc: { jsonrpc: '2.0', id: 1, error: { code: rpc, message: title, data: problem } },
    mcp: { jsonrpc: '2.0', id: 1, result: tool },
  }
  return Object.entries(bodies).map(([over, body]) => {
    const code = element('code', {}, JSON.stringify(body, null, 2))
    highlight(code)
    const pre = element('pre', { tabindex: '0' }, code)
    return element('div', { class: 'block example', 'data-over': over, 'data-status': status }, pre)
  })
}
