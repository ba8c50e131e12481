import { echo, type Legal, refused, same, withParameters } from './document.js'

/** Rules that hold only in some positions: directions, names of types, positions. */
export const edges: Readonly<Record<string, Legal>> = {
  'a parameter whose schema is read-only': {
    broke: 'a review of this generator',
    document: withParameters(
      '/op/{id}',
      "{ name: id, in: path, required: true, schema: { $ref: '#/components/schemas/Id' } }, { name: q, in: query, schema: { type: integer, readOnly: true } }",
      'components: { schemas: { Id: { type: integer, readOnly: true } } }',
    ),
    calls: [...same({ id: 4, q: 5 }), ...refused({ q: 5 }, { id: 'x' })],
    rest: [{ method: 'GET', target: '/op/4?q=5', answer: { q: 5, id: 4 } }],
    uses: `import type { XOpInput, XOpParams } from './types.js'
export const params: XOpParams = { id: 4, q: 5 }
export const sum = ({ id, q = 0 }: XOpInput): number => id + q`,
  },
  'a whole body whose schema is read-only, and properties that are': {
    broke: 'a review of this generator',
    document: echo(
      "{ type: array, items: { $ref: '#/components/schemas/Item' }, readOnly: true }",
      'Item: { type: object, required: [id, name], properties: { id: { type: integer, readOnly: true }, name: { type: string } } }',
    ),
    calls: refused({ body: [{ id: 1, name: 'a' }] }, {}),
    uses: "import type { XOpParams } from './types.js'\nexport const params: XOpParams = { body: [{ name: 'a' }] }",
  },
  'components called as the globals of TypeScript': {
    broke: 'a review of this generator',
    document: echo(
      "{ $ref: '#/components/schemas/Full' }",
      `Full: { allOf: [{ $ref: '#/components/schemas/Record' }], required: [a] }
Record: { type: object, properties: { a: { $ref: '#/components/schemas/PropertyKey' }, b: { $ref: '#/components/schemas/Infinity' } } }
PropertyKey: { type: object, properties: { c: { type: string } } }
Infinity: { type: array, items: { $ref: '#/components/schemas/Exclude' } }
Exclude: { type: object, additionalProperties: true }`,
    ),
    calls: [...same({ a: { c: 'x' }, b: [{ d: 1 }] }), ...refused({ b: [] })],
  },
  'names that only another part of an allOf declares': {
    broke: 'a review of this generator',
    document: echo(
      "{ $ref: '#/components/schemas/Whole' }",
      `Base: { type: object, properties: { id: { type: integer }, name: { type: string }, size: { type: integer, default: 1 } } }
Whole: { allOf: [{ $ref: '#/components/schemas/Base' }, { required: [id, size] }, { type: object, required: [name], properties: { z: { type: string } } }] }`,
    ),
    calls: [
      [
        { id: 1, name: 'a' },
        { id: 1, name: 'a', size: 1 },
      ],
      ...refused({ id: 1 }, { name: 'a' }),
    ],
    uses: `import type { Whole, XOpParams } from './types.js'
export const lengthOf = ({ id, name, size }: Whole): number => id + name.length + size
export const params: XOpParams = { id: 1, name: 'a' }
// @ts-expect-error The name is required.
export const nameless: Whole = { id: 1, size: 1 }`,
  },
  'tuples in the query': {
    broke: 'a review of this generator',
    document: withParameters(
      '/op',
      '{ name: e, in: query, schema: { type: array, prefixItems: [{ type: integer }, { type: string }], items: { type: boolean } } }, { name: c, in: query, explode: false, schema: { type: array, prefixItems: [{ type: string }, { type: number }], items: false } }',
    ),
    calls: [...same({ e: [1, '2', true], c: ['1', 2] }), ...refused({ e: ['1'] }, { c: ['1', 2, 3] })],
    rest: [{ method: 'GET', target: '/op?e=1&e=2&e=true&c=1,2', answer: { e: [1, '2', true], c: ['1', 2] } }],
  },
  'tuples in a form': {
    broke: 'a review of this generator',
    document: `
paths:
  /op:
    post:
      x-rpc-method: x.op
      requestBody: { required: true, content: { application/json: { schema: &S { type: object, properties: { t: { type: array, prefixItems: [{ type: integer }, { type: string }, { type: object, properties: { n: { type: integer } } }] } } } }, application/x-www-form-urlencoded: { schema: *S } } }
      responses: { '200': { description: ok, content: { application/json: { schema: {} } } } }
`,
    calls: [...same({ t: [1, '2', { n: 3 }] }), ...refused({ t: ['1'] })],
  },
  'a discriminated union within one of the same property, distinguished by names alone': {
    broke: 'a review of this generator',
    document: echo(
      "{ type: object, required: [v], properties: { v: { $ref: '#/components/schemas/Outer' } } }",
      `Outer: { oneOf: [{ $ref: '#/components/schemas/Inner' }, { $ref: '#/components/schemas/C' }], discriminator: { propertyName: t } }
Inner: { oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }], discriminator: { propertyName: t, mapping: { first: A } } }
A: { type: object, required: [t, a], properties: { t: { type: string }, a: { type: integer } } }
B: { type: object, required: [t], properties: { t: { type: string } } }
C: { type: object, required: [t], properties: { t: { type: string } } }`,
    ),
    calls: [
      ...same({ v: { t: 'A', a: 1 } }, { v: { t: 'first', a: 1 } }, { v: { t: 'B' } }, { v: { t: 'C' } }),
      ...refused({ v: { t: 'A' } }, { v: { t: 'Inner', a: 1 } }, { v: { t: 'D' } }),
    ],
    uses: `import type { Outer } from './types.js'
export const all: Outer[] = [{ t: 'A', a: 1 }, { t: 'first', a: 1 }, { t: 'B' }, { t: 'C' }]
// @ts-expect-error No branch is called so.
export const none: Outer = { t: 'Inner', a: 1 }`,
  },
}
