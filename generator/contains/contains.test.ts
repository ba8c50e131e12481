import { describe, expect, it } from 'vitest'
import { contains } from './contains.js'
import type { Json } from './values/value.js'

const ask = (a: Json, b: Json) => contains(a, b, { dialect: 'draft7' })
const contained = { verdict: 'contained' }

describe('types', () => {
  it.each<[Json, Json]>([
    [{ type: 'integer' }, { type: 'number' }],
    [{ type: ['string', 'null'] }, { type: ['null', 'string', 'array'] }],
    [{ enum: [1, 'a'] }, { type: ['integer', 'string'] }],
    [false, { type: 'null' }],
    [{ type: 'boolean' }, { enum: [true, false] }],
    [{}, true],
  ])('%j is contained in %j', (a, b) => expect(ask(a, b)).toEqual(contained))

  it('a number need not be an integer', () => {
    const answer = ask({ type: 'number' }, { type: 'integer' })
    expect(answer.verdict).toBe('not-contained')
    expect(answer).toHaveProperty('witness')
    if (answer.verdict === 'not-contained') expect(Number.isInteger(answer.witness)).toBe(false)
  })
})

describe('numbers', () => {
  it.each<[Json, Json]>([
    [{ multipleOf: 6 }, { allOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }],
    [{ allOf: [{ multipleOf: 4 }, { multipleOf: 6 }] }, { multipleOf: 12 }],
    [{ type: 'integer', minimum: 0, maximum: 3 }, { enum: [0, 1, 2, 3] }],
    [{ type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 1 }, false],
    [{ minimum: 5 }, { exclusiveMinimum: 4.999 }],
    // 1 to 10 without multiples of 2, 3 and 5 leaves 1 and 7.
    [
      {
        type: 'integer',
        minimum: 1,
        maximum: 10,
        not: { anyOf: [{ multipleOf: 2 }, { multipleOf: 3 }, { multipleOf: 5 }] },
      },
      { enum: [1, 7] },
    ],
    [{ type: 'number', format: 'int32' }, { maximum: 2147483647 }],
  ])('%j is contained in %j', (a, b) => expect(ask(a, b)).toEqual(contained))

  it.each<[Json, Json, Json]>([
    [{ type: 'integer', minimum: 0, maximum: 3 }, { enum: [0, 1, 3] }, 2],
    [{ type: 'number', minimum: 1, maximum: 1 }, { not: { const: 1 } }, 1],
    [{ type: 'number', multipleOf: 7, minimum: 8, maximum: 15 }, { type: 'null' }, 14],
  ])('of %j against %j the witness is %j', (a, b, witness) =>
    expect(ask(a, b)).toEqual({ verdict: 'not-contained', witness }),
  )

  it('gives unknown if AJV rounds', () => {
    expect(ask({ multipleOf: 0.1 }, { multipleOf: 0.01 })).toMatchObject({
      verdict: 'unknown',
      reason: expect.stringContaining('AJV divides doubles'),
    })
  })

  it.each<[Json, Json]>([
    [{ multipleOf: 0.1 }, { multipleOf: 0.01 }],
    [{ multipleOf: 0.3, maximum: 100 }, { multipleOf: 0.1 }],
    [{ const: 0.3 }, { multipleOf: 0.1 }],
  ])('by decimals %j is contained in %j', (a, b) =>
    expect(contains(a, b, { dialect: 'draft7', arithmetic: 'decimals' })).toEqual(contained),
  )

  it('by decimals a witness is exact', () =>
    expect(
      contains({ multipleOf: 0.1 }, { multipleOf: 0.3 }, { dialect: 'draft7', arithmetic: 'decimals' }),
    ).toMatchObject({ verdict: 'not-contained' }))
})

