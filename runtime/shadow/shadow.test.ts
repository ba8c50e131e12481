import { describe, expect, test } from 'vitest'
import { apiOf } from '../fixtures/api.js'
import { contractOf, type Definition, parameter } from '../fixtures/contract.js'
import { served, serveFetch, serveNode } from '../fixtures/serve.js'
import type { ShadowChanges, UsageEntry } from '../index.js'

const closed = (properties: object, required: string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
})
const id = parameter('id', ['integer'], { in: 'path' })
const limit = parameter('limit', ['integer'])
const number = { type: 'integer' }
const note = { type: 'string', maxLength: 9 }
const body = { required: false, kind: 'fields' as const }
const search = (maximum: number, path = '/people'): Definition => ({
  method: 'GET',
  path,
  parameters: [limit],
  params: closed({ limit: { ...number, maximum, default: maximum } }),
  result: {},
})
const write = (params: object, path = '/people/{id}'): Definition => ({
  method: 'POST',
  path,
  parameters: [id],
  body,
  params,
  result: {},
})
const older: Record<string, Definition> = {
  'people.search': search(100),
  'people.write': write(
    closed({ id: number, kind: { enum: ['a', 'b'] }, note, tags: { type: 'array', items: note } }, ['id']),
  ),
  'people.move': write(closed({ id: number, note }, ['id']), '/move/{id}'),
  'people.drop': { method: 'POST', path: '/drop', body, params: closed({}), result: {} },
}
const newer: Record<string, Definition> = {
  'people.search': search(10),
  'people.write': write(
    closed(
      { id: number, kind: { enum: ['a'] }, note, tags: { type: 'array', items: { ...note, maxLength: 3 } } },
      ['id', 'note'],
    ),
  ),
  'people.shift': write(closed({ id: number, note }, ['id', 'note']), '/shift/{id}'),
}
const both = ['rest', 'jsonrpc'] as const
const changes: ShadowChanges = {
  duet: 'shadow/1',
  api: 'Fixture',
  from: '1.0.0',
  to: '2.0.0',
  operations: {
    'people.search': {
      watched: 'w1',
      next: { rest: 'people.search', jsonrpc: 'people.search' },
      changes: [
        { fingerprint: 'max', protocols: both, sign: 'violation', path: '/limit', keywords: ['maximum'] },
      ],
    },
    'people.write': {
      watched: 'w2',
      next: { rest: 'people.write', jsonrpc: 'people.write' },
      changes: [
        { fingerprint: 'enum', protocols: both, sign: 'violation', path: '/kind', keywords: ['enum'] },
        { fingerprint: 'needed', protocols: both, sign: 'violation', path: '/note', keywords: ['required'] },
        { fingerprint: 'tags', protocols: both, sign: 'violation', path: '/tags/*', keywords: ['maxLength'] },
      ],
    },
    'people.move': {
      watched: 'w3',
      next: { rest: 'people.shift', jsonrpc: 'people.shift' },
      changes: [
        { fingerprint: 'moved', protocols: ['rest'], sign: 'address' },
        { fingerprint: 'renamed', protocols: ['jsonrpc'], sign: 'address' },
        { fingerprint: 'needed', protocols: both, sign: 'violation', path: '/note', keywords: ['required'] },
      ],
    },
    'people.drop': {
      watched: 'w4',
      next: {},
      changes: [{ fingerprint: 'gone', protocols: both, sign: 'address' }],
    },
  },
}
const handlers = {
  people: {
    search: () => null,
    write: (params: object) => ({ ...params }),
    move: () => null,
    drop: () => null,
  },
}

function start(more: object = {}, options: object = {}) {
  const recorded: UsageEntry[] = []
  const ledger = { record: (entries: readonly UsageEntry[]) => void recorded.push(...entries) }
  const next = { contract: contractOf(newer, { version: '2.0.0' }) }
  const api = apiOf(older, {
    handlers,
    logger: false,
    shadow: { next, changes, ledger, ...more },
    ...options,
  })
  return { api, recorded }
}

/** What was found, by operation and protocol. */
async function found({ api, recorded }: ReturnType<typeof start>) {
  await new Promise((resolve) => setTimeout(resolve, 20))
  await api.flushUsage()
  return Object.fromEntries(
    recorded.map(({ operation, protocol, calls, sampled, unattributed, hits }) => [
      `${operation} ${protocol}`,
      {
        calls,
        sampled,
        unattributed,
        hits: Object.fromEntries(Object.entries(hits).map(([key, hit]) => [key, hit.calls])),
      },
    ]),
  )
}

const call = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
const fine = { unattributed: 0, hits: {} }

