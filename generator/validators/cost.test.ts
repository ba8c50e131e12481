import Ajv2020Module from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { runs } from '../../test/runs.js'
import { generate, loadValidators } from '../../test/scenarios/scenario.js'
import type { Json, JsonObject } from '../document/document.js'
import { defaultExport } from './interop.js'

const schemas = {
  Item: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
  Node: {
    anyOf: [
      { type: 'object', required: ['a'], properties: { a: { $ref: '#/components/schemas/Node' } } },
      {
        type: 'object',
        required: ['b'],
        properties: { a: { $ref: '#/components/schemas/Node' }, b: { type: 'integer' } },
      },
      { type: 'integer' },
    ],
  },
  Open: {
    type: 'object',
    allOf: [{ $ref: '#/components/schemas/Left' }, { $ref: '#/components/schemas/Right' }],
    properties: { end: true },
    unevaluatedProperties: false,
  },
  Left: {
    anyOf: [{ properties: { l: { $ref: '#/components/schemas/Open' } } }, { properties: { r: true } }],
  },
  Right: {
    oneOf: [
      { properties: { l: { $ref: '#/components/schemas/Open' } }, required: ['l'] },
      { not: { required: ['l'] } },
    ],
  },
  Tree: {
    type: 'object',
    properties: {
      left: { $ref: '#/components/schemas/Tree' },
      right: { $ref: '#/components/schemas/Tree' },
      others: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
    },
  },
} satisfies Record<string, Json>

const named = (name: keyof typeof schemas) => ({ $ref: `#/components/schemas/${name}` })
const places = {
  items: { type: 'array', items: named('Item') },
  map: { type: 'object', additionalProperties: named('Item') },
  names: { type: 'object', propertyNames: { maxLength: 1 } },
  closed: { type: 'object', properties: { a: true }, additionalProperties: false },
  nested: { type: 'array', items: { type: 'array', items: { type: 'boolean' } } },
  either: {
    anyOf: [
      { type: 'array', items: named('Item') },
      { type: 'array', items: { type: 'string' } },
    ],
  },
  holding: { type: 'array', contains: named('Item') },
  node: named('Node'),
  open: named('Open'),
  tree: named('Tree'),
  sets: { type: 'array', uniqueItems: true },
}

const emitted = async () => {
  const document = {
    openapi: '3.1.1',
    info: { title: 'Shop', version: '1.0.0' },
    paths: {
      '/all': {
        post: {
          operationId: 'all.add',
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { type: 'object', properties: places } } },
          },
          responses: { 204: { description: 'Done' } },
        },
      },
    },
    components: { schemas },
  }
  const source = (await generate(document as JsonObject)).files.get('validators.js') ?? ''
  const check = loadValidators(source)['all.add']?.params
  if (check === undefined) throw new Error('There is no validator')
  return { source, check }
}

/** Number of reads of members if `depth` objects are nested. */
function readsOf(depth: number, name: string, ask: (value: unknown) => unknown): number {
  let reads = 0
  let value: unknown = { end: 1 }
  for (let i = 0; i < depth; i++) {
    const inner = value
    value = Object.defineProperty({}, name, {
      enumerable: true,
      get: () => {
        reads++
        return inner
      },
    })
  }
  ask(value)
  return reads
}

describe('a validator', () => {
  it.each([
    ['items', Array(5000).fill({})],
    ['map', Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, 1]))],
    ['names', Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, 1]))],
    ['closed', Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, 1]))],
    ['nested', Array(100).fill(Array(100).fill(0))],
    ['either', Array(5000).fill(0)],
    ['holding', Array(5000).fill({})],
  ])('has few errors of %s that are all wrong', async (name, value) => {
    const { check } = await emitted()
    expect(check({ [name]: value })).toBe(false)
    expect(check.errors?.length).toBeGreaterThan(0)
    // A nested loop and each branch may add the same number of errors.
    expect(check.errors?.length).toBeLessThan(160)
  })

  it('finds a contained item after any number of others, and its errors', async () => {
    const { check } = await emitted()
    expect(check({ holding: [...Array(500).fill({}), { id: 1 }] })).toBe(true)
    expect(check({ holding: [{}, 'a'] })).toBe(false)
    expect(check.errors).toMatchObject([{ instancePath: '/holding', keyword: 'contains' }])
  })

  it('reports fifty faults of the first items, in order', async () => {
    const { check } = await emitted()
    check({ items: Array(60).fill({}) })
    expect(check.errors?.map(({ instancePath }) => instancePath)).toEqual(
      Array.from({ length: 50 }, (_, i) => `/items/${i}`),
    )
  })

  it.each([
    ['node', 'a'],
    ['open', 'l'],
  ])('decides a recursive %s once for each value', async (place, name) => {
    const { check } = await emitted()
    const reads = (depth: number) => readsOf(depth, name, (value) => check({ [place]: value }))
    // The first calls are not remembered.
    const some = reads(18)
    expect(some).toBeLessThan(3000)
    expect(reads(36) - some).toBeLessThan(18 * 100)
  })

  it('remembers only values that may be checked twice', async () => {
    const { source } = await emitted()
    const found = [...source.matchAll(/^const component_(\w+?)(?:___\w+)? = remembered/gm)].map(
      ([, name]) => name,
    )
    expect([...new Set(found)].sort()).toEqual(['Left', 'Node', 'Open', 'Right'])
  })

  it('reads each of many objects once to see that they differ', async () => {
    const { check } = await emitted()
    let reads = 0
    const sets = Array.from({ length: 300 }, (_, i) => ({
      get k() {
        reads++
        return i
      },
    }))
    expect(check({ sets })).toBe(true)
    expect(reads).toBe(300)
  })
})

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'large' },
    fc.constantFrom(1, 'x', null),
    fc.dictionary(fc.constantFrom('a', 'b', 'l', 'r', 'end', 'left', 'others'), tie('value'), { maxKeys: 3 }),
    fc.array(tie('value'), { maxLength: 2 }),
  ),
})).value

test('remembered verdicts agree with AJV', async () => {
  const { check } = await emitted()
  const ajv = new (defaultExport(Ajv2020Module))({ strict: false, validateSchema: false })
  ajv.addSchema({ components: { schemas } }, 'all')
  const oracle = ajv.compile({
    properties: {
      node: { $ref: 'all#/components/schemas/Node' },
      open: { $ref: 'all#/components/schemas/Open' },
    },
  })
  let valid = 0
  fc.assert(
    fc.property(fc.constantFrom('node', 'open'), value, fc.nat(40), (place, inner, depth) => {
      let whole = inner
      for (let i = 0; i < depth; i++) whole = place === 'node' ? { a: whole } : { l: whole }
      // AJV checks deep values in parts: the objects around the inner one do not matter.
      if (place === 'open' && (typeof inner !== 'object' || inner === null)) return
      const around = place === 'node' ? { a: inner } : { l: inner }
      const expected = oracle({ [place]: depth === 0 ? inner : around })
      if (expected) valid++
      expect([whole, check({ [place]: whole })]).toEqual([whole, expected])
    }),
    { numRuns: runs(300, 10_000) },
  )
  expect(valid).toBeGreaterThan(5)
})
