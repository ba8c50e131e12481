import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { contractOf } from '../generator/mock/contract.js'
import { createClientOf, jsonrpc, rest } from '../runtime/client.js'
import { served as untilEnd } from '../runtime/fixtures/serve.js'
import { servers } from '../runtime/fixtures/servers.js'
import { createApiOf } from '../runtime/index.js'
import { generate } from './scenarios/scenario.js'

// A stream that breaks off goes on from its last event (HTML Living Standard, section 9.2.4).

const document = `openapi: 3.2.0
paths:
  /news:
    get:
      operationId: news.watch
      responses:
        '200':
          description: Events
          content:
            text/event-stream:
              itemSchema:
                type: object
                required: [id, data]
                properties:
                  id: { type: string }
                  data: { type: string, contentMediaType: application/json, contentSchema: { type: object, required: [n], properties: { n: { type: integer } } } }
`

interface News {
  readonly id: string
  readonly data: { readonly n: number }
}

/** What `createClient` of the generated package returns. */
interface Client {
  readonly news: {
    watch(params: object, options: { readonly headers: Record<string, string> }): AsyncGenerator<News>
  }
}

const { files, diagnostics } = await generate(document)
const contract = await contractOf(files)

/** An api that numbers its events, and breaks off after the second of each call. */
function newsApi(asked: unknown[]) {
  return createApiOf(contract, {
    logger: false,
    handlers: {
      news: {
        async *watch(
          _: unknown,
          context: { readonly request?: { readonly headers: Record<string, unknown> } },
        ) {
          const last = context.request?.headers['last-event-id']
          asked.push(last)
          const first = Number(last ?? 0) + 1
          for (let n = first; n <= 5; n++) {
            if (n === first + 2) {
              // The events before are on their way.
              await sleep(20)
              throw new Error('The connection of the handler is lost')
            }
            yield { id: String(n), data: { n } }
          }
        },
      },
    },
  })
}

const transports = { rest, jsonrpc }
// The one for fetch has no socket.
const onSockets = servers.slice(0, 2)

describe.each(onSockets)('under %s', (_, serve) => {
  it.each(Object.entries(transports))(
    'a client of %s goes on from the last event that it read',
    async (__, to) => {
      expect(diagnostics).toEqual([])
      const asked: unknown[] = []
      const served = await untilEnd(serve(newsApi(asked)))
      const transport = to(`http://127.0.0.1:${served.port}`)
      const client = createClientOf<Client>(contract, { transport, retry: false })
      const read: number[] = []
      const failures: unknown[] = []
      let last: string | undefined
      for (let attempt = 0; attempt < 5 && read.length < 5; attempt++) {
        const headers = last === undefined ? {} : { 'Last-Event-ID': last }
        try {
          for await (const { id, data } of client.news.watch({}, { headers })) {
            last = id
            read.push(data.n)
          }
        } catch (error) {
          failures.push(error)
        }
      }
      expect(read).toEqual([1, 2, 3, 4, 5])
      expect(asked).toEqual([undefined, '2', '4'])
      expect(failures.map((error) => error instanceof Error)).toEqual([true, true])
    },
  )
})
