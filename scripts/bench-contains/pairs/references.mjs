// Labelled pairs about references, anchors and recursion.
import { apart, chain, empty, integer, needs, number, object, pair, same, string } from './family.mjs'

const defined = (definitions, more = {}) => ({ $ref: '#/definitions/start', definitions, ...more })
const to = (name) => ({ $ref: `#/definitions/${name}` })
const tree = (value, more = {}) =>
  defined({
    start: object(
      { value, children: { type: 'array', items: to('start') } },
      { required: ['value'], ...more },
    ),
  })
const list = (value, end = { type: 'null' }) =>
  defined({
    start: {
      anyOf: [
        end,
        object(
          { head: value, tail: to('start') },
          { required: ['head', 'tail'], additionalProperties: false },
        ),
      ],
    },
  })
const unrolled = {
  anyOf: [
    { type: 'null' },
    object({ head: integer, tail: to('start') }, { required: ['head', 'tail'], additionalProperties: false }),
  ],
  definitions: list(integer).definitions,
}
const expression = (leaf) =>
  defined({
    start: { oneOf: [leaf, to('sum'), to('product')] },
    sum: object(
      { plus: { type: 'array', items: to('start'), minItems: 2 } },
      { required: ['plus'], additionalProperties: false },
    ),
    product: object(
      { times: { type: 'array', items: to('start'), minItems: 2 } },
      { required: ['times'], additionalProperties: false },
    ),
  })
const even = defined({
  start: {
    oneOf: [
      { type: 'array', maxItems: 0 },
      { type: 'array', items: to('odd'), minItems: 1, maxItems: 1 },
    ],
  },
  odd: { type: 'array', items: to('start'), minItems: 1, maxItems: 1 },
})
const spine = defined({ start: { type: 'array', items: to('start'), maxItems: 1 } })
const modern = (value) => ({
  $defs: {
    node: {
      $anchor: 'node',
      type: 'object',
      properties: { value, next: { $ref: '#node' } },
      required: ['value'],
    },
  },
  $ref: '#/$defs/node',
})
const json = defined({
  start: {
    anyOf: [
      { type: ['null', 'boolean', 'number', 'string'] },
      { type: 'array', items: to('start') },
      { type: 'object', additionalProperties: to('start') },
    ],
  },
})
const dynamic = (value) => ({
  $dynamicAnchor: 'node',
  type: 'object',
  properties: { value, left: { $dynamicRef: '#node' }, right: { $dynamicRef: '#node' } },
  required: ['value'],
  additionalProperties: false,
})
const recursive = (value) => ({
  $recursiveAnchor: true,
  type: 'object',
  properties: { value, next: { $recursiveRef: '#' } },
  required: ['value'],
  additionalProperties: false,
})

