import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { runs } from '../../test/runs.js'
import { generate, loadValidators } from '../../test/scenarios/scenario.js'

const source = `
components:
  schemas:
    Node:
      type: object
      required: [id]
      properties:
        id: { type: integer, minimum: 1 }
        children: { type: array, maxItems: 3, items: { $ref: '#/components/schemas/Node' } }
    Closed:
      type: object
      additionalProperties: false
      required: [id, name]
      properties:
        id: { type: integer, format: int32 }
        name: { type: string, minLength: 1, maxLength: 8 }
        rate: { type: [number, 'null'], multipleOf: 0.01 }
        kind: { enum: [new, old], type: string }
        code: { type: string, pattern: '^[A-Z]+$' }
        at: { type: string, format: date-time }
        flag: { type: boolean }
        constructor: { type: string }
        inner: { type: object, additionalProperties: { type: integer }, properties: { "a\\"b</script>": {} } }
        node: { anyOf: [{ $ref: '#/components/schemas/Node' }, { type: 'null' }] }
        either: { $ref: '#/components/schemas/Either' }
        tags: { type: array, items: { type: array, items: { type: string } } }
    Either: { oneOf: [{ type: string }, { type: integer }] }
paths:
  /closed: { get: { x-rpc-method: closed.get, responses: { 200: { description: It, content: { application/json: { schema: { $ref: '#/components/schemas/Closed' } } } } } } }
  /nodes: { get: { x-rpc-method: nodes.get, responses: { 200: { description: It, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Node' } } } } } } } }
  /either: { get: { x-rpc-method: either.get, responses: { 200: { description: It, content: { application/json: { schema: { $ref: '#/components/schemas/Either' } } } } } } }
  /file: { get: { x-rpc-method: file.get, responses: { 200: { description: It, content: { text/csv: { schema: { type: string } } } } } } }
`
let validators: ReturnType<typeof loadValidators>
beforeAll(async () => {
  const { files, diagnostics } = await generate(source)
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  validators = loadValidators(files.get('validators.js') ?? '')
})

const text = (name: string, value: unknown) => validators[name]?.text?.(value)

describe('results that are as plain as JSON', () => {
  it.each([
    { id: 1, name: 'a' },
    { name: 'Zürich', id: -0, rate: null, flag: false, kind: 'old', code: 'ABC' },
    { id: 7, name: '"\\\n\u2028', rate: 1234.56, at: '2026-01-02T03:04:05Z', tags: [[], ['', 'ü'], []] },
    { id: 7, name: '\ud800', inner: { 'a"b</script>': null, 2: 2, 1: 1, '"': 3 }, node: null },
    { id: 7, name: '😀', either: 'x', node: { id: 1, more: 'x', children: [{ id: 2, children: [] }] } },
    { id: 7, name: 'a', kind: undefined, constructor: 'c' },
    JSON.parse('{"id":1,"name":"a","node":{"id":1,"__proto__":1}}'),
    Object.assign(Object.create(null), { id: 1, name: 'a' }),
  ])('are written as JSON.stringify writes them: %j', (value) => {
    expect(text('closed.get', value)).toBe(JSON.stringify(value))
  })

  it('are written in the order that they have', () => {
    expect(text('closed.get', { name: 'b', id: 1 })).toBe('{"name":"b","id":1}')
  })

  it('are written at any depth', () => {
    const nodes = [{ id: 1, children: [{ id: 2 }, { id: 3, children: [{ id: 4 }] }] }]
    expect(text('nodes.get', nodes)).toBe(JSON.stringify(nodes))
  })
})

describe('results of which the validator has to say', () => {
  it.each([
    null,
    [],
    'x',
    {},
    { id: 1 },
    { id: 1, name: '' },
    { id: 1, name: '123456789' },
    { id: 1.5, name: 'a' },
    { id: 2 ** 31, name: 'a' },
    { id: 1, name: 'a', rate: 0.001 },
    { id: 1, name: 'a', rate: Number.NaN },
    { id: 1, name: 'a', rate: Number.POSITIVE_INFINITY },
    { id: 1, name: 'a', kind: 'older' },
    { id: 1, name: 'a', code: 'abc' },
    { id: 1, name: 'a', at: 'today' },
    { id: 1, name: 'a', either: 1.5 },
    { id: 1, name: 'a', other: 1 },
    { id: 1, name: 'a', other: undefined },
    { id: 1, name: 'a', inner: { x: 'y' } },
    { id: 1, name: 'a', tags: [[1]] },
    { id: 1, name: 'a', node: { id: 0 } },
    { id: 1, name: 'a', node: { id: 1, children: [1] } },
  ])('are not written: %o', (value) => expect(text('closed.get', value)).toBe(undefined))

  it.each([
    ['a class has made', Object.assign(new (class Row {})(), { id: 1, name: 'a' })],
    ['write themselves', { id: 1, name: 'a', toJSON: () => 'secret' }],
    ['write a part of themselves', { id: 1, name: 'a', node: { id: 1, at: new Date(0) } }],
    ['hold a big integer', { id: 1, name: 'a', node: { id: 1, more: 1n } }],
    ['hold a function', { id: 1, name: 'a', node: { id: 1, more: () => 1 } }],
    ['inherit what they lack', Object.assign(Object.create({ name: 'a' }), { id: 1 })],
  ])('and so are those that %s', (_, value) => expect(text('closed.get', value)).toBe(undefined))

  it('have no function for a schema that is too complex', () => {
    expect([validators['either.get']?.text, validators['file.get']?.text]).toEqual([undefined, undefined])
  })
})

describe('whatever a handler gives', () => {
  const leaf = fc.oneof(
    fc.integer({ min: -3, max: 3 }),
    fc.double(),
    fc.string({ unit: 'binary', maxLength: 9 }),
    fc.constantFrom<unknown>(
      'new',
      'ABC',
      '2026-01-02T03:04:05Z',
      null,
      undefined,
      true,
      1n,
      new Date(0),
      Symbol.iterator,
    ),
  )
  const names = [
    'id',
    'name',
    'rate',
    'kind',
    'code',
    'flag',
    'inner',
    'node',
    'either',
    'tags',
    'children',
    '__proto__',
    'x',
  ]
  const values = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc
        .uniqueArray(fc.tuple(fc.constantFrom(...names), tie('value')), { selector: ([name]) => name })
        .map(objectOf),
    ),
  })).value
  const likely = fc.record(
    {
      id: fc.integer({ min: -5, max: 5 }),
      name: fc.string({ unit: 'binary', minLength: 1, maxLength: 9 }),
      rate: fc.oneof(
        fc.double(),
        fc.integer().map((cents) => cents / 100),
      ),
      node: fc.record({ id: fc.integer({ min: 0, max: 3 }), x: leaf }, { requiredKeys: ['id'] }),
      other: values,
      tags: fc.array(fc.array(leaf, { maxLength: 2 }), { maxLength: 2 }),
    },
    { requiredKeys: ['id', 'name'] },
  )

  it('is left to the validator, or it is valid and JSON.stringify writes the same', () => {
    fc.assert(
      fc.property(fc.oneof(likely, values), (value) => {
        for (const name of ['closed.get', 'nodes.get']) {
          const written = text(name, value)
          if (written === undefined) continue
          expect(validators[name]?.result(value)).toBe(true)
          expect(written).toBe(JSON.stringify(value))
        }
      }),
      { numRuns: runs(500, 20_000) },
    )
  })
})

/** An object with only own members, including `__proto__`. */
function objectOf(entries: readonly (readonly [string, unknown])[]): unknown {
  return Object.fromEntries(entries)
}
