import { describe, expect, it } from 'vitest'
import { compared } from '../../../test/diff/compared.js'

/** Two operations. The second has its own schema in both directions. */
function shop(maximum: number, schema: string): string {
  return [
    'openapi: 3.1.1',
    'info: { title: Shop, version: 1.0.0 }',
    'paths:',
    '  /a:',
    '    get:',
    '      x-rpc-method: a.list',
    `      parameters: [{ name: limit, in: query, schema: { type: integer, maximum: ${maximum} } }]`,
    '      responses: { 200: { description: Fine } }',
    '  /b:',
    '    post:',
    '      x-rpc-method: b.add',
    `      requestBody: { required: true, content: { application/json: { schema: ${schema} } } }`,
    `      responses: { 200: { description: Fine, content: { application/json: { schema: ${schema} } } } }`,
  ].join('\n')
}

/** Changes of each operation as level and id, and the reasons for undecided ones. */
async function review(old: string, fresh: string) {
  const { changes } = await compared(shop(10, old), shop(5, fresh))
  return {
    first: changes.filter(({ operation }) => operation === 'a.list').map(({ level, id }) => `${level} ${id}`),
    second: changes.filter(({ operation }) => operation === 'b.add'),
  }
}

describe('a schema that AJV refuses', () => {
  it.each([
    ['an invalid pattern', '{ type: string }', "{ type: string, pattern: '(' }"],
    ['an invalid pattern in the old version', "{ type: string, pattern: '[' }", '{ type: string }'],
    ['a type that there is not', '{ type: string }', '{ type: text }'],
    ['a bound that is a text', '{ type: integer, minimum: 1 }', "{ type: integer, minimum: '2' }"],
    ['a negative count', '{ type: array, minItems: 1 }', '{ type: array, minItems: -1 }'],
    ['an enum that is no list', '{ type: string, enum: [a] }', '{ type: string, enum: b }'],
    ['a divisor of 0', '{ type: integer, multipleOf: 2 }', '{ type: integer, multipleOf: 0 }'],
    ['required as of draft 3', '{ type: object, required: [a] }', '{ type: object, required: true }'],
    ['no alternative', '{ anyOf: [{ type: string }] }', '{ anyOf: [] }'],
    ['a schema that is a number', '{ type: string }', '7'],
    [
      'an invalid key pattern',
      "{ type: object, patternProperties: { '^a': { type: string } } }",
      "{ type: object, patternProperties: { '(': { type: integer } } }",
    ],
  ])('with %s makes its operation undecidable, and no other', async (_, old, fresh) => {
    const { first, second } = await review(old, fresh)
    expect(first).toEqual(['breaking request-parameter-max-decreased'])
    expect(second.length).toBeGreaterThan(0)
    for (const { level, message, proof } of second) {
      expect(level).toBe('dangerous')
      expect(message).toMatch(/; cannot be decided: AJV refuses a schema \(.+\)$/)
      expect(proof).toEqual({ status: 'unproven', reason: expect.stringMatching(/^AJV refuses a schema /) })
    }
  })

  it('leaves the rest of its operation decided', async () => {
    const schema = (maximum: number, type: string): string =>
      `{ type: object, properties: { good: { type: integer, maximum: ${maximum} }, bad: { type: ${type} } } }`
    const { second } = await review(schema(10, 'string'), schema(5, 'text'))
    const levels = second.map(({ level, path, direction }) => `${direction} ${path} ${level}`)
    expect(levels.sort()).toEqual([
      'request /bad dangerous',
      'request /good breaking',
      'response /bad dangerous',
      'response /good compatible',
    ])
  })

  it('is no change if both versions have it', async () => {
    expect((await review('{ type: text }', '{ type: text }')).second).toEqual([])
  })
})

it.each([
  ['a backreference', "{ type: string, pattern: '^(a|b)\\1$' }", "{ type: string, pattern: '^(aa|bb)$' }"],
  ['lookaround', "{ type: string, pattern: '^a(?<=a)b$' }", '{ type: string, enum: [ab] }'],
])('a change next to a pattern with %s cannot be decided', async (what, old, fresh) => {
  const { second } = await review(old, fresh)
  const [doubtful] = second.filter(({ direction }) => direction === 'request')
  expect(doubtful).toMatchObject({
    level: 'dangerous',
    message: expect.stringContaining(`; cannot be decided: a pattern has ${what}: ^`),
  })
})