export const references = [
  ...chain(
    'trees',
    'draft4',
    tree({ enum: [1, 2] }),
    tree(integer),
    tree(number),
    tree({ type: ['number', 'string'] }),
    object({}, needs('value')),
    { type: 'object' },
  ),
  ...chain('trees', 'draft7', tree(integer, { additionalProperties: false }), tree(integer), tree(number)),
  ...same(
    'trees',
    'draft7',
    tree(integer),
    defined({
      start: { allOf: [to('base'), needs('value')] },
      base: object({ value: integer, children: { type: 'array', items: to('start') } }),
    }),
    object(
      { value: { type: 'number', multipleOf: 1 }, children: { type: 'array', items: to('start') } },
      { required: ['value'], definitions: tree(integer).definitions },
    ),
  ),
  ...same('lists', 'draft4', list(integer), unrolled, list({ allOf: [number, integer] })),
  ...chain(
    'lists',
    'draft7',
    list({ const: 1 }),
    list(integer),
    list(number),
    list(number, { type: ['null', 'boolean'] }),
  ),
  ...chain(
    'expressions',
    'draft7',
    expression(integer),
    expression(number),
    expression({ type: ['number', 'string'] }),
  ),
  ...chain('parity', 'draft7', even, spine, { type: 'array', maxItems: 1 }, { type: 'array' }),
  ...same('all of JSON', 'draft4', json, {}, { not: { not: {} } }),
  ...same(
    'anchors',
    '2020-12',
    modern(integer),
    { ...modern(integer), $ref: '#node' },
    {
      $ref: '#/$defs/a/allOf/0',
      $defs: {
        a: { allOf: [object({ value: integer, next: { $ref: '#/$defs/a/allOf/0' } }, needs('value'))] },
      },
    },
  ),
  ...chain('anchors', '2019-09', modern(integer), modern(number), modern({})),
  ...same(
    'definitions',
    '2020-12',
    { $ref: '#/$defs/x', $defs: { x: string } },
    { $ref: '#/definitions/x', definitions: { x: string } },
    { $ref: '#/$defs/a~1b%25', $defs: { 'a/b%': string } },
    string,
  ),
  ...same(
    'addresses',
    'draft7',
    {
      $id: 'http://example.com/a.json',
      allOf: [{ $ref: 'b.json' }],
      definitions: { b: { $id: 'b.json', type: 'integer' } },
    },
    integer,
    { allOf: [{ $ref: '#i' }], definitions: { i: { $id: '#i', type: 'integer' } } },
  ),
  ...same(
    'addresses',
    '2020-12',
    {
      $id: 'https://example.com/root',
      $ref: 'inner',
      $defs: { inner: { $id: 'inner', type: 'string', minLength: 1 } },
    },
    { type: 'string', minLength: 1 },
  ),
  ...chain(
    'dynamic',
    '2020-12',
    dynamic(integer),
    dynamic(number),
    object({ value: number, left: { type: 'object' } }, needs('value')),
  ),
  ...chain(
    'dynamic',
    '2019-09',
    recursive(integer),
    recursive(number),
    object({ value: number, next: { type: 'object' } }, needs('value')),
  ),
  ...empty(
    'no finite value',
    'draft7',
    defined({ start: object({ next: to('start') }, needs('next')) }),
    defined({ start: { type: 'array', items: to('start'), minItems: 1 } }),
    defined({ start: object({ a: to('other') }, needs('a')), other: object({ b: to('start') }, needs('b')) }),
    defined({
      start: {
        anyOf: [object({ l: to('start') }, needs('l')), { type: 'array', items: to('start'), minItems: 2 }],
      },
    }),
    defined({
      start: { oneOf: [to('a'), to('b')] },
      a: { type: 'array', contains: to('start') },
      b: object({ x: to('a') }, needs('x')),
    }),
  ),
  ...apart('recursive', 'draft7', tree(string), list(integer), expression(integer), {
    type: 'array',
    minItems: 1,
    items: to('x'),
    definitions: { x: { type: 'array', items: to('x') } },
  }),
  pair(
    'recursive',
    'draft7',
    tree(integer),
    { properties: { children: { items: { properties: { children: { items: { required: ['value'] } } } } } } },
    true,
  ),
  pair(
    'recursive',
    'draft7',
    tree(integer),
    {
      properties: {
        children: { items: { properties: { children: { items: { required: ['children'] } } } } },
      },
    },
    false,
  ),
  pair('recursive', 'draft4', { $ref: 'http://json-schema.org/draft-04/schema#' }, { type: 'object' }, true),
  pair('recursive', 'draft4', { type: 'object' }, { $ref: 'http://json-schema.org/draft-04/schema#' }, false),
  pair(
    'recursive',
    'draft7',
    { $ref: 'http://json-schema.org/draft-07/schema#' },
    { type: ['object', 'boolean'] },
    true,
  ),
  pair('recursive', 'draft7', { type: 'boolean' }, { $ref: 'http://json-schema.org/draft-07/schema#' }, true),
  pair(
    'recursive',
    'draft7',
    { enum: [{ type: 'object', properties: { a: { minLength: 3 } } }] },
    { $ref: 'http://json-schema.org/draft-07/schema#' },
    true,
  ),
  pair(
    'recursive',
    'draft7',
    {
      type: 'object',
      properties: { minLength: { type: 'integer', minimum: 0 } },
      additionalProperties: false,
    },
    { $ref: 'http://json-schema.org/draft-07/schema#' },
    true,
  ),
  pair(
    'recursive',
    'draft7',
    { type: 'object', properties: { minLength: integer }, additionalProperties: false },
    { $ref: 'http://json-schema.org/draft-07/schema#' },
    false,
  ),
]