describe('strings', () => {
  it.each<[Json, Json]>([
    [{ type: 'string', pattern: '^[a-f]+$' }, { pattern: '^[a-z]*$' }],
    [{ type: 'string', pattern: '^(a|b|c)$' }, { enum: ['a', 'b', 'c'] }],
    [
      { type: 'string', pattern: '^a{3}$' },
      { minLength: 3, maxLength: 3 },
    ],
    [{ type: 'string', maxLength: 0 }, { const: '' }],
    // One character outside the basic plane is one code point and two code units.
    [{ const: '\u{1f600}' }, { maxLength: 1, pattern: '^.$' }],
    [
      { type: 'string', pattern: '^(?=.*\\d)(?=.*[A-Z])\\w{8,}$' },
      { pattern: '\\d', minLength: 8 },
    ],
    [{ type: 'string', pattern: '^\\w+(?<!_)$' }, { not: { pattern: '_$' } }],
    [{ type: 'string', pattern: '\\bab\\b' }, { pattern: 'ab' }],
    [
      { type: 'string', format: 'ipv4' },
      { maxLength: 15, pattern: '^[0-9.]+$' },
    ],
    [
      { type: 'string', format: 'uuid' },
      { minLength: 36, maxLength: 45 },
    ],
    [{ type: 'string', format: 'date' }, { not: { pattern: '^2023-02-29$' } }],
    [{ type: 'string', format: 'date-time' }, { pattern: '^\\d{4}-\\d\\d-\\d\\d' }],
    [{ type: 'string', format: 'regex' }, { format: 'regex' }],
    [{ type: 'string', format: 'no-such-format' }, { type: 'string' }],
  ])('%j is contained in %j', (a, b) => expect(ask(a, b)).toEqual(contained))

  it.each<[Json, Json, Json]>([
    [{ type: 'string', pattern: '^a' }, { minLength: 2 }, 'a'],
    [{ type: 'string', pattern: '^[ab]{2}$' }, { enum: ['aa', 'ab', 'ba'] }, 'bb'],
    [{ type: 'string' }, { minLength: 1 }, ''],
  ])('of %j against %j the witness is %j', (a, b, witness) =>
    expect(ask(a, b)).toEqual({ verdict: 'not-contained', witness }),
  )

  it('a witness of 5000 characters is found', () => {
    const answer = ask({ type: 'string', pattern: '^[a-z]+$', maxLength: 5000 }, { maxLength: 4999 })
    expect(answer).toEqual({ verdict: 'not-contained', witness: 'a'.repeat(5000) })
  })

  it('a pattern that compiles only without the flag u is run without it', () => {
    const name = { type: 'string', pattern: '^[\\w-./:]+$' }
    expect(ask(name, { minLength: 1 })).toEqual(contained)
    expect(ask({ ...name, minLength: 3, maxLength: 3 }, { not: { pattern: '^a-/$' } })).toEqual({
      verdict: 'not-contained',
      witness: 'a-/',
    })
    // Without u a character outside the basic plane is two.
    expect(ask({ type: 'string', pattern: '^\\_.{2}$' }, { minLength: 3 })).toMatchObject({
      verdict: 'not-contained',
      witness: expect.stringMatching(/^_.$/u),
    })
  })

  it("a backreference gives unknown, with the pattern's name", () => {
    expect(ask({ type: 'string', pattern: '^(.+)\\1$' }, { minLength: 2 })).toMatchObject({
      verdict: 'unknown',
      reason: expect.stringContaining('^(.+)\\1$'),
    })
  })
})

describe('combinations', () => {
  it.each<[Json, Json]>([
    [{ not: { not: { type: 'string' } } }, { type: 'string' }],
    [{ type: 'string', not: { enum: ['a'] } }, { not: { const: 'a' } }],
    [{ oneOf: [{ type: 'string' }, { type: 'null' }] }, { anyOf: [{ type: 'null' }, { type: 'string' }] }],
    // Every integer matches both branches, so exactly one leaves fractions.
    [{ oneOf: [{ type: 'number' }, { type: 'integer' }] }, { not: { type: 'integer' } }],
    [
      {
        if: { properties: { t: { const: 1 } }, required: ['t'] },
        // biome-ignore lint/suspicious/noThenProperty: the keyword is called so
        then: { required: ['x'] },
        else: { required: ['y'] },
      },
      { anyOf: [{ required: ['x'] }, { required: ['y'] }] },
    ],
  ])('%j is contained in %j', (a, b) => expect(ask(a, b)).toEqual(contained))

  it('a value that matches two branches distinguishes oneOf from anyOf', () => {
    const branches = [{ required: ['a'] }, { required: ['b'] }]
    const answer = ask({ type: 'object', anyOf: branches }, { oneOf: branches })
    expect(answer).toMatchObject({ verdict: 'not-contained' })
    if (answer.verdict === 'not-contained')
      expect(Object.keys(Object(answer.witness)).sort()).toEqual(['a', 'b'])
  })

  it('a union of thirty tagged objects is decided', () => {
    const tagged = (type: string): Json[] =>
      Array.from({ length: 30 }, (_, i) => ({
        type: 'object',
        properties: { tag: { const: `t${i}` }, value: { type } },
        required: ['tag'],
      }))
    expect(ask({ anyOf: tagged('integer') }, { oneOf: tagged('number') })).toEqual(contained)
  })
})

