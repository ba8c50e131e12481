import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Json, JsonObject } from './document.js'

// Test files share their modules. This one needs its own: each part reads the table once, when it is loaded.
let duet: Awaited<ReturnType<typeof loaded>>

/** Rows of keywords that no validator checks. */
const quiet = {
  madeUpNote: { holds: 'count', role: 'note' },
  madeUpWord: { holds: 'count', role: 'words', reported: true },
  'x-made-up-extension': { holds: 'count', role: 'extension' },
} as const

const quietNames = ['madeUpNote', 'madeUpWord', 'x-made-up-extension'] as const

beforeAll(async () => {
  vi.resetModules()
  // Rows that only the table has.
  vi.doMock('./keyword-table.js', async (original) => {
    const table = await original<typeof import('./keyword-table.js')>()
    const row = { holds: 'count', role: 'assertion', of: 'string' }
    const madeUpPart = { holds: 'schema', role: 'in-place' }
    const madeUpMembers = { holds: 'schema-map', role: 'child', of: 'object' }
    const madeUpOldWay = { ...row, upgraded: true }
    const limiting = { madeUp: row, 'x-made-up': row, madeUpOldWay, madeUpPart, madeUpMembers }
    return { ...table, rows: { ...table.rows, ...limiting, ...quiet } }
  })
  duet = await loaded()
})

afterAll(() => {
  vi.doUnmock('./keyword-table.js')
  vi.resetModules()
})

async function loaded() {
  return {
    ...(await import('../../test/diff/compared.js')),
    ...(await import('../../test/scenarios/scenario.js')),
    ...(await import('../adapt/adaptation.js')),
    ...(await import('../adapt/attack.js')),
    ...(await import('../contains/contains.js')),
    ...(await import('../contains/judge.js')),
    ...(await import('../diff/compare.js')),
    ...(await import('../lint/lint.js')),
    ...(await import('../model/build/build.js')),
    ...(await import('../samples/sampler.js')),
    ...(await import('../samples/valid-sample.js')),
    ...(await import('../validators/lazy-validators.js')),
  }
}

const itself = (most: number): Json => most
const bounded = (most: number): JsonObject => ({ maxLength: most })

describe.each([
  { name: 'madeUp', limit: itself, misspelt: 'misspelt-keyword' },
  { name: 'x-made-up', limit: itself, misspelt: 'misspelt-extension' },
  { name: 'madeUpOldWay', limit: itself, misspelt: 'misspelt-keyword' },
  { name: 'madeUpPart', limit: bounded, misspelt: 'misspelt-keyword' },
  { name: 'madeUpMembers', limit: (most: number) => ({ a: bounded(most) }), misspelt: 'misspelt-keyword' },
])('the keyword $name that is only in the table', ({ name, limit, misspelt }) => {
  const text = (most: number): JsonObject => ({ type: 'string', [name]: limit(most) })

  it('is one that lint knows', () => {
    expect(findingsOf({ [name]: limit(1) })).toEqual([])
    expect(findingsOf({ [name]: 'one' })).toEqual([limit === itself ? 'value-ignored' : 'wrong-type'])
    expect(findingsOf({ [`${name}s`]: limit(1) })).toEqual([misspelt])
  })

  it('is one that a review refuses to compare', async () => {
    const documents = [text(2), text(1)].map((schema) => JSON.stringify(documentOf(schema)))
    const sides = await duet.sidesOf(documents[0] ?? '', documents[1] ?? '')
    expect(() => duet.compare(...sides, { today: '2026-11-21' })).toThrow(name)
  })

  it('is one that adapters refuse', async () => {
    const refused = await obstaclesOf(text(2), text(1)).catch((error: Error) => [error.message])
    expect(refused.join('\n')).toContain(name)
  })

  it.each([
    ['old', text(2), text(1)],
    ['new', { type: 'string' }, text(1)],
    ['receiver without it', { $ref: '#/$defs/Text', $defs: { Text: text(1) } }, { maxLength: 1 }],
    ['sender of listed values', { enum: ['a b'] }, text(1)],
    ['reference', { type: 'string' }, { $ref: '#/$defs/Text', $defs: { Text: text(1) } }],
  ])('is one that containment does not decide: %s', (_, old, fresh) => {
    const verdict = duet.contains(old, fresh, { dialect: '2020-12', formats: 'asserted' })
    expect(verdict).toMatchObject({ verdict: 'unknown', reason: expect.stringContaining(name) })
  })

  it('is one that the judge of witnesses refuses', () => {
    expect(duet.judgeOf('2020-12').compile(text(1))).toContain(name)
    expect(duet.judgeOf('draft4').compile(text(1))).toContain(name)
  })

  it('is one that neither validators nor types are generated for', async () => {
    await expect(duet.generate(documentOf(text(1)))).rejects.toThrow(name)
  })

  it('is one that no mock answers for', async () => {
    const [side] = await duet.sidesOf(
      JSON.stringify(documentOf(text(1))),
      JSON.stringify(documentOf(text(1))),
    )
    const { model } = duet.buildModel(side.document)
    const [operation] = model?.operations ?? []
    if (model === undefined || operation === undefined) throw new Error('there is no operation')
    const { result: validator } = new duet.LazyValidators(model).of(operation)
    const sampler = new duet.Sampler(new Map(), 'result')
    expect(() => duet.validSample(sampler, operation.result, validator, '1')).toThrow(name)
  })
})

describe.each(quietNames)('the keyword %s that is only in the table', (name) => {
  const text = (value: Json): JsonObject => ({ type: 'string', [name]: value })

  it('is one that lint knows', () => {
    expect(findingsOf({ [name]: 1 })).toEqual([])
    expect(findingsOf({ [`${name}s`]: 1 })).toEqual([
      name.startsWith('x-') ? 'misspelt-extension' : 'misspelt-keyword',
    ])
    // Lint has a rule of its own for each extension.
    if (quiet[name].role !== 'extension') expect(findingsOf({ [name]: 'one' })).toEqual(['value-ignored'])
  })

  it('is one that a review refuses to compare', async () => {
    const documents = [text(2), text(1)].map((schema) => JSON.stringify(documentOf(schema)))
    const sides = await duet.sidesOf(documents[0] ?? '', documents[1] ?? '')
    expect(() => duet.compare(...sides, { today: '2026-11-21' })).toThrow(name)
  })

  it('is one that adapters leave to a person', async () => {
    expect(await obstaclesOf(text(2), text(1))).toEqual([
      `${name} is 2 in 1.0.0, 1 in 1.1.0`,
      `${name} is 1 in 1.1.0, 2 in 1.0.0`,
    ])
  })
})

async function obstaclesOf(old: JsonObject, fresh: JsonObject): Promise<string[]> {
  const [before, after] = await duet.sidesOf(
    JSON.stringify(documentOf(old)),
    JSON.stringify(documentOf(fresh)).replace('1.0.0', '1.1.0'),
  )
  if (before.model === undefined || after.model === undefined) throw new Error('there is no model')
  const { attack } = new duet.Attacker(before.model, after.model, { count: 20, seed: '1' })
  const { operations } = duet.adaptationOf(before, after, attack)
  return operations.flatMap(({ parts }) =>
    parts.flatMap(({ obstacles }) => obstacles.map((obstacle) => obstacle.text)),
  )
}

function findingsOf(schema: JsonObject): string[] {
  const components = { schemas: { Schema: schema } }
  const root = { openapi: '3.1.1', info: { title: 'T', version: '1' }, components }
  const locate = (pointer: string) => ({ file: pointer, line: 1, column: 1 })
  return duet
    .lint({ file: 'a.yaml', files: [], root, locate })
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
