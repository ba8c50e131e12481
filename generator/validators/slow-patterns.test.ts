import { describe, expect, it } from 'vitest'
import { sidesOf } from '../../test/diff/compared.js'
import { emit } from '../emit/emit.js'
import { contractOf } from '../mock/contract.js'
import { emitValidators } from './validators.js'

const backtracking = '^(a+)+$'
const document = JSON.stringify({
  openapi: '3.1.1',
  info: { title: 'Shop', version: '1.0.0' },
  paths: {
    '/trees': {
      post: {
        operationId: 'trees.add',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  name: { type: 'string', pattern: backtracking },
                  plain: { type: 'string', pattern: '^[a-z]+$' },
                  twice: { type: 'string', pattern: '^(a+)+(b)\\2$' },
                  twices: { type: 'object', patternProperties: { '^(a+)+(b)\\2$': { type: 'integer' } } },
                  short: { type: 'string', pattern: '^(\\w|a)*$', maxLength: 60 },
                  quoted: { type: 'string', pattern: '^(["\']).*\\1$' },
                  marks: {
                    type: 'object',
                    patternProperties: { '^(b+)+$': { type: 'integer' }, '^(["\']).*\\1$': true },
                    additionalProperties: false,
                  },
                  days: {
                    type: 'object',
                    patternProperties: {
                      '^(d+)+$': { type: 'string', format: 'date-time', 'x-timezone': true },
                    },
                  },
                },
              },
            },
          },
        },
        responses: {
          200: {
            description: 'Fine',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { name: { type: 'string', pattern: backtracking } },
                },
              },
            },
          },
        },
      },
    },
  },
})

const emitted = async () => {
  const [{ model }] = await sidesOf(document, document)
  if (model === undefined) throw new Error('The document has no model')
  const files = await emit(model, [], 'openapi.json')
  return { model, ...(await contractOf(files)) }
}

const long = `${'a'.repeat(100_000)}!`

/** Processor time of an action, in milliseconds. */
function cost(action: () => void): number {
  const start = process.cpuUsage()
  action()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

describe('a pattern that backtracks', () => {
  // Backtracking would never end. The limits leave room for slow machines.
  it('is run in linear time by the validator, and refused with the words that any pattern is', async () => {
    const { validators } = await emitted()
    const check = validators['trees.add']?.params
    if (check === undefined) throw new Error('There is no validator')
    check({ name: 'a!' })
    expect(cost(() => expect(check({ name: long })).toBe(false))).toBeLessThan(2_000)
    expect(check.errors).toMatchObject([
      { instancePath: '/name', keyword: 'pattern', message: `must match pattern "${backtracking}"` },
    ])
    expect(check({ name: long.slice(0, -1) })).toBe(true)
    expect(check({ plain: 'ab', quoted: '"ab"', marks: { bbb: 1 } })).toBe(true)
  })

  it('is run in linear time over names of members', async () => {
    const { validators } = await emitted()
    const check = validators['trees.add']?.params
    if (check === undefined) throw new Error('There is no validator')
    const name = `${'b'.repeat(4000)}!`
    expect(cost(() => expect(check({ marks: { [name]: 1 } })).toBe(false))).toBeLessThan(2_000)
    expect(check.errors?.[0]).toMatchObject({ keyword: 'additionalProperties' })
    expect(check({ marks: { bbb: 'x' } })).toBe(false)
    expect(check.errors?.[0]).toMatchObject({ instancePath: '/marks/bbb', keyword: 'type' })
  })

  it('runs on texts of any length without an automaton, and refuses texts that need too many steps', async () => {
    const { validators } = await emitted()
    const check = validators['trees.add']?.params
    if (check === undefined) throw new Error('There is no validator')
    expect(check({ quoted: `"${'a'.repeat(20_000)}"`, marks: { [`"${'a'.repeat(9000)}"`]: 1 } })).toBe(true)
    expect(check({ twice: 'aaaabb' })).toBe(true)
    const costly = 'a'.repeat(40)
    expect(cost(() => expect(check({ twice: costly })).toBe(false))).toBeLessThan(2_000)
    const message = 'must take fewer steps to compare with pattern "^(a+)+(b)\\2$"'
    expect(check.errors).toMatchObject([{ instancePath: '/twice', keyword: 'pattern', message }])
    expect(check({ twice: 'c' })).toBe(false)
    expect(check.errors).toMatchObject([{ message: 'must match pattern "^(a+)+(b)\\2$"' }])
    // It is undecided whether the name matches, so the value would not be checked.
    expect(check({ twices: { [costly]: 'any' } })).toBe(false)
    expect(check.errors).toMatchObject([{ keyword: '$decided' }, { keyword: 'propertyNames' }])
    expect(check({ twices: { aab: 'any' } })).toBe(true)
    expect(check({ twices: { aabb: 'any' } })).toBe(false)
  })

  it('does not search a text that is too long anyway', async () => {
    const { validators } = await emitted()
    const check = validators['trees.add']?.params
    if (check === undefined) throw new Error('There is no validator')
    expect(check({ short: 'a'.repeat(30_000) })).toBe(false)
    expect(check.errors).toMatchObject([{ keyword: 'maxLength' }])
    expect(check({ short: 'abab!' })).toBe(false)
    expect(check.errors).toMatchObject([{ keyword: 'pattern' }])
    expect(check({ short: '\u{1f600}'.repeat(60) })).toBe(false)
    expect(check.errors).toMatchObject([{ keyword: 'pattern' }])
  })

  it('is in no generated module as a backtracking expression', async () => {
    const { model, operations } = await emitted()
    const source = emitValidators(model)
    expect([source.includes('new RegExp("^(a+)+'), source.includes('new RegExp("^[a-z]+$"')]).toEqual([
      false,
      true,
    ])
    expect(source).toBe(emitValidators(model))
    const [, ...nodes] = operations['trees.add']?.datetimes.params ?? []
    expect(nodes.flatMap((node) => Object.keys(node.checks ?? {}))).toEqual(['^(d+)+$'])
  })
})
