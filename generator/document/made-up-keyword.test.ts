import { describe, expect, it, vi } from 'vitest'
import { sidesOf } from '../../test/diff/compared.js'
import { generate } from '../../test/scenarios/scenario.js'
import { contains } from '../contains/contains.js'
import { judgeOf } from '../contains/judge.js'
import { compare } from '../diff/compare.js'
import { lint } from '../lint/lint.js'
import { buildModel } from '../model/build/build.js'
import { Sampler } from '../samples/sampler.js'
import { validSample } from '../samples/valid-sample.js'
import { LazyValidators } from '../validators/lazy-validators.js'
import type { Json, JsonObject } from './document.js'

// Two rows that somebody adds to the table, and to nothing else.
vi.mock('./keyword-table.js', async (original) => {
  const table = await original<typeof import('./keyword-table.js')>()
  const row = { holds: 'count', role: 'assertion', of: 'string' }
  return { ...table, rows: { ...table.rows, madeUp: row, 'x-made-up': row } }
})

describe.each(['madeUp', 'x-made-up'])('the assertion %s that is only in the table', (name) => {
  const text = (most: Json): JsonObject => ({ type: 'string', [name]: most })

  it('is one that lint knows', () => {
    expect(findingsOf({ [name]: 1 })).toEqual([])
    expect(findingsOf({ [name]: 'one' })).toEqual(['value-ignored'])
    expect(findingsOf({ [`${name}s`]: 1 })).toEqual([
      name === 'madeUp' ? 'misspelt-keyword' : 'misspelt-extension',
    ])
  })

  it('is one that a review refuses to compare', async () => {
    const documents = [text(2), text(1)].map((schema) => JSON.stringify(documentOf(schema)))
    const sides = await sidesOf(documents[0] ?? '', documents[1] ?? '')
    expect(() => compare(...sides, { today: '2026-11-21' })).toThrow(name)
  })

  it.each([
    ['old', text(2), text(1)],
    ['new', { type: 'string' }, text(1)],
    ['receiver without it', { $ref: '#/$defs/Text', $defs: { Text: text(1) } }, { maxLength: 1 }],
    ['sender of listed values', { enum: ['a b'] }, text(1)],
    ['reference', { type: 'string' }, { $ref: '#/$defs/Text', $defs: { Text: text(1) } }],
  ])('is one that containment does not decide: %s', (_, old, fresh) => {
    const verdict = contains(old, fresh, { dialect: '2020-12', formats: 'asserted' })
    expect(verdict).toMatchObject({ verdict: 'unknown', reason: expect.stringContaining(name) })
  })

  it('is one that the judge of witnesses refuses', () => {
    expect(judgeOf('2020-12').compile(text(1))).toContain(name)
    expect(judgeOf('draft4').compile(text(1))).toContain(name)
  })

  it('is one that no validators are generated for', async () => {
    await expect(generate(documentOf(text(1)))).rejects.toThrow(name)
  })

  it('is one that no mock answers for', async () => {
    const [side] = await sidesOf(JSON.stringify(documentOf(text(1))), JSON.stringify(documentOf(text(1))))
    const { model } = buildModel(side.document)
    const [operation] = model?.operations ?? []
    if (model === undefined || operation === undefined) throw new Error('there is no operation')
    const { result: validator } = new LazyValidators(model).of(operation)
    const sampler = new Sampler(new Map(), 'result')
    expect(() => validSample(sampler, operation.result, validator, '1')).toThrow(name)
  })
})

function findingsOf(schema: JsonObject): string[] {
  const components = { schemas: { Schema: schema } }
  const root = { openapi: '3.1.1', info: { title: 'T', version: '1' }, components }
  const locate = (pointer: string) => ({ file: pointer, line: 1, column: 1 })
  return lint({ file: 'a.yaml', files: [], root, locate })
    .filter(({ pointer }) => pointer?.startsWith('#/components/schemas/Schema/'))
    .map(({ code }) => code)
}

function documentOf(schema: JsonObject): JsonObject {
  const content = { 'application/json': { schema } }
  const put = {
    'x-rpc-method': 'keywords.madeUp',
    requestBody: { required: true, content },
    responses: { 200: { description: 'The text', content } },
  }
  return { openapi: '3.1.0', info: { title: 'Keywords', version: '1.0.0' }, paths: { '/text': { put } } }
}
