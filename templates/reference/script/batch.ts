import { jsonText } from 'duet-runtime/json'
import { attempt } from './attempt.js'
import type { Connection } from './connection.js'
import { button, element, focusOn, isolated } from './element.js'
import { type Outcome, sent } from './exchange.js'
import { isSchema } from './page.js'
import { type Call, preparedBatch, requestText } from './request.js'

/** Calls that one JSON-RPC request sends together. */
export interface Batch {
  add(call: Call): void
  /** Clears the page for a response. */
  fold(): void
}

/** A drawer at the foot of the page that appears with the first call. */
export function batchOf(connection: Connection, page: HTMLElement): Batch {
  const calls: Call[] = []
  const list = element('ol')
  const request = element('pre', { tabindex: '0', 'aria-label': 'Batch request' })
  const answer = element('pre', { tabindex: '0', 'aria-label': 'Batch response', hidden: true })
  const status = element('p', { role: 'status', class: 'status' })
  const title = element('summary')
  let latest = 0
  let notice: ReturnType<Connection['notice']> | undefined

  const preview = async () => {
    if (calls.length === 0) return
    const shown = await attempt(() => preparedBatch(calls, connection))
    const text = 'reason' in shown ? shown.reason : requestText(shown.value, connection.secrets)
    request.replaceChildren(...isolated(text))
    request.classList.toggle('wrong', 'reason' in shown)
  }
  const say = (text: string, isFine: boolean) => {
    status.textContent = text
    status.className = `status ${isFine ? 'fine' : 'wrong'}`
  }
  const show = () => {
    // A response that is still on its way belongs to a previous list of calls.
    latest += 1
    answer.hidden = true
    status.textContent = ''
    region.hidden = calls.length === 0
    title.textContent = `JSON-RPC batch of ${calls.length}`
    list.replaceChildren(
      ...calls.map((call, index) => {
        const remove = button('Remove', () => {
          calls.splice(index, 1)
          show()
          refocus(index)
        })
        remove.setAttribute('aria-label', `Remove ${call.operation.name} from the batch`)
        return element(
          'li',
          {},
          element('code', {}, ...isolated(`${call.operation.rpc} ${jsonText(call.params)}`)),
          remove,
        )
      }),
    )
    void preview()
  }
  // The focused element was removed; without this, keyboard and screen reader users would start at the top
  // again.
  const refocus = (index: number) => {
    if (calls.length === 0) focusOn(document.querySelector('main'))
    else (list.querySelectorAll('button')[index] ?? title).focus()
  }
  const send = async () => {
    latest += 1
    const mine = latest
    const asked = calls.length
    const ready = await attempt(() => preparedBatch(calls, connection))
    if ('reason' in ready) {
      answer.hidden = true
      say(`Not sent. ${ready.reason}`, false)
      return
    }
    status.className = 'status'
    status.textContent = 'Waiting…'
    const outcome = await sent(ready.value)
    if (mine !== latest) return
    answer.hidden = 'failure' in outcome
    if ('failure' in outcome) say(outcome.failure, false)
    else {
      const failed = asked - succeeded(outcome)
      const time = `${outcome.status} in ${Math.round(outcome.milliseconds)} ms`
      say(failed === 0 ? time : `${time}, ${failed} of ${asked} failed`, failed === 0)
      answer.replaceChildren(...isolated(outcome.body === '' ? 'no content' : outcome.body))
    }
  }
  const drawer = element(
    'details',
    { class: 'batch' },
    title,
    list,
    element(
      'div',
      { class: 'actions' },
      button('Send batch', () => void send(), 'primary'),
      button('Clear', () => {
        calls.length = 0
        show()
        refocus(0)
      }),
    ),
    status,
    answer,
    request,
  )
  drawer.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !drawer.open) return
    drawer.open = false
    title.focus()
  })
  const region = element('section', { 'aria-label': 'JSON-RPC batch', hidden: true }, drawer)
  page.append(region)
  makeRoom(drawer)
  connection.onChange(() => void preview())
  return {
    add(call) {
      if (notice === undefined) {
        notice = connection.notice()
        notice.update()
        list.after(notice.element)
      }
      calls.push(call)
      drawer.open = true
      show()
    },
    fold() {
      drawer.open = false
    },
  }
}

/** The number of calls with a result. A call without a response has none. */
function succeeded({ json }: Extract<Outcome, { json: unknown }>): number {
  return Array.isArray(json) ? json.filter((each) => isSchema(each) && 'result' in each).length : 0
}

/** WCAG 2.2, 2.4.11: scrolls focused elements clear of the drawer, whatever its height. */
function makeRoom(drawer: HTMLElement): void {
  new ResizeObserver(() => {
    document.documentElement.style.setProperty('--drawer', `${drawer.offsetHeight}px`)
    const focused = document.querySelector('main :focus-visible')
    focused?.scrollIntoView({ block: 'nearest' })
  }).observe(drawer)
}
