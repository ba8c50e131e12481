import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractOf } from '../../fixtures/contract.js'
import type { Served } from '../../fixtures/serve.js'
import { servers } from '../../fixtures/servers.js'
import { createApiOf } from '../../server.js'

/**
 * Every example of the JSON-RPC 2.0 specification, section 7. One difference by design: params are only by
 * name, so positional calls get -32602.
 */
const numbers = {
  type: 'object',
  properties: { minuend: { type: 'number' }, subtrahend: { type: 'number' } },
}
const called: string[] = []
const api = createApiOf(
  contractOf({
    subtract: { params: numbers },
    update: {},
    foobar: {},
    sum: {},
    notify_hello: {},
    get_data: {},
    notify_sum: {},
  }),
  {
    handlers: {
      default: {
        subtract: ({ minuend, subtrahend }: { minuend: number; subtrahend: number }) => minuend - subtrahend,
        update: () => called.push('update'),
        get_data: () => ['hello', 5],
        notify_hello: () => called.push('notify_hello'),
      },
    },
  },
)

const error = (code: number, id: unknown) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: expect.any(String), data: expect.objectContaining({ code: expect.any(String) }) },
})

/** Body parsers refuse malformed text themselves, so they are left out. */
describe.each(servers.filter(([name]) => !name.includes('parser')))(
  'JSON-RPC 2.0 section 7 under %s',
  (_, serve) => {
    let served: Served
    beforeAll(async () => {
      served = await serve(api)
    })
    afterAll(() => served.close())

    test('rpc call with positional parameters', async () => {
      const { json, status } = await served.rpc(
        '{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}',
      )
      expect([status, json]).toEqual([200, error(-32602, 1)])
      expect(json.error.data.detail).toContain('by name')
      expect(
        (await served.rpc('{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}')).json,
      ).toEqual(error(-32602, 2))
    })

    test('rpc call with named parameters', async () => {
      const first =
        '{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}'
      const second =
        '{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": 4}'
      expect((await served.rpc(first)).json).toEqual({ jsonrpc: '2.0', result: 19, id: 3 })
      expect((await served.rpc(second)).json).toEqual({ jsonrpc: '2.0', result: 19, id: 4 })
    })

    test('a notification', async () => {
      called.length = 0
      const update = await served.rpc('{"jsonrpc": "2.0", "method": "update", "params": {"a": 1}}')
      expect([update.status, update.text, called]).toEqual([204, '', ['update']])
      const positional = await served.rpc('{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}')
      expect([positional.status, positional.text]).toEqual([204, ''])
      const foobar = await served.rpc('{"jsonrpc": "2.0", "method": "foobar"}')
      expect([foobar.status, foobar.text]).toEqual([204, ''])
    })

    test('rpc call of non-existent method', async () => {
      expect((await served.rpc('{"jsonrpc": "2.0", "method": "foobaz", "id": "1"}')).json).toEqual(
        error(-32601, '1'),
      )
    })

    test('rpc call with invalid JSON', async () => {
      const { status, json } = await served.rpc(
        '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]',
      )
      expect([status, json]).toEqual([200, error(-32700, null)])
    })

    test('rpc call with invalid Request object', async () => {
      const { json } = await served.rpc('{"jsonrpc": "2.0", "method": 1, "params": "bar"}')
      expect(json).toEqual(error(-32600, null))
    })

    test('rpc call Batch, invalid JSON', async () => {
      const text = `[
      {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
      {"jsonrpc": "2.0", "method"
    ]`
      expect((await served.rpc(text)).json).toEqual(error(-32700, null))
    })

    test('rpc call with an empty Array', async () => {
      expect((await served.rpc('[]')).json).toEqual(error(-32600, null))
    })

    test('rpc call with an invalid Batch (but not empty)', async () => {
      expect((await served.rpc('[1]')).json).toEqual([error(-32600, null)])
    })

    test('rpc call with invalid Batch', async () => {
      expect((await served.rpc('[1,2,3]')).json).toEqual([
        error(-32600, null),
        error(-32600, null),
        error(-32600, null),
      ])
    })

    test('rpc call Batch', async () => {
      const { json } = await served.rpc(`[
      {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
      {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
      {"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": "2"},
      {"foo": "boo"},
      {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
      {"jsonrpc": "2.0", "method": "get_data", "id": "9"}
    ]`)
      expect(json).toEqual([
        error(-32602, '1'),
        { jsonrpc: '2.0', result: 19, id: '2' },
        error(-32600, null),
        error(-32601, '5'),
        { jsonrpc: '2.0', result: ['hello', 5], id: '9' },
      ])
    })

    test('rpc call Batch (all notifications)', async () => {
      const { status, text } = await served.rpc(`[
      {"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},
      {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}
    ]`)
      expect([status, text]).toEqual([204, ''])
    })
  },
)
