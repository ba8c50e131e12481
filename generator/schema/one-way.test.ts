import { describe, expect, it } from 'vitest'
import { generate, loadValidators } from '../../test/scenarios/scenario.js'
import { isLeftOut } from './one-way.js'
import type { Schema } from './schema.js'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const content = { 'application/json': { schema: { type: 'array', items: ref('C') } } }

/** An operation that accepts and returns a list of C, and one that accepts a list of A. */
async function validatorsOf(schemas: Readonly<Record<string, object>>) {
  const { files } = await generate({
    openapi: '3.1.0',
    info: { title: 'A', version: '1.0.0' },
    paths: {
      '/c': {
        post: {
          'x-rpc-method': 'c.create',
          requestBody: { required: true, content },
          responses: { '200': { description: 'ok', content } },
        },
        put: {
          'x-rpc-method': 'a.create',
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { type: 'array', items: ref('A') } } },
          },
          responses: { '204': { description: 'ok' } },
        },
      },
    },
    components: { schemas: JSON.parse(JSON.stringify(schemas)) },
  })
  return loadValidators(files.get('validators.js') ?? '')
}

describe('a component that requires what only another part of the allOf declares read-only', () => {
  const schemas = {
    A: { required: ['id', 'name'] },
    B: { type: 'object', properties: { id: { type: 'integer', readOnly: true } } },
    C: { allOf: [ref('A'), ref('B')] },
  }

  it('does not require it in requests, but still requires the rest', async () => {
    const params = (await validatorsOf(schemas))['c.create']?.params
    expect(params?.({ body: [{ name: 'a' }] })).toBe(true)
    expect(params?.({ body: [{}] })).toBe(false)
    expect(params?.({ body: [{ name: 'a', id: 1 }] })).toBe(false)
  })

  it('requires it in responses, and if nothing declares it', async () => {
    const { 'c.create': c, 'a.create': a } = await validatorsOf(schemas)
    expect(c?.result([{ name: 'a' }])).toBe(false)
    expect(c?.result([{ name: 'a', id: 1 }])).toBe(true)
    expect(a?.params({ body: [{ name: 'a' }] })).toBe(false)
    expect(a?.params({ body: [{ name: 'a', id: 1 }] })).toBe(true)
  })

  it('does so through other components too', async () => {
    const through = {
      ...schemas,
      D: { allOf: [ref('A'), { minProperties: 1 }] },
      C: { allOf: [ref('D'), ref('B')] },
    }
    const params = (await validatorsOf(through))['c.create']?.params
    expect(params?.({ body: [{ name: 'a' }] })).toBe(true)
    expect(params?.({ body: [{}] })).toBe(false)
  })
})

it.each([
  ['its own mark', { type: 'string', readOnly: true }, true],
  ['the mark of its reference', ref('Id'), true],
  ['the mark of a part of its allOf', { allOf: [{ minLength: 1 }, ref('Id')] }, true],
  ['the mark of its only branch', { anyOf: [ref('Id')] }, true],
  ['the mark of one branch of two', { anyOf: [ref('Id'), { type: 'null' }] }, false],
  ['its own word against the mark of its reference', { ...ref('Id'), readOnly: false }, false],
  ['a part that refers to the whole', ref('Round'), false],
])('a property is left out of requests by %s: %s, %s', (_, property, isLeft) => {
  const schemas = new Map<string, Schema>([
    ['Id', { type: 'string', readOnly: true }],
    ['Round', { allOf: [ref('Round')] }],
  ])
  expect(isLeftOut(schemas, property, 'readOnly')).toBe(isLeft)
})
