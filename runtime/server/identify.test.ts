import { EventEmitter, once } from 'node:events'
import http from 'node:http'
import { expect, test, vi } from 'vitest'
import { apiOf } from '../fixtures/api.js'
import { contractOf, parameter } from '../fixtures/contract.js'
import { served, serveNode } from '../fixtures/serve.js'
import { createVersions, type UsageEntry } from '../index.js'
import { consumerHash } from '../usage.js'
import type { Context } from './api/context.js'

const signIn = { method: 'GET', path: '/sign-in', parameters: [parameter('name', ['string'])] } as const
const rpc = (id: number, name?: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'user.enter',
  params: { ...(name !== undefined && { name }) },
})

/** Signs in everybody with a name, and refuses `wrong` after that. */
async function enter({ name }: { name?: string }, context: Context<unknown>) {
  await Promise.resolve()
  if (name !== undefined) context.identify(name)
  if (name === 'wrong') throw context.problem('forbidden')
  return `${context.principal}`
}

/** Options of an api, the names that `onCall` receives, and the calls that usage counts by consumer. */
function watching() {
  const names: unknown[] = []
  const entries: UsageEntry[] = []
  const ledger = { record: (recorded: readonly UsageEntry[]) => void entries.push(...recorded) }
  return {
    names,
    options: {
      handlers: { user: { enter } },
      logger: false,
      onCall: ({ principal }: { principal: unknown }) => void names.push(principal),
      shadow: { ledger, consumer: String, salt: 'a salt' },
    } as const,
    counts: () =>
      Object.fromEntries(entries.map(({ protocol, consumer, calls }) => [`${protocol} ${consumer}`, calls])),
  }
}
const [ada, ben, wrong] = ['ada', 'ben', 'wrong'].map((name) => consumerHash('a salt', name))

test('a call counts for the caller that its handler names, over both protocols, each call of a batch for its own', async () => {
  const { names, options, counts } = watching()
  const api = apiOf({ 'user.enter': signIn }, options)
  const server = await served(serveNode(api))
  expect((await server.ask('/sign-in?name=ada')).json).toBe('undefined')
  await server.ask('/sign-in')
  await server.rpc(rpc(1, 'ada'))
  await server.rpc([rpc(1, 'ada'), rpc(2, 'ben'), rpc(3), rpc(4, 'wrong')])
  await api.flushUsage()
  expect(names).toEqual(['ada', undefined, 'ada', 'ada', 'ben', undefined, 'wrong'])
  expect(counts()).toEqual({
    [`rest ${ada}`]: 1,
    'rest anonymous': 1,
    [`jsonrpc ${ada}`]: 2,
    [`jsonrpc ${ben}`]: 1,
    'jsonrpc anonymous': 1,
    [`jsonrpc ${wrong}`]: 1,
  })
})

test('a handler of another version names the caller of the version that was called', async () => {
  const { names, options, counts } = watching()
  const [older, next] = ['1.0.0', '2.0.0'].map((version) => contractOf({ 'user.enter': signIn }, { version }))
  if (older === undefined || next === undefined) throw new Error('no contract')
  const versions = createVersions<unknown, unknown>({
    ...options,
    versions: [{ contract: older }, { contract: next }],
    adapters: { '1.0.0': {} },
  })
  const server = await served(serveNode(versions))
  await server.ask('/1.0.0/sign-in?name=ada')
  await versions.flushUsage()
  expect(names).toEqual(['ada'])
  expect(counts()).toEqual({ [`rest ${ada}`]: 1 })
})

test('a call whose caller disconnects counts when its handler ends, with its trial on the next version', async () => {
  const entries: UsageEntry[] = []
  const ledger = { record: (recorded: readonly UsageEntry[]) => void entries.push(...recorded) }
  const told = new EventEmitter()
  async function slow(_params: unknown, context: Context<unknown>) {
    told.emit('arrived', context.signal)
    await once(told, 'go')
    context.identify('ada')
  }
  const next = { contract: contractOf({ 'user.enter': signIn }, { version: '2.0.0' }) }
  const api = apiOf(
    { 'user.enter': signIn },
    {
      logger: false,
      handlers: { user: { enter: slow } },
      onCall: () => told.emit('ended'),
      shadow: { ledger, consumer: String, salt: 'a salt', next },
    },
  )
  const server = await served(serveNode(api))
  const arrived = once(told, 'arrived')
  const request = http.get({ host: '127.0.0.1', port: server.port, path: '/sign-in' }).on('error', () => {})
  const [signal] = (await arrived) as [AbortSignal]
  request.destroy()
  await vi.waitUntil(() => signal.aborted)
  await api.flushUsage()
  expect(entries).toEqual([])
  const ended = once(told, 'ended')
  told.emit('go')
  await ended
  await api.flushUsage()
  expect(entries).toMatchObject([{ consumer: ada, calls: 1, sampled: 1 }])
})
