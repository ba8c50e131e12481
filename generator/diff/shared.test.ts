import { describe, expect, it } from 'vitest'
import { compared } from '../../test/diff/compared.js'
import type { JsonObject } from '../document/document.js'
import type { Change } from './change/change.js'

describe('a change of a shared schema', () => {
  it('is reported once, for the first operation by name, by the shortest route', async () => {
    const paths = {
      '/b': answering('b.get', { properties: { far: { properties: { near: item } }, item } }),
      '/a': answering('a.get', { properties: { far: { properties: { near: item } } } }),
    }
    const changes = await changesOf((maximum) => document(paths, { schemas: { Item: { maximum } } }))
    expect(changes).toMatchObject([
      {
        id: 'response-property-max-increased',
        operation: 'a.get',
        operations: ['a.get', 'b.get'],
        path: '/far/near',
      },
    ])
  })

  it('is reported separately if a surrounding schema gives it another level', async () => {
    const paths = {
      '/a': answering('a.get', { properties: { item } }),
      '/b': answering('b.get', { properties: { item: { anyOf: [item, { type: 'integer' }] } } }),
    }
    const schemas = (maximum: number) => ({ Item: { type: 'integer', maximum } })
    const changes = await changesOf((maximum) => document(paths, { schemas: schemas(maximum) }))
    expect(changes.map(({ level, operations }) => [level, ...operations])).toEqual([
      ['breaking', 'a.get'],
      ['compatible', 'b.get'],
    ])
    expect(new Set(changes.map(({ fingerprint }) => fingerprint)).size).toBe(2)
  })

  it('is reported separately if only one protocol has it', async () => {
    const over = { ...answering('b.get', item).get, 'x-rpc-method': false }
    const paths = { '/a': answering('a.get', item), '/b': { get: over } }
    const changes = await changesOf((maximum) => document(paths, { schemas: { Item: { maximum } } }))
    expect(changes.map(({ operations, protocols }) => [operations.length, ...protocols])).toEqual([
      [1, 'rest', 'jsonrpc'],
      [1, 'rest'],
    ])
  })

  it('may be in a shared parameter, too', async () => {
    const parameters = [{ $ref: '#/components/parameters/Limit' }]
    const path = (name: string) => ({ get: { ...answering(name, true).get, parameters } })
    const changes = await changesOf((maximum) => {
      const Limit = { in: 'query', name: 'limit', schema: { type: 'integer', maximum } }
      return document({ '/a': path('a.list'), '/b': path('b.list') }, { parameters: { Limit } })
    })
    expect(changes).toMatchObject([{ path: '/limit', operations: ['a.list', 'b.list'] }])
  })

  it('is found behind a reference with siblings', async () => {
    const paths = { '/a': answering('a.get', { ...item, minimum: 1 }) }
    const changes = await changesOf((maximum) => document(paths, { schemas: { Item: { maximum } } }))
    expect(changes.map(({ id }) => id)).toEqual(['response-body-max-increased'])
  })
})

it("a change of an operation's own schema belongs to that operation alone", async () => {
  const changes = await changesOf((maximum) =>
    document({ '/a': answering('a.get', { maximum }), '/b': answering('b.get', { maximum }) }, {}),
  )
  expect(changes.map(({ operations }) => operations)).toEqual([['a.get'], ['b.get']])
})

it('a witness from a surrounding schema has its own path', async () => {
  const values = (maximum: number) => ({
    oneOf: [
      { title: 'A', properties: { n: { type: 'integer', maximum } } },
      { title: 'B', required: ['m'] },
    ],
  })
  const changes = await changesOf((maximum) =>
    document({ '/a': answering('a.get', { properties: { whole: values(maximum) } }) }, {}),
  )
  expect(changes).toMatchObject([
    { path: '/whole/n', level: 'breaking', evidence: { at: '/whole', witness: { n: 9 } } },
  ])
})

const item: JsonObject = { $ref: '#/components/schemas/Item' }

/** The changes if a bound of 8 becomes 9. */
async function changesOf(version: (maximum: number) => JsonObject): Promise<readonly Change[]> {
  const [old, fresh] = [version(8), version(9)]
  return (await compared(JSON.stringify(old), JSON.stringify(fresh))).changes
}

function answering(name: string, schema: JsonObject | true): { readonly get: JsonObject } {
  const content = { 'application/json': { schema } }
  return { get: { operationId: name, responses: { 200: { description: 'Fine', content } } } }
}

function document(paths: JsonObject, components: JsonObject): JsonObject {
  return { openapi: '3.1.1', info: { title: 'Shop', version: '1.0.0' }, paths, components }
}
