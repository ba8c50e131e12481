import { expect, it } from 'vitest'
import { proofsOf, sidesOf } from '../../../test/diff/compared.js'
import { valueAt } from '../../document/pointer.js'
import { compare } from '../compare.js'
import { prove } from './prove.js'

// Values that show what changed in a schema.

const fine = 'responses: { 200: { description: Fine } }'

it('of two branches of a oneOf that changed, a value proves the one without whose change it is taken', async () => {
  const body = (one: string, other: string): string =>
    `paths: { /a: { post: { operationId: a.do, requestBody: { required: true, content: { application/json: { schema: {
      oneOf: [{ $ref: '#/components/schemas/One' }, { $ref: '#/components/schemas/Other' }] } } } }, ${fine} } } }
components: { schemas: { One: { properties: { n: ${one} } }, Other: { properties: { n: ${other} } } } }\n`
  const proofs = await proofsOf(
    body('{ type: string, maxLength: 10 }', '{ type: string, minLength: 8 }'),
    body('{ type: string, maxLength: 9 }', '{ type: string, minLength: 7 }'),
  )
  // Seven letters are too few for the other branch without its change; ten were taken by both branches and refused
  // before.
  expect(proofs).toMatchObject([{ status: 'unproven' }, { status: 'verified', value: { n: 'aaaaaaa' } }])
})

it('a value that two branches of a oneOf take now proves no bound in one of them', async () => {
  const body = (one: string, other: string): string =>
    `paths: { /a: { post: { operationId: a.do, requestBody: { required: true, content: { application/json: { schema: {
      oneOf: [{ $ref: '#/components/schemas/One' }, { $ref: '#/components/schemas/Other' }] } } } }, ${fine} } } }
components:
  schemas:
    One: { type: object, properties: { n: { type: ${one} } }, required: [n] }
    Other: { type: object, properties: { m: { type: integer${other} } }, required: [m] }\n`
  const proofs = await proofsOf(body('string', ''), body('[string, integer]', ', maximum: 5'))
  expect(proofs).toMatchObject([
    { status: 'verified', value: { m: 6 } },
    { status: 'verified', value: { n: 0, m: 0 } },
  ])
})

it('a problem that has a member of another type shows it as an error over JSON-RPC', async () => {
  const failing = (type: string): string =>
    `x-errors: { gone: { title: Gone, status: 410, rpc: -32010 } }
paths: { /a: { get: { operationId: a.get, x-errors: [gone], responses: { 200: { description: Fine }, 410: { description: Gone,
      content: { application/problem+json: { schema: { type: object, required: [code, since],
        properties: { code: { const: gone }, since: { type: ${type} } } } } } } } } } }\n`
  const [proof] = await proofsOf(failing('string'), failing('integer'))
  const data = { code: 'gone', since: 0 }
  expect(proof).toMatchObject({
    status: 'verified',
    rest: { status: 410, headers: { 'content-type': 'application/problem+json' }, body: data },
    jsonrpc: { jsonrpc: '2.0', id: 1, error: { code: -32010, message: 'Gone', data } },
  })
})

it('two changes of one property are shown by a value each', async () => {
  const answer = (schema: string): string =>
    `paths: { /a: { get: { operationId: a.get, responses: { 200: { description: Fine, content: { application/json: {
      schema: ${schema} } } } } } } }\n`
  const proofs = await proofsOf(
    answer('{ type: object, required: [a], properties: { a: { type: string } } }'),
    answer('{ type: object, properties: { a: { type: integer } } }'),
  )
  expect(proofs).toMatchObject([
    { value: {}, old: "rejects: /a must have required property 'a'" },
    { value: { a: 0 }, old: 'rejects: /a must be string' },
  ])
})

it('a bound is shown by a text that it refuses, and not by one that the pattern next to it refuses', async () => {
  const body = (schema: string): string =>
    `paths: { /a: { post: { operationId: a.do, requestBody: { content: { application/json: {
      schema: { type: object, properties: { a: ${schema} } } } } }, ${fine} } } }\n`
  const proofs = await proofsOf(
    body('{ type: string, maxLength: 3 }'),
    body('{ type: string, maxLength: 2, pattern: ^b }'),
  )
  expect(proofs).toMatchObject([
    { new: 'rejects: /a must NOT have more than 2 characters' },
    { new: 'rejects: /a must match pattern "^b"' },
  ])
})

it('a call that shows one change holds nothing that another one breaks', async () => {
  const body = (schema: string): string =>
    `paths: { /a: { post: { operationId: a.do, requestBody: { required: true, content: { application/json: {
      schema: { $ref: '#/components/schemas/A' } } } }, ${fine} } } }
components: { schemas: { A: ${schema} } }\n`
  const proofs = await proofsOf(
    body('{ type: object, required: [a], properties: { a: { type: string }, c: { type: integer } } }'),
    body(
      '{ type: object, required: [a], properties: { a: { type: string, pattern: ^q }, c: { type: integer, maximum: 5 } } }',
    ),
  )
  expect(proofs).toMatchObject([
    { value: { a: '' }, new: 'rejects: /a must match pattern "^q"' },
    { value: { a: 'q', c: 6 }, new: 'rejects: /c must be <= 5' },
  ])
})

