import { expect, test } from 'vitest'
import { contractOf } from '../fixtures/contract.js'
import { served, serveNode } from '../fixtures/serve.js'
import { createVersions } from '../index.js'
import { jsonrpc } from '../jsonrpc/client/transport.js'
import { rest } from '../rest/client/transport.js'
import { createClientOf } from './client.js'
import type { JsonRpcCalls } from './client-calls.js'
import type { ClientOptions, Deprecated } from './client-options.js'
import type { JsonRpcTransport } from './transport.js'

interface Types {
  'name.get': { params: object; result: string; errors: never }
  'name.old': { params: object; result: string; errors: never }
}
type Client = JsonRpcCalls<Types> & { name: { get(): Promise<string>; old(): Promise<string> } }

const closed = { type: 'object', additionalProperties: false }
const at = (version: string) =>
  contractOf(
    {
      'name.get': { method: 'GET', path: '/name', params: closed, result: { type: 'string' } },
      'name.old': {
        method: 'GET',
        path: '/old',
        params: closed,
        result: { type: 'string' },
        deprecation: { since: 1_767_225_600, sunset: 1_830_297_600 },
      },
    },
    { version },
  )

async function start(more: object = {}) {
  const seen: (string | undefined)[] = []
  const deprecated: Deprecated[] = []
  const server = await served(
    serveNode(
      createVersions({
        versions: [{ contract: at('1.0.0') }, { contract: at('2.0.0') }],
        adapters: { '1.0.0': { 'name.get': { result: (name: string) => `${name} of old` } } },
        handlers: { name: { get: () => 'Ada', old: () => 'Ada' } },
        onCall: ({ version }) => seen.push(version),
        sunsets: { '1.0.0': { day: '2999-06-30', deprecated: '2026-01-01' } },
        logger: false,
      }),
    ),
  )
  const clientOf = (version: string, transport: 'rest' | 'jsonrpc') =>
    createClientOf<Client>({ ...at(version), version }, {
      transport: (transport === 'rest' ? rest : jsonrpc)(
        `http://127.0.0.1:${server.port}`,
      ) as JsonRpcTransport,
      onDeprecated: (one: Deprecated) => deprecated.push(one),
      ...more,
    } as ClientOptions<JsonRpcTransport>)
  return { clientOf, seen, deprecated }
}

test.each(['rest', 'jsonrpc'] as const)('a client chooses its own version over %s', async (transport) => {
  const { clientOf, seen } = await start()
  expect(await clientOf('1.0.0', transport).name.get()).toBe('Ada of old')
  expect(await clientOf('2.0.0', transport).name.get()).toBe('Ada')
  expect(seen).toEqual(['1.0.0', '2.0.0'])
})

test('versionHeader: false leaves the choice to the service', async () => {
  const { clientOf } = await start({ versionHeader: false })
  expect(await clientOf('1.0.0', 'rest').name.get()).toBe('Ada')
})

test.each(['rest', 'jsonrpc'] as const)(
  'onDeprecated receives what the responses say of version and operation over %s',
  async (protocol) => {
    const { clientOf, deprecated } = await start()
    await clientOf('2.0.0', protocol).name.get()
    expect(deprecated).toEqual([])
    await clientOf('1.0.0', protocol).name.get()
    await clientOf('2.0.0', protocol).name.old()
    const since = new Date('2026-01-01')
    expect(deprecated).toEqual([
      { operation: 'name.get', protocol, since, sunset: new Date('2999-06-30'), successor: '2.0.0' },
      { operation: 'name.old', protocol, since, sunset: new Date('2028-01-01'), successor: undefined },
    ])
  },
)

test('onDeprecated receives the earliest sunset of a batch', async () => {
  const { clientOf, deprecated } = await start()
  await clientOf('2.0.0', 'jsonrpc').batch([
    ['name.get', {}],
    ['name.old', {}],
  ])
  expect(deprecated).toMatchObject([{ operation: 'batch', sunset: new Date('2028-01-01') }])
})