describe('a schema that AJV refuses', () => {
  it.each<[Json, string]>([
    [{ type: 'strin' }, 'schema is invalid'],
    [{ pattern: '(' }, 'Invalid regular expression'],
    [{ $ref: '#/nowhere' }, "can't resolve reference"],
    [7, 'must be an object or a boolean'],
  ])('%j is answered with unknown and its words', (schema, words) => {
    const answer = ask(true, schema)
    expect(answer).toMatchObject({ verdict: 'unknown', reason: expect.stringContaining(words) })
  })
})

describe('a hostile schema', () => {
  it.each(['constructor', 'toString', '__proto__'])('the property %s is one like any other', (name) => {
    const closed = (...names: string[]): Json => ({
      type: 'object',
      additionalProperties: false,
      properties: JSON.parse(`{${names.map((one) => `"${one}":{"type":"string"}`)}}`),
    })
    expect(ask({ type: 'object' }, { required: [name] })).toEqual({ verdict: 'not-contained', witness: {} })
    expect(ask({ type: 'object', required: [name] }, { minProperties: 1 }).verdict).toBe('contained')
    expect(ask(closed('a'), closed('a', name)).verdict).toBe('contained')
    expect(JSON.stringify(ask(closed('a', name), closed('a')))).toBe(
      `{"verdict":"not-contained","witness":{"${name}":""}}`,
    )
    expect(ask(JSON.parse(`{"const":{"${name}":"b"}}`), closed(name)).verdict).toBe('contained')
    expect(ask(JSON.parse(`{"const":{"${name}":1}}`), closed(name)).verdict).toBe('not-contained')
  })

  it('a search without end stops at its budget', { tags: 'long' }, () => {
    const pigeons = Array.from({ length: 12 }, (_, i) => ({
      anyOf: Array.from({ length: 11 }, (_, j) => ({
        properties: { [`h${j}`]: { const: i } },
        required: [`h${j}`],
      })),
    }))
    const start = process.cpuUsage()
    const answer = contains({ type: 'object', allOf: pigeons }, false, { dialect: 'draft7', budgetMs: 300 })
    expect(answer).toMatchObject({ verdict: 'unknown', reason: expect.stringContaining('budget') })
    expect(process.cpuUsage(start).user).toBeLessThan(5_000_000)
  })

  it('nesting that is too deep gives unknown', () => {
    const deep: Json = JSON.parse(`${'{"not":'.repeat(20_000)}{}${'}'.repeat(20_000)}`)
    expect(ask(deep, { type: 'null' }).verdict).toBe('unknown')
  })

  it('a pattern that backtracks is decided all the same', () => {
    const start = process.cpuUsage()
    expect(ask({ enum: [`${'a'.repeat(60)}!`] }, { pattern: '^(a|a)*$' }).verdict).toBe('not-contained')
    expect(ask({ type: 'string', pattern: '^a{60}$' }, { pattern: '^(a+)+$' })).toEqual(contained)
    expect(process.cpuUsage(start).user).toBeLessThan(5_000_000)
  })

  it('values that double in size with every level are not looked for', () => {
    const level = (i: number): Json => ({
      type: 'object',
      properties: { l: { $ref: `#/definitions/${i + 1}` }, r: { $ref: `#/definitions/${i + 1}` } },
      required: ['l', 'r'],
    })
    const definitions = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [i, level(i)]))
    expect(ask({ $ref: '#/definitions/0', definitions: { ...definitions, 40: {} } }, false)).toMatchObject({
      verdict: 'unknown',
      reason: 'a value would be too large',
    })
  })

  it('numbers beyond doubles give unknown', () => {
    expect(ask(JSON.parse('{"minimum":1e400}'), { type: 'string' })).toMatchObject({
      verdict: 'unknown',
      reason: 'a number exceeds the range of doubles',
    })
  })

  it('an enum that AJV would compare for minutes is left alone', () => {
    const values = Array.from({ length: 60_000 }, (_, i) => i)
    expect(ask({ enum: values }, { type: 'integer' })).toMatchObject({ verdict: 'unknown' })
  })

  it('a reference to itself on one instance ends', () => {
    expect(
      ask({ $ref: '#/definitions/a', definitions: { a: { $ref: '#/definitions/a' } } }, false).verdict,
    ).toBe('unknown')
    const paradox = { $ref: '#/definitions/a', definitions: { a: { not: { $ref: '#/definitions/a' } } } }
    expect(ask(paradox, { type: 'string' }).verdict).toBe('unknown')
  })
})
