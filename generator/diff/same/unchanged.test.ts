import { expect, it } from 'vitest'
import { sidesOf } from '../../../test/diff/compared.js'
import type { Json } from '../../document/document.js'
import { Unchanged } from './unchanged.js'

interface Parts {
  readonly schemas?: { readonly [name: string]: Json }
  readonly security?: Json
}

/** Two operations: one refers to the schema A, the other to none. */
function document({ schemas = {}, security = [] }: Parts): string {
  const answer = (schema: Json) => ({
    responses: { 200: { description: 'Fine', content: { 'application/json': { schema } } } },
  })
  return JSON.stringify({
    openapi: '3.1.1',
    info: { title: 'A', version: '1' },
    security,
    paths: {
      '/a': { get: answer({ $ref: '#/components/schemas/A' }) },
      '/b': { get: answer({ type: 'string' }) },
    },
    components: { schemas },
  })
}

/** The paths of unchanged operations. */
async function unchanged(old: Parts, fresh: Parts): Promise<string[]> {
  const [before, after] = await sidesOf(document(old), document(fresh))
  const same = new Unchanged(before, after)
  return before.endpoints.flatMap((endpoint, index) => {
    const other = after.endpoints[index]
    return other !== undefined && same.has(endpoint, other) ? [endpoint.path] : []
  })
}

const [a, b] = [{ properties: { b: { $ref: '#/components/schemas/B' } } }, { type: 'integer' }]

it('includes operations if only the order of members and unused parts differ', async () => {
  const fresh = { C: { type: 'null' }, B: b, A: a }
  expect(await unchanged({ schemas: { A: a, B: b } }, { schemas: fresh })).toEqual(['/a', '/b'])
})

it('excludes an operation that leads to a change through another reference', async () => {
  const fresh = { A: a, B: { type: 'string' } }
  expect(await unchanged({ schemas: { A: a, B: b } }, { schemas: fresh })).toEqual(['/b'])
})

it('includes an operation with recursive schemas', async () => {
  const schemas = { A: a, B: { properties: { a: { $ref: '#/components/schemas/A' } } } }
  expect(await unchanged({ schemas }, { schemas })).toEqual(['/a', '/b'])
})

it('excludes an operation with a missing reference', async () => {
  expect(await unchanged({}, {})).toEqual(['/b'])
})

it('excludes an operation with a discriminator, which other schemas affect', async () => {
  const schemas = { A: { ...a, discriminator: { propertyName: 'b' } }, B: b }
  expect(await unchanged({ schemas }, { schemas })).toEqual(['/b'])
})

it('is empty if the document changes something for all operations', async () => {
  expect(await unchanged({ schemas: { A: a, B: b } }, { schemas: { A: a, B: b }, security: [{}] })).toEqual(
    [],
  )
})
