import type { Connection } from './connection.js'
import { button, element } from './element.js'
import { sent } from './exchange.js'
import { type Call, preparedBatch, requestText } from './request.js'

/** Calls that go out together in one JSON-RPC request. */
export interface Batch {
  add(call: Call): void
}

/** A drawer at the foot of the page that shows itself with the first call. */
export function batchOf(connection: Connection, page: HTMLElement): Batch {
  const calls: Call[] = []
  const list = element('ol')
  const request = element('pre', { tabindex: '0', 'aria-label': 'Batch request' })
  const answer = element('pre', { tabindex: '0', 'aria-label': "Batch's answer", hidden: true })
  const status = element('p', { role: 'status', class: 'status' })
  const title = element('summary')

  const show = async () => {
    drawer.hidden = calls.length === 0
    title.textContent = `JSON-RPC batch of ${calls.length}`
    list.replaceChildren(
      ...calls.map((call, index) => {
        const remove = button('Remove', () => {
          calls.splice(index, 1)
          void show()
        })
        remove.setAttribute('aria-label', `Remove ${call.operation.name} from the batch`)
        return element(
          'li',
          {},
          element('code', {}, `${call.operation.rpc} ${JSON.stringify(call.params)}`),
          remove,
        )
      }),
    )
    if (calls.length > 0)
      request.textContent = requestText(await preparedBatch(calls, connection), connection.secrets)
  }
  const send = async () => {
    status.textContent = 'Waiting…'
    const outcome = await sent(await preparedBatch(calls, connection))
    answer.hidden = 'failure' in outcome
    status.className = 'failure' in outcome ? 'status wrong' : 'status fine'
    status.textContent =
      'failure' in outcome ? outcome.failure : `${outcome.status} in ${Math.round(outcome.milliseconds)} ms`
    if (!('failure' in outcome)) answer.textContent = outcome.body === '' ? 'no content' : outcome.body
  }
  const clear = () => {
    calls.length = 0
    answer.hidden = true
    status.textContent = ''
    void show()
  }
  const drawer = element(
    'details',
    { class: 'batch', hidden: true },
    title,
    list,
    element(
      'div',
      { class: 'actions' },
      button('Send batch', () => void send(), 'primary'),
      button('Clear', clear),
    ),
    request,
    status,
    answer,
  )
  page.append(drawer)
  connection.onChange(() => void show())
  return {
    add(call) {
      calls.push(call)
      drawer.open = true
      void show()
    },
  }
}
