import { expect, test } from 'vitest'
import { billing } from '../../fixtures/billing.js'
import { servers } from '../../fixtures/servers.js'

test.each(servers)(
  'a batch gets the OpenRPC document only once under %s; notifications get none',
  async (_name, serve) => {
    const served = await serve(billing())
    const ask = { jsonrpc: '2.0', method: 'rpc.discover' }
    const { status, json } = await served.rpc([ask, ...[1, 2, 3].map((id) => ({ ...ask, id }))])
    const refused = {
      code: -32600,
      data: { code: 'invalid_request', detail: 'A batch may call rpc.discover only once.' },
    }
    expect(status).toBe(200)
    expect(json).toMatchObject([
      { id: 1, result: { openrpc: '1.3.2' } },
      { id: 2, error: refused },
      { id: 3, error: refused },
    ])
    const next = await served.rpc([{ ...ask, id: 4 }])
    expect(next.json).toMatchObject([{ id: 4, result: { openrpc: '1.3.2' } }])
    await served.close()
  },
)
