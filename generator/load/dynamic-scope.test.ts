import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/draft-2020-12'
import { describe, expect, it } from 'vitest'
import { sidesOf } from '../../test/diff/compared.js'
import type { Json } from '../document/document.js'
import { LazyValidators } from '../validators/lazy-validators.js'

// JSON Schema 2020-12 core, sections 8.2.1 to 8.2.3.2. A second validator, which follows dynamic scope when it
// validates, reads the same schemas. The schema `L` decides.

const generic = {
  $id: 'https://e.example/g',
  type: 'array',
  items: { $dynamicRef: '#T' },
  $defs: { t: { $dynamicAnchor: 'T' } },
}
const integer = { t: { $dynamicAnchor: 'T', type: 'integer' } }
const string = { t: { $dynamicAnchor: 'T', type: 'string' } }
const list = { $ref: 'https://e.example/g' }

const cases: readonly (readonly [what: string, schemas: Json, accepted: Json[], refused: Json[]])[] = [
  ['a schema without an id', { G: generic, L: { $defs: integer, ...list } }, [[1]], [['a'], 1]],
  [
    'a schema with an id',
    { G: generic, L: { $id: 'https://e.example/l', $defs: integer, $ref: 'g' } },
    [[1]],
    [['a']],
  ],
  ['no redefinition', { G: generic, L: list }, [[1], ['a']], [1]],
  [
    'two redefinitions of one generic schema',
    {
      G: generic,
      A: { $id: 'https://e.example/a', $defs: integer, ...list },
      B: { $id: 'https://e.example/b', $defs: string, ...list },
      L: {
        type: 'object',
        properties: { a: { $ref: 'https://e.example/a' }, b: { $ref: 'https://e.example/b' } },
      },
    },
    [{ a: [1], b: ['a'] }],
    [{ a: ['a'] }, { b: [1] }],
  ],
  [
    'the outermost of two redefinitions',
    {
      G: generic,
      M: { $id: 'https://e.example/m', $defs: string, ...list },
      L: { $id: 'https://e.example/l', $defs: integer, $ref: 'm' },
    },
    [[1]],
    [['a']],
  ],
  [
    'a redefinition of the resource, and a reference in a property',
    {
      G: generic,
      L: { $id: 'https://e.example/l', $defs: integer, type: 'object', properties: { p: { $ref: 'g' } } },
    },
    [{ p: [1] }],
    [{ p: ['a'] }],
  ],
  [
    'a redefinition with an id of its own, which is another resource',
    {
      G: generic,
      L: {
        $id: 'https://e.example/l',
        $defs: { t: { $id: 'https://e.example/t', $dynamicAnchor: 'T', type: 'integer' } },
        $ref: 'g',
      },
    },
    [[1], ['a']],
    [1],
  ],
  [
    'a generic schema that refers to itself',
    {
      G: {
        $id: 'https://e.example/g',
        type: 'object',
        properties: { value: { $dynamicRef: '#T' }, next: { $ref: '#' } },
        $defs: { t: { $dynamicAnchor: 'T' } },
      },
      L: { $id: 'https://e.example/l', $defs: integer, $ref: 'g' },
    },
    [{ value: 1, next: { value: 2, next: { value: 3 } } }],
    [{ value: 'a' }, { next: { value: 'a' } }, { next: { next: { value: 'a' } } }],
  ],
  [
    'a tree that is closed (appendix C)',
    {
      Tree: {
        $id: 'https://e.example/tree',
        $dynamicAnchor: 'node',
        type: 'object',
        properties: { data: true, children: { type: 'array', items: { $dynamicRef: '#node' } } },
      },
      L: {
        $id: 'https://e.example/strict-tree',
        $dynamicAnchor: 'node',
        $ref: 'tree',
        unevaluatedProperties: false,
      },
    },
    [{ children: [{ data: 1 }] }],
    [{ children: [{ daat: 1 }] }, { children: [{ children: [{ daat: 1 }] }] }],
  ],
  [
    'a plain anchor, which no redefinition binds',
    {
      G: { ...generic, $defs: { t: { $anchor: 'T', type: 'string' } } },
      L: { $id: 'https://e.example/l', $defs: integer, $ref: 'g' },
    },
    [['a']],
    [[1]],
  ],
  [
    'a plain reference to a dynamic anchor, which no redefinition binds',
    {
      G: { ...generic, items: { $ref: '#T' }, $defs: string },
      L: { $id: 'https://e.example/l', $defs: integer, $ref: 'g' },
    },
    [['a']],
    [[1]],
  ],
  [
    'one anchor in two resources',
    {
      A: { $id: 'https://e.example/a', $defs: { x: { $anchor: 'X', type: 'integer' } }, $ref: '#X' },
      L: {
        $id: 'https://e.example/l',
        $defs: { x: { $anchor: 'X', type: 'array', items: { $ref: 'a' } } },
        $ref: '#X',
      },
    },
    [[1]],
    [['a'], 1],
  ],
  [
    'ids relative to a base',
    {
      L: {
        $id: 'https://e.example/deep/l',
        $defs: {
          ...integer,
          g: { ...generic, $id: 'parts/g' },
          other: { ...generic, $id: '/parts/g', items: { type: 'null' } },
        },
        $ref: 'parts/g',
      },
    },
    [[1]],
    [['a'], [null]],
  ],
  [
    'a dynamic reference to another resource',
    {
      T: { $id: 'https://e.example/t', $dynamicAnchor: 'T', type: 'string' },
      L: { $id: 'https://e.example/l', items: { $dynamicRef: 't#T' }, type: 'array', $defs: integer },
    },
    [[1]],
    [['a']],
  ],
  [
    'a dynamic reference next to a reference',
    {
      G: {
        ...generic,
        items: { $ref: '#/$defs/positive', $dynamicRef: '#T' },
        $defs: { ...generic.$defs, positive: { minimum: 1 } },
      },
      L: { $id: 'https://e.example/l', $defs: integer, $ref: 'g' },
    },
    [[1]],
    [['a'], [0]],
  ],
  [
    'pointers of the generic schema, which begin at its id',
    {
      G: {
        ...generic,
        items: { allOf: [{ $dynamicRef: '#T' }, { $ref: '#/$defs/positive' }] },
        $defs: { ...generic.$defs, positive: { minimum: 1 } },
      },
      L: { $id: 'https://e.example/l', $defs: { ...integer, positive: { maximum: -1 } }, $ref: 'g' },
    },
    [[1]],
    [[0], ['a']],
  ],
  [
    'a redefinition by a generic schema',
    {
      G: generic,
      L: {
        $id: 'https://e.example/l',
        $defs: { t: { $dynamicAnchor: 'T', anyOf: [{ type: 'integer' }, { $ref: 'g' }] } },
        $ref: 'g',
      },
    },
    [[1], [[1]], [[[1]]]],
    [['a'], [['a']], [[['a']]]],
  ],
  [
    'two anchors, of which each schema redefines one',
    {
      P: {
        $id: 'https://e.example/p',
        type: 'object',
        properties: { a: { $dynamicRef: '#A' }, b: { $dynamicRef: '#B' } },
        $defs: { a: { $dynamicAnchor: 'A' }, b: { $dynamicAnchor: 'B' } },
      },
      M: { $id: 'https://e.example/m', $defs: { a: { $dynamicAnchor: 'A', type: 'string' } }, $ref: 'p' },
      L: { $id: 'https://e.example/l', $defs: { b: { $dynamicAnchor: 'B', type: 'integer' } }, $ref: 'm' },
    },
    [{ a: 'a', b: 1 }],
    [{ a: 1 }, { b: 'a' }],
  ],
  [
    'a resource within another one',
    {
      L: {
        $id: 'https://e.example/l',
        $defs: integer,
        type: 'object',
        properties: { p: generic, q: { $ref: 'https://e.example/g' } },
      },
    },
    [{ p: [1], q: [1] }],
    [{ p: ['a'] }, { q: ['a'] }],
  ],
  [
    'a resource within another one, entered alone',
    {
      A: { $id: 'https://e.example/a', $defs: integer, type: 'object', properties: { p: generic } },
      L: list,
    },
    [[1], ['a']],
    [1],
  ],
]

