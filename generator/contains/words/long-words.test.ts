import { describe, expect, it } from 'vitest'
import { contains } from '../contains.js'
import type { Json } from '../values/value.js'

const ask = (a: Json, b: Json) => contains(a, b, { dialect: '2020-12' })
const contained = { verdict: 'contained' }

describe('long values', () => {
  it.each<[Json, Json, number]>([
    [{ type: 'string', maxLength: 1_000_000 }, { maxLength: 65_535 }, 65_536],
    [{ type: 'string', minLength: 100_000 }, { minLength: 100_001 }, 100_000],
    [{ type: 'string', pattern: '^(ab)+$', minLength: 9_999 }, { type: 'null' }, 10_000],
    [{ type: 'string', pattern: '^[a-z]+$', maxLength: 65_535 }, { maxLength: 255 }, 256],
    [{ type: 'array', maxItems: 10_000 }, { maxItems: 9_999 }, 10_000],
    [{ type: 'array', minItems: 500, uniqueItems: true }, { maxItems: 499 }, 500],
    [{ type: 'array', prefixItems: [{ const: 1 }], minItems: 300 }, { maxItems: 200 }, 300],
  ])('%j against %j has the shortest witness, of %i', (a, b, length) => {
    const answer = ask(a, b)
    expect(answer.verdict === 'not-contained' && Object(answer.witness)).toHaveLength(length)
  })

  it('an object of many properties is found, too', () => {
    const answer = ask({ type: 'object', minProperties: 600 }, { maxProperties: 599 })
    expect(answer.verdict === 'not-contained' && Object.keys(Object(answer.witness))).toHaveLength(600)
  })

  it.each<[Json, Json]>([
    [{ type: 'string', minLength: 70_000 }, { minLength: 65_536 }],
    [{ type: 'string', pattern: '^(ab)*$', minLength: 50_001, maxLength: 50_001 }, false],
    [{ type: 'string', pattern: '^(aaa)*$', minLength: 50_001 }, { minLength: 50_001 }],
    [{ type: 'array', items: { type: 'boolean' }, uniqueItems: true, minItems: 1_000 }, false],
  ])('%j is contained in %j', (a, b) => {
    expect(ask(a, b)).toEqual(contained)
  })

  it('gives unknown if a witness would exceed a megabyte', () => {
    expect(ask({ type: 'string' }, { maxLength: 2 ** 31 - 1 }).verdict).toBe('unknown')
    expect(ask({ type: 'array' }, { maxItems: 2 ** 31 - 1 }).verdict).toBe('unknown')
  })
})
