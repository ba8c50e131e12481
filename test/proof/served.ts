import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApiOf } from 'duet-runtime'
import type { Json } from '../../generator/document/document.js'
import { emit } from '../../generator/emit/emit.js'
import { contractOf } from '../../generator/mock/contract.js'
import type { Model } from '../../generator/model/model.js'
import { handlersOf } from '../../generator/samples/handlers.js'

/** A version generated and served over HTTP. */
export interface Served {
  readonly model: Model
  readonly url: string
  /** Names of the operations whose handlers were called, in that order. */
  readonly reached: string[]
  /** What handlers answer, by the names of their operations; null for others. */
  readonly results: Map<string, Json>
  readonly close: () => Promise<unknown>
}

export async function served(model: Model): Promise<Served> {
  const contract = await contractOf(await emit(model, [], 'openapi.yaml'))
  const reached: string[] = []
  const results = new Map<string, Json>()
  const handlers = handlersOf(model.operations, ({ name }) => {
    reached.push(name)
    return structuredClone(results.get(name) ?? null)
  })
  const api = createApiOf<Record<string, never>, object, object, string>(contract, {
    handlers,
    authenticate: () => ({}),
  })
  const server = createServer(api.node())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    model,
    url: `http://127.0.0.1:${port}`,
    reached,
    results,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}