it('a change within branches that overlap is proven by no call that another change of them refuses', async () => {
  const body = (n: string, m: string): string =>
    `paths: { /a: { post: { operationId: a.do, requestBody: { required: true, content: { application/json: {
      schema: { type: object, properties: { o: { oneOf: [
        { type: object, properties: { n: ${n}, m: ${m} }, required: [n, m] },
        { type: object, properties: { n: { type: integer }, z: { type: string } }, required: [z] },
      ] } } } } } }, ${fine} } } }\n`
  const head = 'openapi: 3.1.1\ninfo: { title: Shop, version: 1.0.0 }\n'
  const sides = await sidesOf(
    head + body('{ type: integer }', '{ type: integer }'),
    head + body('{ type: [integer, string] }', '{ type: integer, maximum: 5 }'),
  )
  const { changes } = await prove(compare(...sides, { today: '2026-11-21' }), ...sides)
  const proofs = changes.map(({ path, proof }) => [path, proof.status === 'verified' ? proof.value : proof])
  expect(Object.fromEntries(proofs)).toEqual({
    '/o/m': { o: { n: 0, m: 6 } },
    '/o/n': { status: 'unproven', reason: expect.any(String) },
  })
})

it.each([
  ['', 'oneOf', []],
  ['', 'anyOf', []],
  ['items', 'oneOf', ['0']],
  ['additionalProperties', 'anyOf', ['anyOther']],
])(
  'each of two changed branches is shown by a value that this change makes refused: %s %s',
  async (around, union, way) => {
    const branch = (name: string, condition: string): string =>
      `{ type: object, required: [k, ${name}], properties: { k: { const: ${name} }, ${name}: { type: string${condition} } } }`
    const choice = (condition: string): string =>
      `${union}: [${branch('a', condition)}, ${branch('b', condition)}]`
    const held = (condition: string): string =>
      around === ''
        ? choice(condition)
        : `type: ${way[0] === '0' ? 'array' : 'object'}, ${around}: { ${choice(condition)} }`
    const body = (condition: string): string =>
      `paths: { /a: { post: { operationId: a.do, requestBody: { required: true, content: { application/json: {
      schema: { ${held(condition)} } } } }, ${fine} } } }\n`
    const proofs = await proofsOf(body(''), body(', maxLength: 2'))
    const shown = proofs.map((proof) => 'rest' in proof && valueAt(proof.rest?.body ?? null, way))
    expect(shown).toEqual([
      { k: 'a', a: 'aaa' },
      { k: 'b', b: 'aaa' },
    ])
  },
)

it('each branch of a discriminator is shown by a value of its own', async () => {
  const card = (type: string): string =>
    `Card: { type: object, required: [type, number], properties: { type: ${type}, number: { type: string } } }`
  const sepa = (type: string): string =>
    `Sepa: { type: object, required: [type, iban], properties: { type: ${type}, iban: { type: string } } }`
  const payment = (one: string, other: string): string =>
    `paths: { /a: { get: { operationId: a.get, responses: { 200: { description: Fine, content: { application/json: {
      schema: { $ref: '#/components/schemas/Pay' } } } } } } } }
components: { schemas: { ${card(one)}, ${sepa(other)}, Pay: { discriminator: { propertyName: type,
  mapping: { card: '#/components/schemas/Card', sepa: '#/components/schemas/Sepa' } },
  oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Sepa' }] } } }
`
  const proofs = await proofsOf(
    payment('{ type: string, const: card }', '{ type: string, const: sepa }'),
    payment('{ type: string }', '{ type: string }'),
  )
  const shown = proofs.map((proof) => 'value' in proof && Object.keys(Object(proof.value)).sort())
  expect(shown.sort()).toEqual([
    ['iban', 'type'],
    ['number', 'type'],
  ])
})

it.each(['additionalProperties: false', 'unevaluatedProperties: false'])(
  'a call of the old version shows both halves of a rename where %s',
  async (closed) => {
    const body = (name: string): string =>
      `paths: { /a: { post: { operationId: a.do, requestBody: { required: true, content: { application/json: {
      schema: { type: object, properties: { ${name}: { type: string } }, required: [${name}], ${closed} } } } }, ${fine} } } }\n`
    const proofs = await proofsOf(body('old'), body('new'))
    expect(proofs).toHaveLength(2)
    for (const proof of proofs) expect(proof).toMatchObject({ status: 'verified', value: { old: '' } })
    expect(proofs.map((proof) => 'new' in proof && proof.new)).toEqual([
      "rejects: /new must have required property 'new'",
      expect.stringMatching(/^rejects: \/old must NOT have /),
    ])
  },
)

it('a value shows an object that became closed below a schema that refers to itself', async () => {
  const shop = (money: string): string =>
    `paths: { /a: { post: { operationId: a.do, requestBody: { required: true, content: { application/json: { schema: {
      type: object, required: [items], properties: { items: { type: array, items: { $ref: '#/components/schemas/Item' } } } } } } }, ${fine} } } }
components: { schemas: {
  Item: { type: object, properties: { price: { $ref: '#/components/schemas/Money' },
    parts: { type: array, items: { $ref: '#/components/schemas/Item' } } } },
  Money: { type: object, required: [n], properties: { n: { type: integer } }${money} } } }
`
  const [proof] = await proofsOf(shop(''), shop(', additionalProperties: false'))
  expect(proof).toMatchObject({ status: 'verified', value: { items: [{ price: { n: 0 } }] } })
})

it('a second item of its own schema shows what changed in it', async () => {
  const body = (mark: string): string =>
    `paths: { /a: { post: { operationId: a.do, requestBody: { required: true, content: { application/json: { schema: {
      type: array, prefixItems: [{ type: string }, { type: object, properties: { id: { type: integer${mark} } } }] } } } }, ${fine} } } }\n`
  const [proof] = await proofsOf(body(''), body(', readOnly: true'))
  expect(proof).toMatchObject({ status: 'verified', rest: { body: ['', { id: 0 }] } })
})