describe('a generic schema means the same to generated validators as to JSON Schema', () => {
  it.each(cases)('%s', async (_, schemas, accepted, refused) => {
    const [ours, theirs] = [await accepts(schemas), await second(schemas)]
    const results = [...accepted, ...refused].map((value) => [value, ours(value), theirs(value)])
    const expected = [
      ...accepted.map((value) => [value, true, true]),
      ...refused.map((value) => [value, false, false]),
    ]
    expect(results).toEqual(expected)
  })
})

async function accepts(schemas: Json): Promise<(value: Json) => boolean> {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/L' } } }
  const document = JSON.stringify({
    openapi: '3.1.1',
    info: { title: 'Shop', version: '1.0.0' },
    paths: { '/l': { get: { operationId: 'l.get', responses: { 200: { description: 'Fine', content } } } } },
    components: { schemas },
  })
  const [{ model }] = await sidesOf(document, document)
  const [operation] = model?.operations ?? []
  if (model === undefined || operation === undefined) throw new Error('The document has no model')
  const { result } = new LazyValidators(model).of(operation)
  return (value) => result(structuredClone(value))
}

async function second(schemas: Json): Promise<(value: Json) => boolean> {
  const address = 'https://duet.example/document'
  const text = JSON.stringify(schemas).replaceAll('#/components/schemas/', '#/$defs/')
  registerSchema(
    { $defs: JSON.parse(text), $ref: '#/$defs/L' },
    address,
    'https://json-schema.org/draft/2020-12/schema',
  )
  const check = await validate(address)
  unregisterSchema(address)
  return (value) => check(JSON.parse(JSON.stringify(value))).valid
}
