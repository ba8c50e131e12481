import { expect, test } from 'vitest'
import { clientTree } from './client-tree.js'

type Method = (...call: unknown[]) => Promise<unknown[]>

const tree = (names: string[], members: Record<string, unknown> = {}) =>
  clientTree(new Map(names.map((name) => [name, async (...call: unknown[]) => [name, ...call]])), members)

/** The value at a path of members. */
function at(node: unknown, ...path: string[]): unknown {
  return path.reduce((inner, part) => (inner as Record<string, unknown>)[part], node)
}

/** The name of the operation that the method at a path calls. */
const called = async (node: unknown, ...path: string[]) => (await (at(node, ...path) as Method)())[0]

test('a dotted name is a path of members that ends in a method', async () => {
  const client = tree(['lnp.gateways.search', 'ping'])
  const search = at(client, 'lnp', 'gateways', 'search') as Method
  expect(await search({ limit: 1 }, { timeout: 5 })).toEqual([
    'lnp.gateways.search',
    { limit: 1 },
    { timeout: 5 },
  ])
  expect(await called(client, 'ping')).toBe('ping')
})

test('a name may be an operation and the prefix of others, in any order', async () => {
  const names = ['clients', 'clients.get', 'clients.name', 'clients.length.max']
  for (const client of [tree(names), tree(names.toReversed())]) {
    expect(await called(client, 'clients')).toBe('clients')
    expect(await called(client, 'clients', 'get')).toBe('clients.get')
    expect(await called(client, 'clients', 'name')).toBe('clients.name')
    expect(await called(client, 'clients', 'length', 'max')).toBe('clients.length.max')
  }
})

test('names of Object.prototype are names like any other', async () => {
  const names = ['__proto__.polluted', 'constructor', 'a.constructor', 'a.__proto__', 'a.toString.b']
  const client = tree(names)
  for (const name of names) expect(await called(client, ...name.split('.'))).toBe(name)
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

test('unknown operations have no member', () => {
  const client = tree(['clients.get'])
  expect(at(client, 'constructor')).toBeUndefined()
  expect(at(client, 'clients', 'toString')).toBeUndefined()
  expect(at(client, 'clients', '__proto__')).toBeUndefined()
})

test('operations give way to call, batch and notify at the top level only', async () => {
  const client = tree(['call', 'batch.start', 'a.notify'], { call: 1, batch: 2 })
  expect(at(client, 'call')).toBe(1)
  expect(at(client, 'batch')).toBe(2)
  expect(await called(client, 'call_')).toBe('call')
  expect(await called(client, 'batch_', 'start')).toBe('batch.start')
  expect(await called(client, 'a', 'notify')).toBe('a.notify')
})