describe.each([
  ['node:http', serveNode],
  ['fetch', serveFetch],
])('a shadow under %s', (_, serve) => {
  const serving = async (more?: object, options?: object) => {
    const started = start(more, options)
    return { ...started, server: await served(serve(started.api)) }
  }

  test('maps what the next version refuses to the change that causes it, over both protocols', async () => {
    const { server, ...started } = await serving()
    await server.ask('/people?limit=50')
    await server.ask('/people?limit=5')
    await server.ask('/people/7', { method: 'POST', body: { kind: 'b', note: 'x', tags: ['long', 'ok'] } })
    await server.ask('/people/7', { method: 'POST', body: { kind: 'a' } })
    await server.rpc(call('people.search', { limit: 50 }))
    await server.rpc([
      call('people.write', { id: 7, tags: ['long', 'longer'] }),
      call('people.write', { id: 7, note: 'x' }),
    ])
    expect(await found(started)).toEqual({
      'people.search rest': { calls: 2, sampled: 2, unattributed: 0, hits: { max: 1 } },
      'people.write rest': { calls: 2, sampled: 2, unattributed: 0, hits: { enum: 1, needed: 1, tags: 1 } },
      'people.search jsonrpc': { calls: 1, sampled: 1, unattributed: 0, hits: { max: 1 } },
      'people.write jsonrpc': { calls: 2, sampled: 2, unattributed: 0, hits: { needed: 1, tags: 1 } },
    })
  })

  test('sees what callers send, not the defaults that this version fills in', async () => {
    const { server, ...started } = await serving()
    await server.ask('/people')
    await server.rpc(call('people.search', {}))
    const one = { calls: 1, sampled: 1, ...fine }
    expect(await found(started)).toEqual({ 'people.search rest': one, 'people.search jsonrpc': one })
  })

  test('follows operations that moved, and counts those that are gone', async () => {
    const { server, ...started } = await serving()
    await server.ask('/move/7', { method: 'POST', body: { note: 'x' } })
    await server.ask('/move/7', { method: 'POST', body: {} })
    await server.rpc(call('people.move', { id: 7 }))
    await server.ask('/drop', { method: 'POST' })
    await server.rpc(call('people.drop', {}))
    expect(await found(started)).toEqual({
      'people.move rest': { calls: 2, sampled: 2, unattributed: 0, hits: { moved: 2, needed: 1 } },
      'people.move jsonrpc': { calls: 1, sampled: 1, unattributed: 0, hits: { renamed: 1, needed: 1 } },
      'people.drop rest': { calls: 1, sampled: 1, unattributed: 0, hits: { gone: 1 } },
      'people.drop jsonrpc': { calls: 1, sampled: 1, unattributed: 0, hits: { gone: 1 } },
    })
  })

  test('counts one call for the removed member that it sends, not for those next to it', async () => {
    const removed = (name: string) =>
      ({
        fingerprint: name,
        protocols: both,
        sign: 'violation',
        path: `/${name}`,
        keywords: [],
        around: '',
      }) as const
    const removing = { ...changes.operations['people.write'], changes: [removed('kind'), removed('tags')] }
    const contract = contractOf(
      { ...newer, 'people.write': write(closed({ id: number, note }, ['id'])) },
      { version: '2.0.0' },
    )
    const operations = { ...changes.operations, 'people.write': removing }
    const { server, ...started } = await serving({ next: { contract }, changes: { ...changes, operations } })
    await server.ask('/people/7', { method: 'POST', body: { kind: 'a' } })
    await server.rpc(call('people.write', { id: 7, kind: 'a', tags: [] }))
    expect(await found(started)).toEqual({
      'people.write rest': { calls: 1, sampled: 1, unattributed: 0, hits: { kind: 1 } },
      'people.write jsonrpc': { calls: 1, sampled: 1, unattributed: 0, hits: { kind: 1, tags: 1 } },
    })
  })

  test('counts refusals that no change explains as unattributed', async () => {
    const operations = {
      ...changes.operations,
      'people.write': { ...changes.operations['people.write'], changes: [] },
    }
    const { server, ...started } = await serving({ changes: { ...changes, operations } })
    await server.ask('/people/7', { method: 'POST', body: { kind: 'b', note: 'x' } })
    expect(await found(started)).toEqual({
      'people.write rest': { calls: 1, sampled: 1, unattributed: 1, hits: {} },
    })
  })

  test('counts calls that pass as tried, and does not try them', async () => {
    const write = { ...changes.operations['people.write'], changes: [], passes: ['rest'] as const }
    const contract = contractOf(newer, { version: '2.0.0' })
    let tries = 0
    const params = () => {
      tries += 1
      return true
    }
    const validators = { ...contract.validators, 'people.write': { params, result: () => true } }
    const { server, ...started } = await serving({
      next: { contract: { ...contract, validators } },
      changes: { ...changes, operations: { ...changes.operations, 'people.write': write } },
    })
    await server.ask('/people/7', { method: 'POST', body: { note: 'x' } })
    await server.ask('/people/7', { method: 'POST', body: { kind: 'none' } })
    await server.ask('/people?limit=50')
    expect(tries).toBe(0)
    await server.rpc(call('people.write', { id: 7, note: 'x' }))
    expect(await found(started)).toEqual({
      'people.write rest': { calls: 1, sampled: 1, ...fine },
      'people.search rest': { calls: 1, sampled: 1, unattributed: 0, hits: { max: 1 } },
      'people.write jsonrpc': { calls: 1, sampled: 1, ...fine },
    })
    expect(tries).toBe(1)
  })

  test('tries a call that passes if it sends a header that is new in the next version', async () => {
    const passing = { changes: [], passes: ['rest'], unless: ['x-note'] } as const
    const operations = {
      ...changes.operations,
      'people.write': { ...changes.operations['people.write'], ...passing },
    }
    const header = parameter('x-note', ['string'], { in: 'header', param: 'note' })
    const next = contractOf(
      {
        ...newer,
        'people.write': { ...write(closed({ id: number, note }, ['id'])), parameters: [id, header] },
      },
      { version: '2.0.0' },
    )
    const { server, ...started } = await serving({
      next: { contract: next },
      changes: { ...changes, operations },
    })
    await server.ask('/people/7', { method: 'POST', body: {} })
    await server.ask('/people/7', { method: 'POST', body: {}, headers: { 'X-Note': 'short' } })
    await server.ask('/people/7', { method: 'POST', body: {}, headers: { 'X-Note': 'longer than nine' } })
    expect(await found(started)).toEqual({
      'people.write rest': { calls: 3, sampled: 3, unattributed: 1, hits: {} },
    })
  })

  test('leaves out calls that this version refuses', async () => {
    const { server, ...started } = await serving()
    await server.ask('/people?limit=many')
    await server.rpc(call('people.search', { limit: 500 }))
    await server.rpc(call('people.none', {}))
    expect(await found(started)).toEqual({})
  })

  test('tries a share of the calls, and counts all of them', async () => {
    const { server, ...started } = await serving({ sample: 0 })
    await server.ask('/people?limit=50')
    expect(await found(started)).toEqual({ 'people.search rest': { calls: 1, sampled: 0, ...fine } })
  })

  test('counts without a next version', async () => {
    const { server, ...started } = await serving({ next: undefined, changes: undefined })
    await server.ask('/people?limit=50')
    expect(await found(started)).toEqual({ 'people.search rest': { calls: 1, sampled: 0, ...fine } })
    expect(started.recorded[0]).not.toHaveProperty('next')
  })

  test('writes neither values nor names of callers', async () => {
    const { server, ...started } = await serving()
    await server.ask('/people/4711?secret=Ada', {
      method: 'POST',
      body: { note: 'Grace', kind: 'b', Edsger: 1 },
    })
    await server.ask('/people/4711', { method: 'POST', body: { note: 'Grace', kind: 'b' } })
    await server.rpc(call('people.write', { id: 4711, note: 'Grace', tags: ['Barbara'.slice(0, 5)] }))
    await found(started)
    expect(started.recorded).not.toEqual([])
    expect(JSON.stringify(started.recorded)).not.toMatch(/4711|Ada|Grace|Edsger|Barba/)
  })

  test('answers as before, whatever the ledger does', async () => {
    const ledger = {
      record() {
        throw new Error('full')
      },
    }
    const { server, ...started } = await serving({ ledger })
    const { json } = await server.ask('/people/7', { method: 'POST', body: { kind: 'b' } })
    expect(json).toEqual({ id: 7, kind: 'b' })
    await started.api.flushUsage()
  })

  test('tries a call only when it is answered', async () => {
    const events: string[] = []
    const contract = contractOf(newer, { version: '2.0.0' })
    const validators = contract.validators['people.search']
    const params = (data: unknown) => {
      events.push('tried')
      return validators?.params(data) ?? false
    }
    const spied = {
      ...contract,
      validators: { ...contract.validators, 'people.search': { ...validators, params } },
    }
    const people = {
      ...handlers.people,
      async search() {
        await new Promise((resolve) => setTimeout(resolve, 30))
        events.push('handled')
        return null
      },
    }
    const { server, ...started } = await serving({ next: { contract: spied } }, { handlers: { people } })
    await server.rpc([call('people.search', { limit: 1 }), call('people.search', { limit: 2 })])
    await found(started)
    expect(events).toEqual(['handled', 'handled', 'tried', 'tried'])
  })
})

test('changes of other versions are refused at the start', () => {
  expect(() => start({ changes: { ...changes, to: '3.0.0' } })).toThrow(
    'shadow.changes are those of Fixture from 1.0.0 to 3.0.0, not of Fixture from 1.0.0 to 2.0.0',
  )
})
